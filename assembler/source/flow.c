/* SPDX-License-Identifier: Apache-2.0 */
/* A text with its origin. */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#include "../base/grow.h"

/* Index of the last piece that begins at or before the offset. */
static size_t find_piece(const struct flow *f, size_t offset) {
    size_t low = 0, high = f->piece_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (f->piece[middle].start <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct source_piece flow_place(const struct flow *f, size_t offset) {
    if (f->piece_count == 0) return (struct source_piece){.start = offset};
    struct source_piece p = f->piece[find_piece(f, offset)];
    if (!p.fixed) p.offset += offset - p.start;
    p.start = offset;
    return p;
}

/* A piece that continues the last one is merged with it. */
static void add_piece(struct flow *f, const struct source_piece *piece) {
    if (f->piece_count > 0) {
        const struct source_piece *last = &f->piece[f->piece_count - 1];
        size_t length = piece->start - last->start;
        bool goes_on = last->file == piece->file && last->use == piece->use && last->fixed == piece->fixed;
        if (goes_on && last->offset + (last->fixed ? 0 : length) == piece->offset) return;
    }
    struct source_piece *grown = grow_array(f->piece, f->piece_count, &f->piece_capacity, sizeof *grown);
    if (grown == NULL) {
        f->failed = true;
        return;
    }
    f->piece = grown;
    f->piece[f->piece_count++] = *piece;
}

static void add_bytes(struct flow *f, const char *text, size_t length) {
    if (f->size + length + 1 > f->capacity) {
        size_t capacity = (f->size + length) * 2 + 256;
        char *grown = realloc(f->text, capacity);
        if (grown == NULL) {
            f->failed = true;
            return;
        }
        f->text = grown;
        f->capacity = capacity;
    }
    memcpy(f->text + f->size, text, length);
    f->size += length;
    f->text[f->size] = '\0';
}

/* The notes of start..end of another flow, which is about to be appended. */
static void add_notes(struct flow *f, const struct flow *from, size_t start, size_t end) {
    size_t low = 0, high = from->note_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (from->note[middle].offset < start)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < from->note_count && from->note[low].offset < end; low++) {
        struct scan_note *grown = grow_array(f->note, f->note_count, &f->note_capacity, sizeof *grown);
        if (grown == NULL) {
            f->failed = true;
            return;
        }
        f->note = grown;
        f->note[f->note_count] = from->note[low];
        f->note[f->note_count++].offset = f->size + (from->note[low].offset - start);
    }
}

void flow_append(struct flow *f, const struct flow *from, size_t start, size_t end, uint32_t use) {
    if (f->failed || start >= end) return;
    add_notes(f, from, start, end);
    for (size_t i = find_piece(from, start); i < from->piece_count && from->piece[i].start < end; i++) {
        struct source_piece piece = from->piece[i];
        size_t skipped = start > piece.start ? start - piece.start : 0;
        if (!piece.fixed) piece.offset += skipped;
        piece.start = f->size + (piece.start + skipped - start);
        if (use != FLOW_SAME_USE) piece.use = use;
        add_piece(f, &piece);
    }
    add_bytes(f, from->text + start, end - start);
}

void flow_append_fixed(struct flow *f, const char *text, size_t length, const struct flow *at, size_t offset,
                       uint32_t use) {
    if (f->failed || length == 0) return;
    struct source_piece piece = flow_place(at, offset);
    piece.start = f->size;
    piece.fixed = true;
    if (use != FLOW_SAME_USE) piece.use = use;
    add_piece(f, &piece);
    add_bytes(f, text, length);
}

void flow_from_scan(struct flow *f, struct scan *scan, uint32_t file, uint32_t use) {
    *f = (struct flow){.text = scan->clean, .size = scan->size, .capacity = scan->size + 1};
    f->note = scan->notes;
    f->note_count = f->note_capacity = scan->note_count;
    add_piece(f, &(struct source_piece){.file = file, .use = use});
    scan->clean = NULL;
    scan->notes = NULL;
    scan_release(scan);
}

void flow_release(struct flow *f) {
    free(f->text);
    free(f->piece);
    free(f->note);
    *f = (struct flow){0};
}
