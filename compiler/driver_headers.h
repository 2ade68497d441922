/* SPDX-License-Identifier: Apache-2.0 */
/* What sources find declared: work items, barriers, __global__, threadIdx, as built-ins of clang. Lines, up to NULL. */
#ifndef WARPSTEP_CC_DRIVER_HEADERS_H
#define WARPSTEP_CC_DRIVER_HEADERS_H

#include <stddef.h>

extern const char *const driver_opencl_header[];
extern const char *const driver_cuda_header[];

/* Functions of the language, behind it: support/opencl_functions.h, lines that end with NULL. */
extern const char *const driver_opencl_functions[];

#endif
