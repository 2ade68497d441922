/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of work items: global and local size, and the launches that a range is divided into, because a grid has two
 * dimensions of at most IMAGE_GRID_MAX groups. */
#ifndef WARPSTEP_RUNTIME_RANGE_H
#define WARPSTEP_RUNTIME_RANGE_H

#include "code.h"

struct range {
    cl_uint dimensions;
    uint32_t offset[3], global[3], local[3], groups[3]; /* offset 0 and size 1 in unused dimensions */
    uint32_t most[2];                                   /* maximum groups of a launch, in x and y */
};

enum { RANGE_REASON = 160 };

/* Checks the arguments of clEnqueueNDRangeKernel for a kernel on a device, and chooses a local size if none is
 * given. On an error, `reason` describes it. */
cl_int range_read(cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local,
                  const struct code_kernel *k, const struct engine_properties *p, struct range *r,
                  char reason[RANGE_REASON]);

/* Limits the number of groups of a launch. */
void range_limit(struct range *r, uint32_t groups);

/* A part of a range, for one launch. */
struct range_part {
    uint32_t first[3]; /* first group */
    uint32_t grid[2];
};

/* range_begin gives the first part, range_next the next one; false behind the last. */
void range_begin(const struct range *r, struct range_part *part);
bool range_next(const struct range *r, struct range_part *part);

/* Computes the words of COMPILER_RANGE for a part. */
void range_words(const struct range *r, const struct range_part *part,
                 uint32_t words[COMPILER_RANGE_WORDS]); /* except the locks */

#endif
