/* SPDX-License-Identifier: Apache-2.0 */
/* What is known before each step of a kernel, on any path that leads there: which registers may have been written,
 * which may differ between the lanes of a warp, what lies on top of the warp's stack, and whether the warp may be
 * divided.
 *
 *     struct dataflow f;
 *     if (dataflow_run(&g, &f) && f.settled)
 *         for each block b with dataflow_reaches(&f.before[b]):
 *             state = f.before[b]; for each step s: look; dataflow_step(&f, s, &state)
 *     dataflow_release(&f);
 *
 * A value is the same in all lanes when it was computed from such values (parameters, constants, block numbers,
 * immediates) by an undivided warp. A warp is divided from a branch whose condition may differ to the .S that removes
 * the SSY entry below. Where the block has one dimension, threadIdx.x / 32 and whether threadIdx.x is below a
 * multiple of 32 are the same for a warp, too. Source: docs/isa.md 6.1. */
#ifndef WARPSTEP_DATAFLOW_H
#define WARPSTEP_DATAFLOW_H

#include "cfg.h"

/* What lies on the warp's stack: nothing, one of several things, or the entry of a step (its token + STACK_TOKEN). */
enum { STACK_EMPTY, STACK_UNKNOWN, STACK_TOKEN };

#define STACK_UNSET UINT32_MAX

struct dataflow_state {
    struct register_set written, varying;
    struct register_set not_thread;  /* what may hold something else than threadIdx.x */
    struct register_set not_aligned; /* what may hold something else than a multiple of 32 */
    uint32_t stack;
    uint32_t divided; /* 0, or 1 plus the first branch (a step) that may have divided the warp */
    bool seen;        /* control may come here */
};

static inline bool dataflow_reaches(const struct dataflow_state *s) { return s->seen && s->stack != STACK_UNSET; }

/* The state when an SSY, PBK or CAL put its entry on the stack. */
struct dataflow_token {
    enum isa_op op;
    uint32_t stack, divided;
    bool seen;
};

struct dataflow {
    const struct cfg *g;
    struct dataflow_state *before; /* of each block */
    struct dataflow_token *token;
    bool settled;       /* false: given up, the code is too irregular */
    bool token_changed; /* inside dataflow_run */
};

/* False when memory is out; release it in any case. */
bool dataflow_run(const struct cfg *g, struct dataflow *f);

/* The state behind a step (its number) from the one before it. */
void dataflow_step(struct dataflow *f, uint32_t step, struct dataflow_state *s);

/* True when the guard of the step may be true in some lanes and false in others that execute it. */
bool dataflow_guard_varies(const struct cfg_step *step, const struct dataflow_state *s);

void dataflow_release(struct dataflow *f);

#endif
