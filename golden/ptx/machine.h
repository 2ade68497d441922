/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a kernel of a module thread by thread, each up to its next barrier. What no PTX program may do is an error: a
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
    uint64_t shared_bytes;     /* of the launch, behind the module's own */
    const uint8_t *parameters; /* kernel->given_bytes of them */
    uint64_t steps;            /* the most that a thread may execute */
};

/* Variables get addresses and initial values. NULL, and the problem, where there is no room. */
struct machine *machine_create(const struct module *module, struct problem *problem);
void machine_free(struct machine *m);

/* Copies `size` bytes, zeros where `bytes` is NULL. The buffer's address; 0 where there is no room. */
uint64_t machine_add_buffer(struct machine *m, const char *name, const uint8_t *bytes, uint64_t size);
/* Its bytes. False where there is none of this address. */
bool machine_buffer(struct machine *m, uint64_t address, const uint8_t **bytes);

/* False, and the problem, where a byte of the buffer is undefined. */
bool machine_defined(const struct machine *m, uint64_t address);

/* Shared memory for an argument: its address, behind the module's variables. */
uint64_t machine_add_shared(struct machine *m, uint64_t bytes);

enum outcome machine_launch(struct machine *m, const struct launch *launch);

/* Instructions executed so far. Lines whose results the PTX ISA bounds but does not give: 0 ends them. */
uint64_t machine_steps(const struct machine *m);
int machine_approximate_line(const struct machine *m);

#endif
