/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of bytes in buffers and in the host's memory, and moving them. */
#ifndef WARPSTEP_RUNTIME_TRANSFER_H
#define WARPSTEP_RUNTIME_TRANSFER_H

#include "memory.h"

/* Where a box begins, and how far its rows and slices are apart, in bytes. */
struct transfer_layout {
    size_t begin, row_pitch, slice_pitch;
};

struct transfer {
    struct memory *from, *to; /* held; NULL: the host's bytes */
    uint8_t *host;
    struct transfer_layout from_layout, to_layout;
    size_t size[3]; /* bytes of a row, rows, slices */
};

/* A copy, in a piece of memory that transfer_release frees. NULL: memory is out. */
struct transfer *transfer_create(const struct transfer *t);
void transfer_release(void *transfer);

/* A command_run. */
struct event;
cl_int transfer_run(struct event *e, void *transfer);

/* The layout with pitches of 0 as OpenCL means them. CL_INVALID_VALUE: the box or its pitches make no sense, or it is
 * not inside `bytes` (SIZE_MAX: of the host, which are not known). */
cl_int transfer_lay_out(const size_t origin[3], const size_t size[3], size_t row_pitch, size_t slice_pitch,
                        size_t bytes, struct transfer_layout *layout);

/* The bytes from the begin of a box to its last one. */
size_t transfer_extent(const struct transfer_layout *layout, const size_t size[3]);

/* Whether the two boxes have bytes in common, be they in one buffer or in parts of one. */
bool transfer_overlaps(const struct transfer *t);

#endif
