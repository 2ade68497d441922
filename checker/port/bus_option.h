/* SPDX-License-Identifier: Apache-2.0 */
/* The option --memory: the place of the RTL's global memory, and the speed of a bus.
 *
 *     struct sim_bus bus = {0};
 *     if (bus_parse("bus,latency=30,stall=20,seed=7", &bus, &d) != STATUS_OK ||
 *         bus_check(&bus, cores, &d) != STATUS_OK) return launch_report(TOOL, &d);
 *     bus_print(&bus, stdout);                      // bus,words=8,latency=30,stall=20,seed=7
 */
#ifndef WARPSTEP_BUS_OPTION_H
#define WARPSTEP_BUS_OPTION_H

#include <stdio.h>

#include "../../assembler/base/diag.h"
#include "sim.h"

/* "ram", or "bus" with any of words, latency, stall, seed. Without words the bus is as wide as a line. */
enum status bus_parse(const char *value, struct sim_bus *bus, struct diag *d);

/* Sets the words if they were not given, and checks that they divide a line of this number of cores. */
enum status bus_check(struct sim_bus *bus, unsigned cores, struct diag *d);

/* In the form that bus_parse reads. */
void bus_print(const struct sim_bus *bus, FILE *out);

void bus_print_help(FILE *out); /* the lines of --help */

#endif
