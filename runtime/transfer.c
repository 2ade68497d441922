/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers of boxes, see transfer.h. */
#include "transfer.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"

/* ---- layouts ---- */

/* Adds a * b to *sum; returns false on overflow of size_t. */
static bool add_product(size_t *sum, size_t a, size_t b) {
    size_t product;
    return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*sum, product, sum);
}

cl_int transfer_compute_layout(const size_t origin[3], const size_t size[3], size_t row_pitch, size_t slice_pitch,
                               size_t bytes, struct transfer_layout *layout) {
    size_t begin = origin[0], end = size[0];
    if (size[0] == 0 || size[1] == 0 || size[2] == 0) return CL_INVALID_VALUE;
    if (row_pitch == 0) row_pitch = size[0];
    if (row_pitch < size[0]) return CL_INVALID_VALUE;
    size_t least = 0;
    if (!add_product(&least, size[1], row_pitch)) return CL_INVALID_VALUE;
    if (slice_pitch == 0) slice_pitch = least;
    if (slice_pitch < least || slice_pitch % row_pitch != 0) return CL_INVALID_VALUE;
    if (!add_product(&begin, origin[1], row_pitch) || !add_product(&begin, origin[2], slice_pitch))
        return CL_INVALID_VALUE;
    if (!add_product(&end, size[1] - 1, row_pitch) || !add_product(&end, size[2] - 1, slice_pitch))
        return CL_INVALID_VALUE;
    if (begin > bytes || end > bytes - begin) return CL_INVALID_VALUE;
    *layout = (struct transfer_layout){begin, row_pitch, slice_pitch};
    return CL_SUCCESS;
}

size_t transfer_extent(const struct transfer_layout *layout, const size_t size[3]) {
    return (size[2] - 1) * layout->slice_pitch + (size[1] - 1) * layout->row_pitch + size[0];
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Returns whether a row at `row` shares bytes with a box at `begin`. The rows of a box ascend and are disjoint, so
 * only the last one that begins before the end of the row can overlap it. */
static bool row_overlaps(size_t row, size_t begin, const struct transfer_layout *layout, const size_t size[3]) {
    const size_t end = row + size[0];
    if (end <= begin) return false;
    const size_t rest = end - 1 - begin;
    const size_t slice = smaller(rest / layout->slice_pitch, size[2] - 1) * layout->slice_pitch;
    const size_t start = slice + smaller((rest - slice) / layout->row_pitch, size[1] - 1) * layout->row_pitch;
    return row < begin + start + size[0];
}

bool transfer_overlaps(const struct transfer *t) {
    const struct transfer_layout *layout = &t->from_layout;
    if (t->from->root != t->to->root) return false;
    const size_t from = t->from->origin + layout->begin, to = t->to->origin + t->to_layout.begin;
    if (from + transfer_extent(layout, t->size) <= to || to + transfer_extent(&t->to_layout, t->size) <= from)
        return false;
    for (size_t z = 0; z < t->size[2]; z++)
        for (size_t y = 0; y < t->size[1]; y++)
            if (row_overlaps(from + z * layout->slice_pitch + y * layout->row_pitch, to, &t->to_layout, t->size))
                return true;
    return false;
}

/* ---- transfers ---- */

struct transfer *transfer_create(const struct transfer *t) {
    struct transfer *copy = malloc(sizeof *copy);
    if (copy == NULL) return NULL;
    *copy = *t;
    if (t->from != NULL) object_hold(t->from);
    if (t->to != NULL) object_hold(t->to);
    return copy;
}

void transfer_release(void *transfer) {
    struct transfer *t = transfer;
    object_drop(t->from);
    object_drop(t->to);
    free(t);
}

/* Rows without gaps on both sides become one row. */
static void join_rows(struct transfer *t) {
    if (t->from_layout.row_pitch == t->size[0] && t->to_layout.row_pitch == t->size[0]) {
        t->size[0] *= t->size[1];
        t->size[1] = 1;
    }
    if (t->size[1] == 1 && t->from_layout.slice_pitch == t->size[0] && t->to_layout.slice_pitch == t->size[0]) {
        t->size[0] *= t->size[2];
        t->size[2] = 1;
    }
}

static cl_int prepare_memory(struct memory *m, struct device *d, const struct transfer_layout *layout,
                             const size_t size[3], bool is_written, uint32_t *address) {
    const bool is_whole = size[1] == 1 && size[2] == 1;
    if (m == NULL) return CL_COMPLETE;
    return memory_prepare(m, d, layout->begin, transfer_extent(layout, size),
                          !is_written ? MEMORY_READ
                          : is_whole  ? MEMORY_WRITE_ALL
                                      : MEMORY_WRITE,
                          address);
}

static enum status move_row(const struct transfer *t, struct device *d, uint32_t from, uint32_t to, size_t offset_from,
                            size_t offset_to, struct diag *diag) {
    from += (uint32_t)offset_from;
    to += (uint32_t)offset_to;
    if (t->from == NULL)
        return engine_write(d->engine, to, t->host + t->from_layout.begin + offset_from, t->size[0], diag);
    if (t->to == NULL) return engine_read(d->engine, from, t->host + t->to_layout.begin + offset_to, t->size[0], diag);
    return engine_copy(d->engine, to, from, t->size[0], diag);
}

static enum status move_rows(const struct transfer *t, struct device *d, uint32_t from, uint32_t to,
                             struct diag *diag) {
    enum status status = STATUS_OK;
    for (size_t z = 0; z < t->size[2]; z++)
        for (size_t y = 0; y < t->size[1] && status == STATUS_OK; y++)
            status = move_row(t, d, from, to, z * t->from_layout.slice_pitch + y * t->from_layout.row_pitch,
                              z * t->to_layout.slice_pitch + y * t->to_layout.row_pitch, diag);
    return status;
}

cl_int transfer_run(struct event *e, void *transfer) {
    struct transfer *t = transfer;
    struct device *d = e->device;
    struct diag diag = {0};
    uint32_t from = 0, to = 0;
    join_rows(t);
    cl_int error = prepare_memory(t->from, d, &t->from_layout, t->size, false, &from);
    if (error == CL_COMPLETE) error = prepare_memory(t->to, d, &t->to_layout, t->size, true, &to);
    if (error != CL_COMPLETE) return error;
    pthread_mutex_lock(&d->engine_lock);
    const enum status status = move_rows(t, d, from, to, &diag);
    pthread_mutex_unlock(&d->engine_lock);
    return status == STATUS_OK ? CL_COMPLETE : memory_report_error(e->context, d, &diag);
}
