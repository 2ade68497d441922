/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of a warp's stack in the RTL before and after one instruction, which records lack: when it enters stage
 * ROWS, and when the warp's next one does, or at retirement. The branch unit changes the stack in between.
 *
 *     struct stack_watch w = {.api = api, .sm = r.sm, .slot = r.slot, .pc = r.pc, .cycle = r.cycle, .launch = 1};
 *     sim_options.look = stack_watch_look; sim_options.looker = &w;
 *     ... the same run once more, up to that cycle ...
 *     if (w.found) print(w.before, w.after);
 */
#ifndef WARPSTEP_STACK_WATCH_H
#define WARPSTEP_STACK_WATCH_H

#include "../port/sim.h"

/* Maximum of one warp's instructions with the same pc in the pipeline at a time: a loop cannot be shorter than a
 * branch. */
enum { STACK_WATCH_ENTRIES = 64, STACK_WATCH_MOST = 4 };

struct stack_watch_stack {
    struct sim_stack_entry entry[STACK_WATCH_ENTRIES]; /* 0 is the bottom; the record gives the number of valid
                                                        * entries */
};

struct stack_watch {
    const struct sim_api *api;
    unsigned launch, sm, slot; /* whose */
    uint32_t pc;
    uint64_t cycle; /* cycle of its record */
    bool found;
    struct stack_watch_stack before, after;
    /* Its own instructions: those that have entered ROWS and not retired. */
    unsigned count;
    bool in_stage; /* it is in ROWS since the last cycle */
    struct {
        bool ended;
        struct stack_watch_stack before, after;
    } under_way[STACK_WATCH_MOST];
};

/* False if the simulation does not offer stacks. */
bool stack_watch_can(const struct sim_api *api);

/* Callback for sim_options.look. */
void stack_watch_look(void *watch, struct sim *s, const struct sim_look *look);

#endif
