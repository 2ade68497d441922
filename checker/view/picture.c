/* SPDX-License-Identifier: Apache-2.0 */
/* The slices of a trace, and their distribution over the columns of a picture; svg.c draws it. */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "grid.h"

struct piece {
    uint64_t from, to;
    uint32_t pc;
    uint16_t row; /* index in rows */
    uint8_t wait, lanes;
    bool first;
};

struct picture {
    struct timeline *timeline;
    struct piece *pieces;
    size_t count, room;
    uint16_t row_of[PICTURE_SMS][PICTURE_SLOTS]; /* + 1; 0: none */
    struct grid_row rows[GRID_ROWS_MAX];
    unsigned row_count;
};

struct picture *picture_create(void) {
    struct picture *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->timeline = timeline_create();
    if (p->timeline != NULL) return p;
    free(p);
    return NULL;
}

void picture_destroy(struct picture *p) {
    if (p == NULL) return;
    timeline_destroy(p->timeline);
    free(p->pieces);
    free(p);
}

static uint16_t find_row(struct picture *p, const struct retire *r) {
    const unsigned sm = (unsigned)r->sm % PICTURE_SMS, slot = r->slot % PICTURE_SLOTS;
    if (p->row_of[sm][slot] == 0) {
        p->rows[p->row_count] = (struct grid_row){.sm = sm, .slot = slot};
        p->row_of[sm][slot] = (uint16_t)++p->row_count;
    }
    return (uint16_t)(p->row_of[sm][slot] - 1);
}

bool picture_add(struct picture *p, const struct retire *r) {
    struct timeline_slice s;
    if (p->count == p->room) {
        const size_t room = p->room > 0 ? 2 * p->room : 1024;
        struct piece *pieces = realloc(p->pieces, room * sizeof *pieces);
        if (pieces == NULL) return false;
        p->pieces = pieces;
        p->room = room;
    }
    if (!timeline_add(p->timeline, r, &s)) return false;
    p->pieces[p->count++] = (struct piece){.from = s.from,
                                           .to = s.to,
                                           .pc = (uint32_t)r->pc,
                                           .row = find_row(p, r),
                                           .wait = (uint8_t)s.wait,
                                           .lanes = (uint8_t)__builtin_popcount(r->active),
                                           .first = s.first};
    return true;
}

/* -------------------------------------------------------------------------------- selection */

static struct picture_totals range_of(const struct picture *p, const struct picture_options *o) {
    struct picture_totals t = {.from = UINT64_MAX};
    for (size_t i = 0; i < p->count; i++) {
        if (p->pieces[i].from < t.from) t.from = p->pieces[i].from;
        if (p->pieces[i].to > t.to) t.to = p->pieces[i].to;
    }
    if (p->count == 0) t.from = 0;
    if (t.from < o->from) t.from = o->from;
    if (o->to != 0 && t.to > o->to) t.to = o->to;
    if (t.to <= t.from) t.to = t.from + 1;
    return t;
}

/* The part of a piece that is drawn; false: none. */
static bool cut(const struct piece *piece, const struct picture_totals *t, uint64_t *from, uint64_t *to) {
    *from = piece->from > t->from ? piece->from : t->from;
    *to = piece->to < t->to ? piece->to : t->to;
    return *from < *to;
}

struct picture_totals picture_measure(const struct picture *p, const struct picture_options *o) {
    struct picture_totals t = range_of(p, o);
    uint64_t from, to, all = 0, lanes = 0, time[TIMELINE_WAITS] = {0};
    for (size_t i = 0; i < p->count; i++) {
        if (!cut(&p->pieces[i], &t, &from, &to)) continue;
        t.records++;
        lanes += p->pieces[i].lanes;
        time[p->pieces[i].wait] += to - from;
        all += to - from;
    }
    if (t.records > 0) t.lanes = (double)lanes / (double)t.records;
    for (unsigned w = 0; w < TIMELINE_WAITS && all > 0; w++) t.share[w] = (double)time[w] / (double)all;
    return t;
}

static int by_place(const void *a, const void *b) {
    const struct grid_row *const *x = a, *const *y = b;
    const unsigned left = (*x)->sm * PICTURE_SLOTS + (*x)->slot, right = (*y)->sm * PICTURE_SLOTS + (*y)->slot;
    return left < right ? -1 : left > right;
}

/* Adds a piece to the cells that it touches, in each by the fraction that it fills. */
static void fill(struct grid *g, const struct grid_row *row, const struct piece *piece, double from, double to) {
    const double lanes = piece->lanes > 0 ? piece->lanes : WARP_LANES; /* a trace without masks */
    unsigned last = (unsigned)to;
    if (last >= GRID_COLUMNS) last = GRID_COLUMNS - 1;
    for (unsigned column = (unsigned)from; column <= last; column++) {
        struct grid_cell *cell = &g->cells[(size_t)row->place * GRID_COLUMNS + column];
        const double low = from > column ? from : column, high = to < column + 1 ? to : column + 1;
        if (high <= low) continue;
        cell->time[piece->wait] += high - low;
        cell->lanes += (high - low) * lanes;
    }
    if (piece->first && from < GRID_COLUMNS) g->cells[(size_t)row->place * GRID_COLUMNS + (unsigned)from].begins = true;
}

/* The time of the source lines within the selection. */
static bool rank_lines(const struct picture *p, struct lines *lines, struct grid *g) {
    uint64_t from, to;
    for (size_t i = 0; i < p->count; i++) {
        const struct piece *piece = &p->pieces[i];
        if (!cut(piece, &g->totals, &from, &to)) continue;
        if (!lines_add(lines, piece->pc, (enum timeline_wait)piece->wait, to - from)) return false;
    }
    return lines_rank(lines, &g->lines, &g->line_count);
}

bool picture_draw(const struct picture *p, const struct picture_options *o, FILE *out) {
    struct grid g = {.totals = picture_measure(p, o), .title = o->title, .row_count = p->row_count};
    struct grid_row *rows = malloc((p->row_count + 1) * sizeof *rows);
    g.rows = malloc((p->row_count + 1) * sizeof(struct grid_row *));
    g.cells = calloc((size_t)p->row_count * GRID_COLUMNS + 1, sizeof *g.cells);
    const bool has_lines = o->source != NULL && o->source->has_signature;
    struct lines *lines = has_lines ? lines_create(o->source) : NULL;
    bool room = rows != NULL && g.rows != NULL && g.cells != NULL;
    if (has_lines) room = room && lines != NULL && rank_lines(p, lines, &g);
    if (room) {
        const double scale = GRID_COLUMNS / (double)(g.totals.to - g.totals.from);
        uint64_t from, to;
        memcpy(rows, p->rows, p->row_count * sizeof *rows);
        for (unsigned i = 0; i < p->row_count; i++) g.rows[i] = &rows[i];
        qsort(g.rows, p->row_count, sizeof(struct grid_row *), by_place);
        for (unsigned i = 0; i < p->row_count; i++) g.rows[i]->place = i;
        for (size_t i = 0; i < p->count; i++)
            if (cut(&p->pieces[i], &g.totals, &from, &to))
                fill(&g, &rows[p->pieces[i].row], &p->pieces[i], (double)(from - g.totals.from) * scale,
                     (double)(to - g.totals.from) * scale);
        grid_draw(&g, out);
    }
    lines_destroy(lines);
    free(g.cells);
    free(g.rows);
    free(rows);
    return room;
}
