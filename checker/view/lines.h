/* SPDX-License-Identifier: Apache-2.0 */
/* The source lines of a compiled kernel in which its warps spend most time, in order.
 *
 *     struct lines *l = lines_create(image);
 *     for each piece of a trace: if (!lines_add(l, pc, wait, cycles)) out of memory;
 *     if (!lines_rank(l, &list, &count)) out of memory;
 *     lines_destroy(l);
 */
#ifndef WARPSTEP_LINES_H
#define WARPSTEP_LINES_H

#include "../../assembler/image/image.h"
#include "../../cmodel/run/timeline.h"

enum { LINES_MOST = 24 };

struct lines_line {
    const char *file; /* of the image */
    unsigned line;
    double time[TIMELINE_WAITS], all; /* parts of the time of all warps */
};

struct lines;

struct lines *lines_create(const struct image *source); /* NULL if memory is exhausted */
void lines_destroy(struct lines *l);

bool lines_add(struct lines *l, uint32_t pc, enum timeline_wait wait, uint64_t cycles);

/* The list, of LINES_MOST lines at most, lives as long as l. False if out of memory. */
bool lines_rank(struct lines *l, const struct lines_line **list, size_t *count);

#endif
