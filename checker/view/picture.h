/* SPDX-License-Identifier: Apache-2.0 */
/* A trace as a picture: a row for each warp slot, cycles to the right. The colour of a row shows the reason why its
 * warp waits, or that it takes its turn; its height the number of active lanes. Below, for each SM, the share of its
 * warps in each of these states; then the source lines of a compiled kernel that take most of the time. As SVG, of a
 * size independent of the length of the trace.
 *
 *     struct picture *p = picture_create();
 *     for each record: if (!picture_add(p, &record)) out of memory;
 *     picture_draw(p, &options, out);
 *     picture_destroy(p);
 */
#ifndef WARPSTEP_PICTURE_H
#define WARPSTEP_PICTURE_H

#include <stdio.h>

#include "../../assembler/image/image.h"
#include "../../cmodel/retire.h"
#include "../../cmodel/run/timeline.h"

struct picture;

enum { PICTURE_SMS = 16, PICTURE_SLOTS = 64 };

struct picture_options {
    const char *title;
    uint64_t from, to;          /* cycles to draw; to 0: to the end */
    const struct image *source; /* has the source lines of a compiled kernel, which are drawn, too; NULL: none */
};

/* Totals of the drawn cycles. */
struct picture_totals {
    uint64_t records, from, to;
    double lanes;                 /* active lanes of a record, on average */
    double share[TIMELINE_WAITS]; /* of the time of all warps; sums to 1, or 0 if there is none */
};

struct picture *picture_create(void); /* NULL if out of memory */
void picture_destroy(struct picture *p);

/* In the order of the trace, of an SM below PICTURE_SMS and a slot below PICTURE_SLOTS. False if out of memory. */
bool picture_add(struct picture *p, const struct retire *r);

struct picture_totals picture_measure(const struct picture *p, const struct picture_options *options);

/* False if out of memory; the caller checks the stream for errors. */
bool picture_draw(const struct picture *p, const struct picture_options *options, FILE *out);

#endif
