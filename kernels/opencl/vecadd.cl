// SPDX-License-Identifier: Apache-2.0
// The sum of two vectors.
__kernel void vecadd(__global const float *a, __global const float *b, __global float *sum, uint count) {
    size_t i = get_global_id(0);
    if (i < count) sum[i] = a[i] + b[i];
}
