/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and opens the shared object behind --sim.
 *
 *     struct sim_library lib;
 *     if (sim_library_open(&lib, "verilator", 8, &machine, 0, &d) != STATUS_OK) return diag_report(stderr, &d);
 *     lib.api->open(...);
 *     sim_library_close(&lib);
 */
#ifndef WARPSTEP_SIM_LIBRARY_H
#define WARPSTEP_SIM_LIBRARY_H

#include "../../assembler/base/diag.h"
#include "sim.h"

struct sim_library {
    void *handle;
    const struct sim_api *api;
};

/* `name`: "verilator" and "ghdl" are the builds in $WARPSTEP_SIM_DIR, or else in ../sim or ../lib/warpstep beside the
 * directory of this program, or in sim, warpstep or ../warpstep beside the library that contains this code. Anything
 * else is the path of a shared object. A simulation with a bus has one of this number of words; 0: global memory is
 * block RAM. */
enum status sim_library_open(struct sim_library *lib, const char *name, unsigned cores, const struct machine *machine,
                             unsigned bus_words, struct diag *d);
void sim_library_close(struct sim_library *lib);

#endif
