/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of bytes in buffers and in host memory, and transfers between them. */
#ifndef WARPSTEP_RUNTIME_TRANSFER_H
#define WARPSTEP_RUNTIME_TRANSFER_H

#include "memory.h"

/* Begin of a box, and distances of its rows and slices, in bytes. */
struct transfer_layout {
    size_t begin, row_pitch, slice_pitch;
};

struct transfer {
    struct memory *from, *to; /* held; NULL for host memory */
    uint8_t *host;
    struct transfer_layout from_layout, to_layout;
    size_t size[3]; /* bytes of a row, rows, slices */
};

/* Returns a copy, which transfer_release frees; NULL if memory is exhausted. */
struct transfer *transfer_create(const struct transfer *t);
void transfer_release(void *transfer);

/* A command_run. */
struct event;
cl_int transfer_run(struct event *e, void *transfer);

/* Computes the layout; pitches of 0 have OpenCL's meaning. CL_INVALID_VALUE: the pitches are invalid, or the box is
 * not within `bytes` (SIZE_MAX for the host, where the size is unknown). */
cl_int transfer_compute_layout(const size_t origin[3], const size_t size[3], size_t row_pitch, size_t slice_pitch,
                               size_t bytes, struct transfer_layout *layout);

/* Returns the number of bytes from the begin of a box to its last byte. */
size_t transfer_extent(const struct transfer_layout *layout, const size_t size[3]);

/* Returns whether two boxes share bytes, in one buffer or in parts of one. */
bool transfer_overlaps(const struct transfer *t);

#endif
