/* SPDX-License-Identifier: Apache-2.0 */
/* printf in kernels: each device has a buffer from the first launch on that may print, see
 * ../assembler/image/printed.h. What a launch has printed is on standard output before its command ends. */
#ifndef WARPSTEP_RUNTIME_PRINT_H
#define WARPSTEP_RUNTIME_PRINT_H

#include "code.h"

/* The most groups of a launch: where each warp needs a region, there are few. */
uint32_t print_most_groups(const struct device *d, const struct code_kernel *k, const uint32_t group[3]);

/* Before a launch with this image, from the device's thread: sets the variable in its constant bank 0, a copy.
 * CL_COMPLETE, CL_OUT_OF_RESOURCES: the device's memory has no room; or the engine fails, *diag says how. */
cl_int print_begin(struct device *d, const struct code_kernel *k, const struct image *image, struct diag *diag);

/* After it: prints, and clears the buffer. CL_OUT_OF_HOST_MEMORY, too. */
cl_int print_end(struct device *d, const struct code_kernel *k, const struct image *image, struct diag *diag);

#endif
