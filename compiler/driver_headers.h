/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations for sources, such as work item functions, barriers, __global__ and threadIdx, by clang's built-ins.
 * Lines of text, terminated by NULL. */
#ifndef WARPSTEP_CC_DRIVER_HEADERS_H
#define WARPSTEP_CC_DRIVER_HEADERS_H

#include <stddef.h>

/* Name of the header in line markers. */
#define DRIVER_HEADER_NAME "warpstep.h"

extern const char *const driver_opencl_header[];
extern const char *const driver_cuda_header[];

/* Further declarations: mathematics and functions of the language, from support/math_functions.h,
 * support/opencl_functions.h, support/cuda_functions.h and support/cuda_system_functions.h. */
extern const char *const driver_math_functions[];
extern const char *const driver_opencl_functions[];
extern const char *const driver_cuda_functions[];
extern const char *const driver_cuda_system_functions[];

#endif
