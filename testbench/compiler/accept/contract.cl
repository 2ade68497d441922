/* SPDX-License-Identifier: Apache-2.0 */
/* The pragma forbids a multiply-add. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void k(__global float *out, float x, float y, float z) { *out = x * z + y; }
