/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of work items, see range.h. */
#include "range.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { GOOD_THREADS = 256 };

static cl_int report_reason(char *reason, cl_int error, const char *format, ...) __attribute__((format(printf, 3, 4)));
static cl_int report_reason(char *reason, cl_int error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, RANGE_REASON, format, arguments);
    va_end(arguments);
    return error;
}

/* ---- global sizes ---- */

static cl_int read_global(cl_uint dimensions, const size_t *offset, const size_t *global, struct range *r,
                          char *reason) {
    if (dimensions < 1 || dimensions > 3)
        return report_reason(reason, CL_INVALID_WORK_DIMENSION, "a range has 1 to 3 dimensions, not %" PRIu32,
                             dimensions);
    if (global == NULL) return report_reason(reason, CL_INVALID_GLOBAL_WORK_SIZE, "no global size is given");
    r->dimensions = dimensions;
    for (unsigned i = 0; i < 3; i++) {
        const size_t size = i < dimensions ? global[i] : 1, from = i < dimensions && offset != NULL ? offset[i] : 0;
        if (size == 0 || size > UINT32_MAX)
            return report_reason(reason, CL_INVALID_GLOBAL_WORK_SIZE,
                                 "global size %zu in dimension %u: expected 1 to 2^32 - 1", size, i);
        if (from > UINT32_MAX - size)
            return report_reason(reason, CL_INVALID_GLOBAL_OFFSET, "offset %zu in dimension %u: ids end at 2^32 - 1",
                                 from, i);
        r->global[i] = (uint32_t)size;
        r->offset[i] = (uint32_t)from;
    }
    return CL_SUCCESS;
}

/* ---- local sizes ---- */

struct limits {
    size_t threads, good, each[3];
};

static struct limits compute_limits(const struct code_kernel *k, const struct engine_properties *p) {
    const size_t most = device_max_threads(p);
    return (struct limits){
        code_max_threads(k, p), code_preferred_threads(k, p), {most, most, DEVICE_BLOCK_Z_MAX}
    };
}

static cl_int check_local(const struct range *r, const struct limits *limits, const uint32_t *block, char *reason) {
    uint64_t threads = 1;
    for (unsigned i = 0; i < r->dimensions; i++) {
        if (r->local[i] > limits->each[i])
            return report_reason(reason, CL_INVALID_WORK_ITEM_SIZE,
                                 "local size %" PRIu32 " in dimension %u: at most %zu", r->local[i], i,
                                 limits->each[i]);
        if (r->global[i] % r->local[i] != 0)
            return report_reason(reason, CL_INVALID_WORK_GROUP_SIZE,
                                 "local size %" PRIu32 " does not divide global size %" PRIu32 " in dimension %u",
                                 r->local[i], r->global[i], i);
        threads *= r->local[i];
    }
    for (unsigned i = 0; i < 3; i++)
        if (block[0] != 0 && block[i] != r->local[i])
            return report_reason(reason, CL_INVALID_WORK_GROUP_SIZE,
                                 "local size %" PRIu32 " in dimension %u: the kernel requires %" PRIu32, r->local[i], i,
                                 block[i]);
    if (threads > limits->threads)
        return report_reason(reason, CL_INVALID_WORK_GROUP_SIZE,
                             "a group of %" PRIu64 " work items: the device has room for %zu of this kernel", threads,
                             limits->threads);
    return CL_SUCCESS;
}

/* Value of a block size: high if it fills its warps and has several; then long rows are preferred. */
static uint64_t rate_block(uint32_t threads) {
    const uint32_t lanes = (threads + WARP_LANES - 1) / WARP_LANES * WARP_LANES;
    const uint32_t full = threads * 64 / lanes, size = threads < GOOD_THREADS ? threads : 2 * GOOD_THREADS - threads;
    return (uint64_t)full << 32 | size;
}

/* Chooses the best local size among those that divide the global size. */
static void choose_local(struct range *r, const struct limits *limits) {
    uint64_t best = 0;
    const uint32_t most = (uint32_t)limits->good;
    for (uint32_t x = most; x > 0; x--) {
        if (r->global[0] % x != 0) continue;
        for (uint32_t y = most / x; y > 0; y--) {
            if (r->global[1] % y != 0) continue;
            for (uint32_t z = most / x / y < limits->each[2] ? most / x / y : (uint32_t)limits->each[2]; z > 0; z--) {
                if (r->global[2] % z != 0 || rate_block(x * y * z) <= best) continue;
                best = rate_block(x * y * z);
                r->local[0] = x;
                r->local[1] = y;
                r->local[2] = z;
            }
        }
    }
}

static cl_int read_local(struct range *r, const size_t *local, const struct code_kernel *k,
                         const struct engine_properties *p, char *reason) {
    const struct limits limits = compute_limits(k, p);
    if (limits.threads == 0)
        return report_reason(reason, CL_OUT_OF_RESOURCES,
                             "the device has too few registers or too little memory for one warp of this kernel");
    if (local == NULL && k->image->block[0] != 0)
        return report_reason(reason, CL_INVALID_WORK_GROUP_SIZE, "no local size is given, but the kernel requires one");
    if (local == NULL) {
        choose_local(r, &limits);
        return CL_SUCCESS;
    }
    for (unsigned i = 0; i < 3; i++) {
        const size_t size = i < r->dimensions ? local[i] : 1;
        if (size == 0) return report_reason(reason, CL_INVALID_WORK_GROUP_SIZE, "local size 0 in dimension %u", i);
        r->local[i] = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    }
    return check_local(r, &limits, k->image->block, reason);
}

cl_int range_read(cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local,
                  const struct code_kernel *k, const struct engine_properties *p, struct range *r,
                  char reason[RANGE_REASON]) {
    *r = (struct range){0};
    cl_int error = read_global(dimensions, offset, global, r, reason);
    if (error == CL_SUCCESS) error = read_local(r, local, k, p, reason);
    for (unsigned i = 0; error == CL_SUCCESS && i < 3; i++) r->groups[i] = r->global[i] / r->local[i];
    return error;
}

/* ---- parts ---- */

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

void range_limit(struct range *r, uint32_t groups) {
    const uint32_t columns = smaller(r->groups[0], smaller(groups, IMAGE_GRID_MAX));
    r->most[0] = columns;
    r->most[1] = columns > 0 ? smaller(groups / columns, IMAGE_GRID_MAX) : 1;
}

static void set_grid(const struct range *r, struct range_part *part) {
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t left = r->groups[i] - part->first[i];
        part->grid[i] = smaller(left, r->most[i]);
    }
}

void range_begin(const struct range *r, struct range_part *part) {
    *part = (struct range_part){0};
    set_grid(r, part);
}

bool range_next(const struct range *r, struct range_part *part) {
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t step = i < 2 ? part->grid[i] : 1;
        if (part->first[i] + step < r->groups[i]) {
            part->first[i] += step;
            set_grid(r, part);
            return true;
        }
        part->first[i] = 0;
        set_grid(r, part);
    }
    return false;
}

void range_words(const struct range *r, const struct range_part *part, uint32_t words[COMPILER_RANGE_WORDS]) {
    for (unsigned i = 0; i < 3; i++) {
        words[COMPILER_RANGE_FIRST_GROUP + i] = part->first[i];
        words[COMPILER_RANGE_FIRST_ID + i] = r->offset[i] + part->first[i] * r->local[i];
        words[COMPILER_RANGE_GROUPS + i] = r->groups[i];
        words[COMPILER_RANGE_OFFSET + i] = r->offset[i];
        words[COMPILER_RANGE_SIZE + i] = r->global[i];
    }
    words[COMPILER_RANGE_DIMENSIONS] = r->dimensions;
}
