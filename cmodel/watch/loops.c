/* SPDX-License-Identifier: Apache-2.0 */
/* See loops.h. */
#include "loops.h"

#include <stdlib.h>

#include "../core/step.h"
#include "../turns.h"
#include "machine_loop.h"
#include "warp_loop.h"

struct loops {
    uint64_t stores;              /* instructions that changed memory */
    struct machine_loop *machine; /* NULL: not used yet */
    uint64_t *turns;              /* by word of the code; NULL: none counted */
    struct warp_loop warp[];      /* of each warp slot, SM by SM */
};

static struct warp_loop *loop_of(const struct grid *grid, const struct warp *warp) {
    return &grid->watch.loops->warp[(size_t)warp->sm * grid->machine.warps + warp->slot];
}

static void placed(struct grid *grid, const struct warp *warp) { loop_of(grid, warp)->valid = false; }

bool loops_hold(const struct model *m, const struct warp *warp) {
    return warp_loop_holds(loop_of(&m->grid, warp), m, warp, m->grid.watch.loops->stores);
}

/* Nothing will change any more: every ready warp loops for ever, and no other can come. */
static bool is_hung(const struct model *m) {
    const struct grid *grid = &m->grid;
    uint64_t placed_blocks = grid->finished_blocks;
    bool room = false;
    for (unsigned i = 0; i < grid->machine.sms; i++) {
        room = room || sched_has_room(grid, i);
        for (unsigned b = 0; b < grid->machine.blocks; b++) {
            const struct block *block = &grid->sms[i].blocks[b];
            placed_blocks += block->present;
            for (unsigned n = 0; block->present && n < grid->shape.warps; n++) {
                const struct warp *w = block->warp[n];
                if (w == NULL || (w->state == RETIRE_READY && !loops_hold(m, w))) return false;
            }
        }
    }
    return placed_blocks == grid->blocks || !room;
}

/* Out of memory only the report lacks them. */
static void count_turns(struct loops *loops, const struct model *m, const struct warp *warp) {
    if (loops->turns == NULL) loops->turns = calloc(m->code.word_count + 1, sizeof *loops->turns);
    if (loops->turns != NULL && warp->pc / 4 < m->code.word_count) loops->turns[warp->pc / 4] += WATCH_JUMPS;
}

/* Inserts at the place by its count; the last one falls out where there is no room. */
static size_t insert(struct model_turns *most, size_t count, size_t room, struct model_turns one) {
    size_t at = count;
    while (at > 0 && most[at - 1].count < one.count) at--;
    if (at == room) return count;
    if (count == room) count--;
    memmove(&most[at + 1], &most[at], (count - at) * sizeof *most);
    most[at] = one;
    return count + 1;
}

size_t model_turns(const struct model *m, struct model_turns *most, size_t room) {
    const uint64_t *turns = m->grid.watch.loops->turns;
    size_t count = 0;
    for (uint32_t word = 0; turns != NULL && word < m->code.word_count; word++)
        if (turns[word] > 0) count = insert(most, count, room, (struct model_turns){4 * word, turns[word]});
    return count;
}

static void jumped(struct model *m, struct warp *warp) {
    struct loops *loops = m->grid.watch.loops;
    count_turns(loops, m, warp);
    warp_loop_look(loop_of(&m->grid, warp), m, warp, loops->stores);
    if (loops_hold(m, warp)) m->hung = is_hung(m);
    if (m->mode == MODE_OWN && !m->hung) m->hung = machine_loop_look(&loops->machine, m, warp);
}

/* Compares the words to be stored with memory; false if some of it is undefined. */
static bool look_at_memory(const struct step *s, uint32_t held[RETIRE_WORDS][WARP_LANES]) {
    bool defined = true;
    memset(held, 0, s->d->words * sizeof held[0]);
    for (uint32_t left = s->mem_mask; left != 0; left = lanes_rest(left)) {
        const unsigned lane = lanes_first(left), bytes = step_word_bytes(s);
        const struct mem *mem = step_memory(s->m, s->warp, s->d->mem_kind, lane);
        for (unsigned word = 0; word < s->d->words; word++) {
            defined = defined && mem_is_defined(mem, s->addr[lane] + 4 * word, bytes);
            held[word][lane] = mem_load(mem, s->addr[lane] + 4 * word, bytes);
        }
    }
    return defined;
}

/* Checks for a change of memory only if the warp itself has not changed it since warp_loop_look. */
static void stores(struct step *s, void (*store)(struct step *s)) {
    uint32_t before[RETIRE_WORDS][WARP_LANES], after[RETIRE_WORDS][WARP_LANES];
    const bool defined = !s->warp->touched && look_at_memory(s, before);
    store(s);
    if (defined) look_at_memory(s, after);
    if (defined && memcmp(before, after, s->d->words * sizeof before[0]) == 0) return;
    s->m->grid.watch.loops->stores++;
    s->warp->touched = true;
}

void model_forget_loops(struct model *m) {
    const struct machine *machine = &m->grid.machine;
    m->hung = false;
    for (size_t i = 0; i < (size_t)machine->sms * machine->warps; i++) m->grid.watch.loops->warp[i].valid = false;
}

bool loops_create(struct model *m) {
    const struct machine *machine = &m->grid.machine;
    struct watch *watch = &m->grid.watch;
    watch->loops = calloc(1, sizeof *watch->loops + (size_t)machine->sms * machine->warps * sizeof *watch->loops->warp);
    watch->placed = placed;
    watch->jumped = jumped;
    watch->stores = stores;
    return watch->loops != NULL;
}

void loops_reset(struct model *m) {
    struct loops *loops = m->grid.watch.loops;
    m->hung = false;
    loops->stores = 0;
    free(loops->turns);
    loops->turns = NULL;
    machine_loop_destroy(loops->machine);
    loops->machine = NULL;
}

void loops_destroy(struct model *m) {
    struct watch *watch = &m->grid.watch;
    if (watch->loops != NULL) {
        machine_loop_destroy(watch->loops->machine);
        free(watch->loops->turns);
    }
    free(watch->loops);
    watch->loops = NULL;
}
