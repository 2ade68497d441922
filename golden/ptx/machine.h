/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a kernel of a module thread by thread, each up to its next barrier. Undefined behaviour of PTX is an error: a
 * branch on an undefined value, or an address from one; a race; an access out of bounds or misaligned.
 *
 *     struct machine *m = machine_create(module, &problem);
 *     uint64_t y = machine_add_buffer(m, "y", bytes, size);
 *     enum outcome outcome = machine_launch(m, &launch);
 *     machine_buffer(m, y, &bytes);
 *     machine_free(m);
 */
#ifndef GOLDEN_PTX_MACHINE_H
#define GOLDEN_PTX_MACHINE_H

#include "ptx.h"

struct machine;

enum outcome { FINISHED, NOT_DEFINED, TRAPPED };

struct launch {
    const struct function *kernel;
    uint32_t grid[3], block[3];
    uint64_t shared_bytes;     /* of the launch, after the module's own */
    const uint8_t *parameters; /* kernel->given_bytes of them */
    uint64_t steps;            /* limit of a thread's instructions */
};

/* Variables get addresses and initial values. NULL, with the problem, if there is no room. */
struct machine *machine_create(const struct module *module, struct problem *problem);
void machine_free(struct machine *m);

/* Copies `size` bytes, zeros if `bytes` is NULL. Returns the buffer's address; 0 if there is no room. */
uint64_t machine_add_buffer(struct machine *m, const char *name, const uint8_t *bytes, uint64_t size);
/* The buffer's bytes. False if there is none at this address. */
bool machine_buffer(struct machine *m, uint64_t address, const uint8_t **bytes);

/* False, with the problem, if a byte of the buffer is undefined. */
bool machine_defined(const struct machine *m, uint64_t address);

/* Shared memory for an argument: its address, after the module's variables. */
uint64_t machine_add_shared(struct machine *m, uint64_t bytes);

enum outcome machine_launch(struct machine *m, const struct launch *launch);

/* Number of executed instructions. Lines whose results the PTX ISA only bounds; 0 ends them. */
uint64_t machine_steps(const struct machine *m);
int machine_approximate_line(const struct machine *m);

#endif
