/* SPDX-License-Identifier: Apache-2.0 */
/* The machine behind its host port, for the fake board: registers and windows in C (docs/evidence/host.md); a start
 * runs the C model or a simulation of the RTL with the launch found there. The run ends at once. */
#ifndef WARPSTEP_TEST_FAKE_MACHINE_H
#define WARPSTEP_TEST_FAKE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../cmodel/machine.h"

struct fake_machine;

/* Bits of one core's result of one operation (isa.h) that are stuck at 1; with the model only. No bits: no fault. */
struct fake_stuck {
    unsigned op, core;
    uint32_t bits;
};

/* sim: NULL for the model, or an argument of --sim ("verilator"). NULL if it cannot be opened. */
struct fake_machine *fake_machine_create(unsigned cores, const struct machine *machine, const char *sim,
                                         const struct fake_stuck *stuck);
void fake_machine_destroy(struct fake_machine *m);

void fake_machine_write(struct fake_machine *m, uint32_t adr, uint32_t word);
uint32_t fake_machine_read(struct fake_machine *m, uint32_t adr);
void fake_machine_reset(struct fake_machine *m); /* resets the grid; memories stay */

#endif
