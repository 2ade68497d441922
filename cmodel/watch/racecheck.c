/* SPDX-License-Identifier: Apache-2.0 */
/* See racecheck.h. */
#include "racecheck.h"

#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/grow.h"
#include "../core/step.h"

enum { WORD = 4 };

/* The accesses of one warp up to an instruction. */
struct known {
    uint64_t warp, before;
};

/* The accesses that are ordered before, by warp. `owner` identifies the block or warp, so that leftovers of an earlier
 * one are not taken for its own. */
struct knowledge {
    uint64_t owner;
    struct known *known;
    size_t count, capacity;
};

/* An access that a later one may race with. */
struct access {
    uint64_t warp, time;
    uint32_t pc;
    uint32_t value;     /* stored value, else 0 */
    uint8_t lane, kind; /* enum model_access_kind */
    uint8_t bytes;      /* bit i: byte i of the word */
};

struct word {
    struct access *access;
    size_t count, capacity;
};

/* A word of global memory: its accesses, and the knowledge that atomic operations on it pass on. */
struct place {
    struct knowledge atomic;
    struct word word;
};

enum { PLACES = 1024 /* words of a page */ };
struct places {
    struct place *place; /* NULL: not accessed yet */
};

struct races {
    const struct grid *grid;
    const uint64_t *now;
    size_t warp_slots, block_slots, shared_words, global_pages;
    struct knowledge *warp;    /* one for each warp slot */
    struct knowledge *barrier; /* SCHED_BARRIERS for each block slot */
    struct word *shared;       /* shared_words for each block slot */
    struct places *global;     /* pages of PLACES words */
    struct model_race *races;
    size_t count, capacity;
    bool failed;
};

/* ----------------------------------------------------------------------------------------------------------- places */

static size_t block_slot_of(const struct races *r, const struct warp *warp) {
    return (size_t)warp->sm * r->grid->machine.blocks + (size_t)(warp->block - r->grid->sms[warp->sm].blocks);
}

/* Numbers in the grid, from 1. */
static uint64_t block_number(const struct races *r, const struct warp *warp) {
    return (uint64_t)warp->block->y * r->grid->shape.grid_x + warp->block->x + 1;
}

static uint64_t warp_number(const struct races *r, const struct warp *warp) {
    return block_number(r, warp) * SCHED_MAX_WARPS + warp->index;
}

/* -------------------------------------------------------------------------------------------------------- knowledge */

static struct knowledge *owned(struct knowledge *k, uint64_t owner) {
    if (k->owner != owner) k->count = 0;
    k->owner = owner;
    return k;
}

static struct knowledge *of_warp(const struct races *r, const struct warp *warp) {
    return owned(&r->warp[(size_t)warp->sm * r->grid->machine.warps + warp->slot], warp_number(r, warp));
}

static struct knowledge *of_barrier(const struct races *r, const struct warp *warp, unsigned barrier) {
    return owned(&r->barrier[block_slot_of(r, warp) * SCHED_BARRIERS + barrier], block_number(r, warp));
}

/* The index of the warp, or the index to insert it at. */
static size_t find(const struct knowledge *k, uint64_t warp) {
    size_t low = 0, high = k->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (k->known[middle].warp < warp)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void learn_one(struct races *r, struct knowledge *k, struct known more) {
    const size_t i = find(k, more.warp);
    if (i < k->count && k->known[i].warp == more.warp) {
        if (more.before > k->known[i].before) k->known[i].before = more.before;
        return;
    }
    struct known *grown = grow_array(k->known, k->count, &k->capacity, sizeof *grown);
    if (grown == NULL) {
        r->failed = true;
        return;
    }
    k->known = grown;
    memmove(&grown[i + 1], &grown[i], (k->count++ - i) * sizeof *grown);
    grown[i] = more;
}

static void learn(struct races *r, struct knowledge *k, const struct knowledge *more) {
    for (size_t i = 0; i < more->count; i++) learn_one(r, k, more->known[i]);
}

/* Passes on the knowledge of the warp, and its own accesses, including this instruction. */
static void tell(struct races *r, const struct warp *warp, struct knowledge *k) {
    learn(r, k, of_warp(r, warp));
    learn_one(r, k, (struct known){warp_number(r, warp), *r->now + 1});
}

/* A barrier keeps the knowledge from before its last release: its sources arrive again, or have passed on all. */
static void arrived(struct grid *grid, const struct warp *warp, unsigned barrier) {
    struct races *r = grid->watch.races;
    tell(r, warp, of_barrier(r, warp, barrier));
}

static void left(struct grid *grid, const struct warp *warp, unsigned barrier) {
    struct races *r = grid->watch.races;
    learn(r, of_warp(r, warp), of_barrier(r, warp, barrier));
}

/* ------------------------------------------------------------------------------------------------------------ races */

static struct model_racer describe(const struct races *r, const struct access *a) {
    const uint64_t block = a->warp / SCHED_MAX_WARPS - 1;
    return (struct model_racer){
        .kind = (enum model_access_kind)a->kind,
        .pc = a->pc,
        .block_x = (uint16_t)(block % r->grid->shape.grid_x),
        .block_y = (uint16_t)(block / r->grid->shape.grid_x),
        .warp = (uint8_t)(a->warp % SCHED_MAX_WARPS),
        .lane = a->lane,
    };
}

static bool is_same_pair(const struct model_race *race, const struct model_race *other) {
    const uint32_t a = race->first.pc, b = race->second.pc, c = other->first.pc, d = other->second.pc;
    return race->lanes == other->lanes && ((a == c && b == d) || (a == d && b == c));
}

static void report(struct races *r, const struct access *first, const struct access *second, bool shared,
                   uint32_t word) {
    const unsigned byte = (unsigned)__builtin_ctz(first->bytes & second->bytes);
    const struct model_race race = {
        .first = describe(r, first),
        .second = describe(r, second),
        .shared = shared,
        .lanes = first->warp == second->warp,
        .addr = word * WORD + byte,
        .count = 1,
    };
    for (size_t i = 0; i < r->count; i++) {
        if (!is_same_pair(&r->races[i], &race)) continue;
        r->races[i].count++;
        return;
    }
    struct model_race *grown = grow_array(r->races, r->count, &r->capacity, sizeof *grown);
    if (grown == NULL) {
        r->failed = true;
        return;
    }
    r->races = grown;
    r->races[r->count++] = race;
}

static bool is_ordered(const struct access *before, const struct access *now, const struct knowledge *k) {
    const size_t i = find(k, before->warp);
    return before->warp == now->warp ||
           (i < k->count && k->known[i].warp == before->warp && before->time < k->known[i].before);
}

/* Atomic operations on one word are ordered. */
static bool may_race(const struct access *a, const struct access *b) {
    return a->kind != MODEL_LOAD || b->kind != MODEL_LOAD;
}

/* Lanes of one store with different values; where they overlap they store the same bytes. */
static bool lanes_race(const struct access *a, const struct access *b) {
    return a->warp == b->warp && a->time == b->time && a->value != b->value;
}

/* Another lane has loaded the same bytes by this instruction. */
static bool is_known(const struct word *word, const struct access *now) {
    if (word->count == 0 || now->kind != MODEL_LOAD) return false;
    const struct access *last = &word->access[word->count - 1];
    return last->kind == MODEL_LOAD && last->warp == now->warp && last->time == now->time && last->bytes == now->bytes;
}

/* Earlier accesses of the word that are ordered before this one need not be kept if every access that races with them
 * races with this one, too: if this one is a store, or both are loads. */
static void note(struct races *r, struct word *word, uint32_t index, bool shared, const struct access *now,
                 const struct knowledge *k) {
    size_t kept = 0;
    if (is_known(word, now)) return;
    for (size_t i = 0; i < word->count; i++) {
        struct access *before = &word->access[i];
        if (shared && before->warp / SCHED_MAX_WARPS != now->warp / SCHED_MAX_WARPS) continue; /* of an earlier block */
        const bool ordered = is_ordered(before, now, k);
        if ((before->bytes & now->bytes) != 0 && (ordered ? lanes_race(before, now) : may_race(before, now)))
            report(r, before, now, shared, index);
        if (ordered && (now->kind != MODEL_LOAD || before->kind == MODEL_LOAD)) before->bytes &= (uint8_t)~now->bytes;
        if (before->bytes != 0) word->access[kept++] = *before;
    }
    word->count = kept;
    struct access *grown = grow_array(word->access, word->count, &word->capacity, sizeof *grown);
    if (grown == NULL) {
        r->failed = true;
        return;
    }
    word->access = grown;
    word->access[word->count++] = *now;
}

/* NULL, which is noted, if out of memory. */
static struct place *place_at(struct races *r, uint32_t index) {
    struct places *page = &r->global[index / PLACES];
    if (page->place == NULL) page->place = calloc(PLACES, sizeof *page->place);
    r->failed = r->failed || page->place == NULL;
    return page->place != NULL ? &page->place[index % PLACES] : NULL;
}

static void access_word(struct races *r, const struct step *s, struct access *now, bool shared, uint32_t addr,
                        unsigned bytes) {
    const uint32_t index = addr / WORD;
    struct place *place = shared ? NULL : place_at(r, index);
    if (!shared && place == NULL) return;
    struct word *word = shared ? &r->shared[block_slot_of(r, s->warp) * r->shared_words + index] : &place->word;
    now->bytes = (uint8_t)(((1u << bytes) - 1) << addr % WORD);
    note(r, word, index, shared, now, of_warp(r, s->warp));
}

static struct access access_of(const struct races *r, const struct step *s, unsigned lane,
                               enum model_access_kind kind) {
    return (struct access){
        .warp = warp_number(r, s->warp),
        .time = *r->now,
        .pc = s->pc,
        .lane = (uint8_t)lane,
        .kind = (uint8_t)kind,
    };
}

static void operand(const struct step *s, unsigned lane, uint32_t addr, unsigned bytes) {
    struct races *r = s->m->grid.watch.races;
    struct access now = access_of(r, s, lane, MODEL_LOAD);
    access_word(r, s, &now, true, addr, bytes);
}

static void access_lane(struct races *r, const struct step *s, unsigned lane, enum model_access_kind kind) {
    const unsigned bytes = s->d->words > 1 ? WORD : s->d->mem_bytes;
    for (unsigned word = 0; word < s->d->words; word++) {
        struct access now = access_of(r, s, lane, kind);
        if (kind == MODEL_STORE) now.value = word == 0 ? s->data[lane] : s->rest[word - 1][lane];
        access_word(r, s, &now, s->d->mem_kind == RETIRE_MEM_SHARED_STORE, s->addr[lane] + WORD * word, bytes);
    }
}

static void access_atomic(struct races *r, const struct step *s, unsigned lane) {
    struct place *place = place_at(r, s->addr[lane] / WORD);
    if (place == NULL) return;
    learn(r, of_warp(r, s->warp), &place->atomic);
    access_lane(r, s, lane, MODEL_ATOMIC);
    tell(r, s->warp, &place->atomic);
}

static void access_memory(const struct step *s) {
    struct races *r = s->m->grid.watch.races;
    for (uint32_t left = s->mem_mask; left != 0; left = lanes_rest(left)) {
        switch (s->d->mem_kind) {
        case RETIRE_MEM_GLOBAL_LOAD: access_lane(r, s, lanes_first(left), MODEL_LOAD); break;
        case RETIRE_MEM_GLOBAL_STORE:
        case RETIRE_MEM_SHARED_STORE: access_lane(r, s, lanes_first(left), MODEL_STORE); break;
        case RETIRE_MEM_GLOBAL_ATOMIC: access_atomic(r, s, lanes_first(left)); break;
        default: return;
        }
    }
}

/* -------------------------------------------------------------------------------------------------- create, destroy */

static bool allocate(struct races *r) {
    r->warp = calloc(r->warp_slots, sizeof *r->warp);
    r->barrier = calloc(r->block_slots * SCHED_BARRIERS, sizeof *r->barrier);
    r->shared = calloc(r->block_slots * r->shared_words, sizeof *r->shared);
    r->global = calloc(r->global_pages, sizeof *r->global);
    return r->warp != NULL && r->barrier != NULL && r->shared != NULL && r->global != NULL;
}

static void free_knowledge(struct knowledge *k, size_t count) {
    for (size_t i = 0; k != NULL && i < count; i++) free(k[i].known);
    free(k);
}

static void free_words(struct word *words, size_t count) {
    for (size_t i = 0; words != NULL && i < count; i++) free(words[i].access);
    free(words);
}

static void free_places(struct places *pages, size_t count) {
    for (size_t i = 0; pages != NULL && i < count; i++) {
        struct place *place = pages[i].place;
        for (size_t k = 0; place != NULL && k < PLACES; k++) {
            free(place[k].atomic.known);
            free(place[k].word.access);
        }
        free(place);
    }
    free(pages);
}

static void destroy(struct races *r) {
    free_knowledge(r->warp, r->warp_slots);
    free_knowledge(r->barrier, r->block_slots * SCHED_BARRIERS);
    free_words(r->shared, r->block_slots * r->shared_words);
    free_places(r->global, r->global_pages);
    free(r->races);
    free(r);
}

static struct races *create(const struct grid *grid, const uint64_t *now) {
    const struct machine *machine = &grid->machine;
    struct races *r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    r->grid = grid;
    r->now = now;
    r->warp_slots = (size_t)machine->sms * machine->warps;
    r->block_slots = (size_t)machine->sms * machine->blocks;
    r->shared_words = grid->shape.shared_bytes / WORD + 1;
    r->global_pages = machine->global_bytes / WORD / PLACES + 1;
    if (allocate(r)) return r;
    destroy(r);
    return NULL;
}

bool racecheck_begin(struct grid *grid, const uint64_t *now) {
    struct watch *watch = &grid->watch;
    racecheck_end(grid);
    watch->races = create(grid, now);
    if (watch->races == NULL) return false;
    watch->operand = operand;
    watch->access = access_memory;
    watch->arrived = arrived;
    watch->left = left;
    return true;
}

void racecheck_end(struct grid *grid) {
    struct watch *watch = &grid->watch;
    if (watch->races == NULL) return;
    destroy(watch->races);
    watch->races = NULL;
    watch->operand = NULL;
    watch->access = NULL;
    watch->arrived = watch->left = NULL;
}

const struct model_race *racecheck_races(const struct grid *grid, size_t *count) {
    const struct races *r = grid->watch.races;
    *count = r != NULL ? r->count : 0;
    return r != NULL ? r->races : NULL;
}

bool racecheck_failed(const struct grid *grid) { return grid->watch.races != NULL && grid->watch.races->failed; }
