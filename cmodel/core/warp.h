/* SPDX-License-Identifier: Apache-2.0 */
/* One warp: 32 threads that share a program counter and a stack. Divergence, reconvergence, calls, loops and exit
 * change only this state. Source: docs/isa.md 6.1; warp.c quotes its rules by number.
 *
 *     active   threads that execute the next instruction
 *     alive    threads that have not exited
 *     parked   threads that left by RET (wait on the nearest CALL entry) or BRK (on the nearest BREAK entry)
 *
 * Two masks of parked threads are needed: a thread that returns from inside a loop of the called function must stay
 * parked when the loop's BREAK entry is popped, although that entry's mask has its bit. */
#ifndef WARPSTEP_WARP_H
#define WARPSTEP_WARP_H

#include "mem.h"
#include "regfile.h"
#include "stack.h"

struct block;

struct warp {
    struct block *block; /* NULL: the slot is free */
    uint8_t sm, slot;
    uint8_t index; /* warp in its block */
    enum retire_state state;
    uint8_t barrier; /* barrier id, in state RETIRE_BARRIER */
    uint32_t pc;     /* byte address of the next instruction */
    uint32_t active, alive;
    uint32_t parked_call, parked_break;
    uint64_t steps; /* instructions executed */
    uint32_t jumps; /* number of branches taken backwards */
    bool touched;   /* stores, waits or reads of the clock, and */
    bool loaded;    /* loads of shared data, since the last look of ../watch/ */
    struct stack stack;
    struct regfile file;
    struct mem local[WARP_LANES]; /* each thread's local memory */
};

/* Rule 1, 4, 7: pushes (token, active, pc of the entry). The stack must have room. */
void warp_push(struct warp *warp, enum model_token token, uint32_t pc);

/* Rule 2, BRA: `taken` (within active) goes to target, the rest to `next`. A mixed branch needs room on the stack. */
void warp_branch(struct warp *warp, uint32_t taken, uint32_t target, uint32_t next);

/* Rule 3, marker JOIN: called after the instruction, pops the stack. The top must not be CALL or BREAK. With an empty
 * stack all live threads continue. */
void warp_join(struct warp *warp, uint32_t next);

/* Rule 4, RET: `leaving` waits on the nearest CALL, or exits if there is none. */
void warp_return(struct warp *warp, uint32_t leaving, uint32_t next);

/* Rule 7, BRK: `leaving` waits on the nearest BREAK, which must exist. */
void warp_break(struct warp *warp, uint32_t leaving, uint32_t next);

/* Rule 5, END: the active threads exit. */
void warp_exit(struct warp *warp);

#endif
