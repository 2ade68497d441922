// SPDX-License-Identifier: Apache-2.0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void scale(__global half *y, float a) {
    const int i = get_global_id(0);
    y[i] = y[i] * (half)a + 1.0h;
}
