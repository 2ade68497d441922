/* SPDX-License-Identifier: Apache-2.0 */
/* A text with the origin of its bytes (sources.h) and the listing's comments between them: the result of expand.c.
 * `failed` records that memory ran out.
 *
 *     struct flow f = {0};
 *     flow_append(&f, &other, start, end, FLOW_SAME_USE);
 *     flow_release(&f);
 */
#ifndef WARPSTEP_FLOW_H
#define WARPSTEP_FLOW_H

#include "scan.h"
#include "sources.h"

#define FLOW_SAME_USE UINT32_MAX

struct flow {
    char *text; /* with a final NUL */
    size_t size, capacity;
    struct source_piece *piece;
    size_t piece_count, piece_capacity;
    struct scan_note *note;
    size_t note_count, note_capacity;
    bool failed;
};

/* Takes ownership of the text and notes of a scanned file. */
void flow_from_scan(struct flow *f, struct scan *scan, uint32_t file, uint32_t use);

/* Appends bytes start..end of another flow. use: the use that brought them in, or FLOW_SAME_USE. */
void flow_append(struct flow *f, const struct flow *from, size_t start, size_t end, uint32_t use);

/* Appends `length` bytes that all stand for the byte at `offset` of another flow. */
void flow_append_fixed(struct flow *f, const char *text, size_t length, const struct flow *at, size_t offset,
                       uint32_t use);

/* The origin of the byte at `offset`, which is also its `start`. */
struct source_piece flow_place(const struct flow *f, size_t offset);

void flow_release(struct flow *f);

#endif
