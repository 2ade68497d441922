/* SPDX-License-Identifier: Apache-2.0 */
/* printf in kernels: each device has a print buffer from the first launch that may print, see
 * ../assembler/image/printed.h. The output of a launch is on standard output before its command completes. */
#ifndef WARPSTEP_RUNTIME_PRINT_H
#define WARPSTEP_RUNTIME_PRINT_H

#include "code.h"

/* Returns the maximum number of groups of a launch: few if each warp needs a region. */
uint32_t print_max_groups(const struct device *d, const struct code_kernel *k, const uint32_t group[3]);

/* Before a launch with this image, on the device's thread: sets the variable in the launch's copy of constant bank
 * 0. Returns CL_COMPLETE; CL_OUT_OF_RESOURCES if the device's memory has no room; or the engine's error, with *diag. */
cl_int print_begin(struct device *d, const struct code_kernel *k, const struct image *image, struct diag *diag);

/* After the launch: prints, and clears the buffer. Sets *is_full if text was lost. Errors as above,
 * CL_OUT_OF_HOST_MEMORY, and CL_OUT_OF_RESOURCES if standard output takes no more. */
cl_int print_end(struct device *d, const struct code_kernel *k, const struct image *image, bool *is_full,
                 struct diag *diag);

#endif
