/* SPDX-License-Identifier: Apache-2.0 */
/* A warp that repeats itself: its state is what it was some time before, and in between it has changed nothing but
 * itself and asked nothing that others change, so that it goes on so for ever. Where it has read global or shared
 * memory it does so until somebody stores.
 *
 * After Brent: the state of a warp is compared with a copy of itself, and the copy is renewed after 1, 2, 4, ...
 * comparisons; only each WATCH_JUMPSth branch back compares, which is enough, as the states at these repeat themselves
 * too. So no loop that counts pays for it. A store of what is there already changes nothing. What is found is sound, in
 * whatever order warps run; loops that count or change memory are not found, nor those that wait at barriers or go back
 * by other instructions than BRA. */
#ifndef WARPSTEP_WARP_LOOP_H
#define WARPSTEP_WARP_LOOP_H

#include "../core/state.h"

/* What is known of a warp slot. */
struct warp_loop {
    bool valid;      /* there is a copy */
    bool found;      /* the state was that of the copy at the last comparison */
    uint64_t stores; /* of the machine, when it was copied */
    uint64_t adopted;
    uint32_t age, span; /* comparisons since, and until the next copy */
    uint32_t pc, active, alive, parked_call, parked_break;
    unsigned depth;
    struct model_stack_entry stack[MODEL_SAVED_STACK];
    struct regfile file;
};

/* Compares the warp with the copy, or copies it. `stores`: instructions that have changed memory so far. */
void warp_loop_look(struct warp_loop *loop, const struct model *m, struct warp *warp, uint64_t stores);

/* Does the warp repeat itself as things are? */
bool warp_loop_holds(const struct warp_loop *loop, const struct model *m, const struct warp *warp, uint64_t stores);

#endif
