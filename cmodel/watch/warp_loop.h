/* SPDX-License-Identifier: Apache-2.0 */
/* Detects a warp that repeats itself: its state equals an earlier one, and in between it has changed only itself and
 * read nothing that others change, so that it never ends. If it has read global or shared memory, it repeats itself
 * until another warp stores.
 *
 * Brent's algorithm: the state of a warp is compared with a copy of itself, and the copy is renewed after 1, 2, 4, ...
 * comparisons. Only each WATCH_JUMPSth backward branch compares, which is enough because the states at these branches
 * repeat, too; so loops that end cost little. A store of the present value changes nothing. A loop that is found is
 * endless under any order of the warps. Loops that count or change memory are not found, nor are those that wait at
 * barriers or jump back by other instructions than BRA. */
#ifndef WARPSTEP_WARP_LOOP_H
#define WARPSTEP_WARP_LOOP_H

#include "../core/state.h"

/* State of the detector for a warp slot. */
struct warp_loop {
    bool valid;      /* the copy is valid */
    bool found;      /* the last comparison found the state of the copy */
    uint64_t stores; /* the machine's stores at the time of the copy */
    uint64_t adopted;
    uint32_t age, span; /* comparisons since the last copy, and until the next one */
    uint32_t pc, active, alive, parked_call, parked_break;
    unsigned depth;
    struct model_stack_entry stack[MODEL_SAVED_STACK];
    struct regfile file;
};

/* Compares the warp with the copy, or copies it. `stores`: instructions that have changed memory so far. */
void warp_loop_look(struct warp_loop *loop, const struct model *m, struct warp *warp, uint64_t stores);

/* True if the warp repeats itself in the present state. */
bool warp_loop_holds(const struct warp_loop *loop, const struct model *m, const struct warp *warp, uint64_t stores);

#endif
