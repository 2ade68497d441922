/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of work items: global and local size, and the launches that a range is cut into, as a grid has two dimensions
 * of at most IMAGE_GRID_MAX groups. */
#ifndef WARPSTEP_RUNTIME_RANGE_H
#define WARPSTEP_RUNTIME_RANGE_H

#include "code.h"

struct range {
    cl_uint dimensions;
    uint32_t offset[3], global[3], local[3], groups[3]; /* 0 and 1 in dimensions that are not there */
    uint32_t most[2];                                   /* groups of a launch */
};

enum { RANGE_REASON = 160 };

/* What clEnqueueNDRangeKernel is given, checked for a kernel on a device; a local size is chosen where there is none.
 * On an error `reason` says in words what is wrong. */
cl_int range_read(cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local,
                  const struct code_kernel *k, const struct engine_properties *p, struct range *r,
                  char reason[RANGE_REASON]);

/* A launch has so many groups at most. */
void range_limit(struct range *r, uint32_t groups);

/* A part of it that one launch does. */
struct range_part {
    uint32_t first[3]; /* group */
    uint32_t grid[2];
};

/* The first part, and the next one; false where there are no more. */
void range_begin(const struct range *r, struct range_part *part);
bool range_next(const struct range *r, struct range_part *part);

/* What COMPILER_RANGE has in a part. */
void range_words(const struct range *r, const struct range_part *part,
                 uint32_t words[COMPILER_RANGE_WORDS]); /* but for the locks */

#endif
