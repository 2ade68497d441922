/* SPDX-License-Identifier: Apache-2.0 */
/* See ../bounds.h. */
#include "bounds.h"

#include <stdlib.h>
#include <string.h>

#include "../core/step.h"

struct bounds {
    void (*next)(const struct step *s); /* the callback behind this one; may be NULL */
    struct model_piece *pieces;         /* by address; they neither overlap nor touch */
    size_t piece_count;
    uint32_t *number; /* of each word of the code: its stray + 1, or 0 */
    struct model_stray *strays;
    size_t stray_count;
};

/* True if one piece has all of these bytes. */
static bool is_inside(const struct bounds *b, uint64_t addr, uint64_t bytes) {
    size_t low = 0, high = b->piece_count; /* pieces before `low` begin at addr or before it */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (b->pieces[middle].addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return false;
    const struct model_piece *p = &b->pieces[low - 1];
    return addr + bytes <= (uint64_t)p->addr + p->bytes;
}

static enum model_access_kind kind_of(const struct step *s) {
    return s->d->mem_kind == RETIRE_MEM_GLOBAL_LOAD    ? MODEL_LOAD
           : s->d->mem_kind == RETIRE_MEM_GLOBAL_STORE ? MODEL_STORE
                                                       : MODEL_ATOMIC;
}

static void note(struct bounds *b, const struct step *s, unsigned lane) {
    uint32_t *number = &b->number[s->pc / 4];
    if (*number == 0) {
        b->strays[b->stray_count] = (struct model_stray){
            .by = {kind_of(s), s->pc, s->warp->block->x, s->warp->block->y, s->warp->index, (uint8_t)lane},
            .addr = s->addr[lane],
            .bytes = s->d->mem_bytes
        };
        *number = (uint32_t)++b->stray_count;
    }
    b->strays[*number - 1].count++;
}

static void access_memory(const struct step *s) {
    struct bounds *b = s->m->grid.watch.bounds;
    const unsigned kind = s->d->mem_kind;
    if (b->next != NULL) b->next(s);
    if (kind != RETIRE_MEM_GLOBAL_LOAD && kind != RETIRE_MEM_GLOBAL_STORE && kind != RETIRE_MEM_GLOBAL_ATOMIC) return;
    for (uint32_t left = s->mem_mask; left != 0; left = lanes_rest(left)) {
        const unsigned lane = lanes_first(left);
        if (!is_inside(b, s->addr[lane], s->d->mem_bytes)) note(b, s, lane);
    }
}

static int by_address(const void *one, const void *other) {
    const struct model_piece *a = one, *b = other;
    return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* Sorts the pieces and joins those that overlap or touch. */
static void join(struct bounds *b) {
    size_t kept = 0;
    qsort(b->pieces, b->piece_count, sizeof *b->pieces, by_address);
    for (size_t i = 0; i < b->piece_count; i++) {
        const struct model_piece p = b->pieces[i];
        struct model_piece *last = kept > 0 ? &b->pieces[kept - 1] : NULL;
        if (last == NULL || (uint64_t)last->addr + last->bytes < p.addr)
            b->pieces[kept++] = p;
        else if ((uint64_t)p.addr + p.bytes > (uint64_t)last->addr + last->bytes)
            last->bytes = p.addr + p.bytes - last->addr;
    }
    b->piece_count = kept;
}

static void destroy(struct bounds *b) {
    free(b->pieces);
    free(b->number);
    free(b->strays);
    free(b);
}

bool model_check_bounds(struct model *m, const struct model_piece *pieces, size_t count) {
    struct watch *watch = &m->grid.watch;
    const size_t words = m->code.word_count + 1;
    bounds_end(&m->grid);
    struct bounds *b = calloc(1, sizeof *b);
    if (b == NULL) return false;
    b->pieces = calloc(count + 1, sizeof *b->pieces);
    b->number = calloc(words, sizeof *b->number);
    b->strays = calloc(words, sizeof *b->strays);
    if (b->pieces == NULL || b->number == NULL || b->strays == NULL) {
        destroy(b);
        return false;
    }
    if (count > 0) memcpy(b->pieces, pieces, count * sizeof *pieces);
    b->piece_count = count;
    join(b);
    b->next = watch->access;
    watch->access = access_memory;
    watch->bounds = b;
    return true;
}

void bounds_end(struct grid *grid) {
    struct watch *watch = &grid->watch;
    if (watch->bounds == NULL) return;
    watch->access = watch->bounds->next;
    destroy(watch->bounds);
    watch->bounds = NULL;
}

size_t model_stray_count(const struct model *m) {
    const struct bounds *b = m->grid.watch.bounds;
    return b != NULL ? b->stray_count : 0;
}

const struct model_stray *model_stray_at(const struct model *m, size_t i) { return &m->grid.watch.bounds->strays[i]; }
