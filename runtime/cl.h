/* SPDX-License-Identifier: Apache-2.0 */
/* Includes OpenCL's headers: functions of 1.2, and the types of later versions in the dispatch table. */
#ifndef WARPSTEP_RUNTIME_CL_H
#define WARPSTEP_RUNTIME_CL_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#endif
