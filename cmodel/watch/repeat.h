/* SPDX-License-Identifier: Apache-2.0 */
/* Loops without an end: a warp whose state is what it was some time before, and which in between has changed nothing
 * but itself and asked nothing that others change, goes on so for ever. Where it has read global or shared memory it
 * does so until somebody stores.
 *
 *     if (target <= pc) repeat_jump(m, warp);      // a branch back was taken
 *
 * After Brent: the state of a warp is compared with a copy of itself, and the copy is renewed after 1, 2, 4, ...
 * comparisons; only each REPEAT_EVERYth branch back compares, which is enough, as the states at these repeat
 * themselves too. So no loop that counts pays for it. A store of what is there already changes nothing. What is found
 * is sound, in whatever order warps run; loops that count or change memory are not found, nor those that wait at
 * barriers or go back by other instructions than BRA. Where the model itself picks the warps, recur.h finds more. */
#ifndef WARPSTEP_REPEAT_H
#define WARPSTEP_REPEAT_H

#include "../core/warp.h"

enum { REPEAT_EVERY = 512 };

/* What is known of a warp slot. */
struct repeat {
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

void repeat_look(struct model *m, struct warp *warp);

static inline void repeat_jump(struct model *m, struct warp *warp) {
    if (++warp->jumps % REPEAT_EVERY == 0) repeat_look(m, warp);
}

/* Does the warp repeat itself as things are? */
bool repeat_holds(const struct model *m, const struct warp *warp);

#endif
