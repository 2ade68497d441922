/* SPDX-License-Identifier: Apache-2.0 */
/* Facts that hold before each step of a kernel, on any path to it: registers that may have been written, registers that
 * may vary between the lanes of a warp, the top of the warp's stack, and whether the warp may be divided.
 *
 *     struct dataflow f;
 *     if (dataflow_run(&g, &f) && f.settled)
 *         for each block b with dataflow_reaches(&f.before[b]):
 *             state = f.before[b]; for each step s: look; dataflow_step(&f, s, &state)
 *     dataflow_release(&f);
 *
 * A value is uniform if an undivided warp computed it from uniform values (parameters, constants, block numbers,
 * immediates). A warp is divided from a branch whose condition may vary to the .S that removes the SSY entry below. If
 * the block has one dimension, threadIdx.x / 32 and the comparison of threadIdx.x with a multiple of 32 are uniform,
 * too. Source: docs/isa.md 6.1. */
#ifndef WARPSTEP_DATAFLOW_H
#define WARPSTEP_DATAFLOW_H

#include "cfg.h"

/* The top of the warp's stack: empty, one of several entries, or the entry of a step (its token + STACK_TOKEN). */
enum { STACK_EMPTY, STACK_UNKNOWN, STACK_TOKEN };

#define STACK_UNSET UINT32_MAX

struct dataflow_state {
    struct register_set written, varying;
    struct register_set not_thread;  /* registers that may hold something other than threadIdx.x */
    struct register_set not_aligned; /* registers that may hold something other than a multiple of 32 */
    uint32_t stack;
    uint32_t divided; /* 0, or 1 plus the first branch (a step) that may have divided the warp */
    bool seen;        /* control may reach this place */
};

static inline bool dataflow_reaches(const struct dataflow_state *s) { return s->seen && s->stack != STACK_UNSET; }

/* The state when an SSY, PBK or CAL pushed its entry. */
struct dataflow_token {
    enum isa_op op;
    uint32_t stack, divided;
    bool seen;
};

struct dataflow {
    const struct cfg *g;
    struct dataflow_state *before; /* of each block */
    struct dataflow_token *token;
    bool settled;       /* false: given up, because the code is too irregular */
    bool token_changed; /* used within dataflow_run */
};

/* False if out of memory; release it in any case. */
bool dataflow_run(const struct cfg *g, struct dataflow *f);

/* Turns the state before a step (its number) into the state after it. */
void dataflow_step(struct dataflow *f, uint32_t step, struct dataflow_state *s);

/* True if the guard of the step may be true in some executing lanes and false in others. */
bool dataflow_guard_varies(const struct cfg_step *step, const struct dataflow_state *s);

void dataflow_release(struct dataflow *f);

#endif
