/* SPDX-License-Identifier: Apache-2.0 */
/* Divergence and reconvergence, see warp.h. "Rule" is a rule of docs/isa.md 6.1. */
#include "warp.h"

enum { JOIN_BYTES = 8 }; /* an instruction that carries the JOIN marker is long */

/* Rule 8: the threads of a mask that may run. */
static uint32_t runnable(const struct warp *warp, uint32_t mask) {
    return mask & warp->alive & ~(warp->parked_call | warp->parked_break);
}

/* Rule 6: pops until a thread is active; a warp with an empty stack has finished. */
static void resume(struct warp *warp) {
    while (warp->active == 0 && !stack_is_empty(&warp->stack)) {
        const struct model_stack_entry entry = stack_pop(&warp->stack);
        warp->pc = entry.pc;
        switch (entry.token) {
        case TOKEN_DIVERGE: break;
        case TOKEN_SYNC: warp->pc = entry.pc + JOIN_BYTES; break; /* they have executed the joining instruction */
        case TOKEN_CALL: warp->parked_call &= ~entry.mask; break;
        case TOKEN_BREAK: warp->parked_break &= ~entry.mask; break;
        }
        warp->active = runnable(warp, entry.mask);
    }
    if (warp->active == 0) {
        warp->alive = 0;
        warp->pc = 0;
        warp->state = RETIRE_FINISHED;
    }
}

void warp_push(struct warp *warp, enum model_token token, uint32_t pc) {
    stack_push(&warp->stack, token, warp->active, pc);
}

void warp_branch(struct warp *warp, uint32_t taken, uint32_t target, uint32_t next) {
    const uint32_t rest = warp->active & ~taken;
    if (taken == 0) {
        warp->pc = next;
        return;
    }
    if (rest != 0) stack_push(&warp->stack, TOKEN_DIVERGE, rest, next);
    warp->active = taken;
    warp->pc = target;
}

void warp_join(struct warp *warp, uint32_t next) {
    warp->pc = next;
    if (stack_is_empty(&warp->stack)) {
        warp->active = runnable(warp, UINT32_MAX);
        return;
    }
    const struct model_stack_entry entry = stack_pop(&warp->stack);
    warp->active = runnable(warp, entry.mask);
    if (entry.token == TOKEN_DIVERGE) warp->pc = entry.pc;
    resume(warp);
}

/* Removes `leaving` from the active mask; they are parked or have exited already. */
static void leave(struct warp *warp, uint32_t leaving, uint32_t next) {
    warp->pc = next;
    warp->active &= ~leaving;
    resume(warp);
}

void warp_return(struct warp *warp, uint32_t leaving, uint32_t next) {
    if (stack_has(&warp->stack, TOKEN_CALL))
        warp->parked_call |= leaving;
    else
        warp->alive &= ~leaving;
    leave(warp, leaving, next);
}

void warp_break(struct warp *warp, uint32_t leaving, uint32_t next) {
    warp->parked_break |= leaving;
    leave(warp, leaving, next);
}

void warp_exit(struct warp *warp) {
    warp->alive &= ~warp->active;
    warp->active = 0;
    resume(warp);
}
