/* SPDX-License-Identifier: Apache-2.0 */
/* printf in kernels: each device has a buffer from the first launch on that may print, see
 * ../assembler/image/printed.h. What a launch has printed is on standard output before its command ends. */
#ifndef WARPSTEP_RUNTIME_PRINT_H
#define WARPSTEP_RUNTIME_PRINT_H

#include "code.h"

/* Before a launch, from the device's thread: sets the variable in a copy of constant bank 0. CL_COMPLETE,
 * CL_OUT_OF_RESOURCES: the device's memory has no room; or the engine fails, *diag says how. */
cl_int print_begin(struct device *d, const struct code_kernel *k, uint8_t *bank, struct diag *diag);

/* After a launch with this image: prints, and clears the buffer. CL_OUT_OF_HOST_MEMORY, too. */
cl_int print_end(struct device *d, const struct code_kernel *k, const struct image *image, struct diag *diag);

#endif
