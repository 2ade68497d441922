/* SPDX-License-Identifier: Apache-2.0 */
/* What sources find declared: work items, barriers, __global__, threadIdx, as built-ins of clang. Lines, up to NULL. */
#ifndef WARPSTEP_CC_DRIVER_HEADERS_H
#define WARPSTEP_CC_DRIVER_HEADERS_H

#include <stddef.h>

/* What lines of # call them. */
#define DRIVER_HEADER_NAME "warpstep.h"

extern const char *const driver_opencl_header[];
extern const char *const driver_cuda_header[];

/* Behind them mathematics and functions of the language: support/math_functions.h, support/opencl_functions.h,
 * support/cuda_functions.h and support/cuda_system_functions.h. */
extern const char *const driver_math_functions[];
extern const char *const driver_opencl_functions[];
extern const char *const driver_cuda_functions[];
extern const char *const driver_cuda_system_functions[];

#endif
