/* SPDX-License-Identifier: Apache-2.0 */
/* One warp: 32 threads that share a program counter and a stack. Divergence, reconvergence, calls, loops and exit
 * change only what is here. Source: docs/isa.md 6.1, whose rules are quoted by number in warp.c.
 *
 *     active   threads that execute the next instruction
 *     alive    threads that have not exited
 *     parked   threads that left by RET (wait on the nearest CALL entry) or BRK (on the nearest BREAK entry)
 *
 * Two masks of parked threads, not one: a thread that returns from inside a loop of the called function must stay
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
    uint8_t barrier; /* id waited for, when state is RETIRE_BARRIER */
    uint32_t pc;     /* byte address of the next instruction */
    uint32_t active, alive;
    uint32_t parked_call, parked_break;
    uint32_t jumps; /* branches back that were taken */
    bool touched;   /* it has stored, waited or read the clock, and it has */
    bool loaded;    /* loaded what others may store, since repeat.c last looked */
    struct stack stack;
    struct regfile file;
    struct mem local[WARP_LANES]; /* each thread's local memory */
};

/* Rule 1, 4, 7: pushes (token, active, pc of the entry). The stack must have room. */
void warp_push(struct warp *warp, enum model_token token, uint32_t pc);

/* Rule 2, BRA: `taken` (within active) goes to target, the rest to `next`. A mixed branch needs room on the stack. */
void warp_branch(struct warp *warp, uint32_t taken, uint32_t target, uint32_t next);

/* Rule 3, marker JOIN: the instruction was executed, now pop. The top must not be CALL or BREAK. On an empty stack all
 * threads that are alive go on. */
void warp_join(struct warp *warp, uint32_t next);

/* Rule 4, RET: `leaving` waits on the CALL below, or exits where there is none. */
void warp_return(struct warp *warp, uint32_t leaving, uint32_t next);

/* Rule 7, BRK: `leaving` waits on the BREAK below, which must exist. */
void warp_break(struct warp *warp, uint32_t leaving, uint32_t next);

/* Rule 5, END: the active threads exit. */
void warp_exit(struct warp *warp);

#endif
