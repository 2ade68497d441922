/* SPDX-License-Identifier: Apache-2.0 */
#include "stack_watch.h"

#include <string.h>

/* The stage in which rows begin, as named in sim_api.stages. */
#define ROWS "ROWS "

bool stack_watch_can(const struct sim_api *api) {
    return api->version >= SIM_API_LOOK && api->entry != NULL && api->stages != NULL &&
           strstr(api->stages, ROWS) != NULL;
}

/* Its number, and that of the last stage. */
static unsigned stage_of_rows(const char *stages) {
    unsigned number = 0;
    for (const char *s = stages; strncmp(s, ROWS, strlen(ROWS)) != 0; s++) number += s[0] == ' ';
    return number;
}

static unsigned last_stage(const char *stages) {
    unsigned number = 0;
    for (const char *s = stages; *s != 0; s++) number += s[0] == ' ' && s[1] != 0;
    return number;
}

static void read_stack(const struct stack_watch *w, struct sim *s, struct stack_watch_stack *stack) {
    for (unsigned i = 0; i < STACK_WATCH_ENTRIES; i++) w->api->entry(s, w->sm, w->slot, i, &stack->entry[i]);
}

/* The warp's next instruction enters ROWS. */
static void enter(struct stack_watch *w, struct sim *s, uint32_t pc) {
    for (unsigned i = 0; i < w->count; i++) {
        if (!w->under_way[i].ended) read_stack(w, s, &w->under_way[i].after);
        w->under_way[i].ended = true;
    }
    if (pc != w->pc || w->count == STACK_WATCH_MOST) return;
    w->under_way[w->count].ended = false;
    read_stack(w, s, &w->under_way[w->count++].before);
}

static void leave(struct stack_watch *w, struct sim *s, uint64_t cycle) {
    if (w->count == 0) return;
    if (cycle == w->cycle) {
        w->found = true;
        w->before = w->under_way[0].before;
        w->after = w->under_way[0].after;
        if (!w->under_way[0].ended) read_stack(w, s, &w->after);
    }
    w->count--;
    memmove(&w->under_way[0], &w->under_way[1], w->count * sizeof w->under_way[0]);
}

void stack_watch_look(void *watch, struct sim *s, const struct sim_look *look) {
    struct stack_watch *w = watch;
    if (look->launch != w->launch || look->sm != w->sm || w->found) return;
    const struct sim_stage *first = &look->stage[stage_of_rows(w->api->stages)];
    const struct sim_stage *last = &look->stage[last_stage(w->api->stages)];
    const bool enters = first->valid && first->slot == w->slot && first->row == 0;
    if (enters && !w->in_stage) enter(w, s, first->pc);
    w->in_stage = enters;
    if (last->valid && last->last && last->slot == w->slot && last->pc == w->pc) leave(w, s, look->cycle);
}
