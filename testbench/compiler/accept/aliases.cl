// SPDX-License-Identifier: Apache-2.0
// The same bytes as several types, as people write it.
__kernel void global_memory(__global uint *bits, __global float *x, float value) {
    *bits = 0;
    *x = value;
    bits[1] = *bits;
}
__kernel void private_memory(__global uint *y, int n) {
    float x[4] = {1, 2, 3, 4};
    ushort *part = (ushort *)x;
    for (int i = 0; i < n; i++) x[i] = x[i] * 2 + part[2 * i + 1];
    ((int *)x)[n] ^= 1;
    for (int i = 0; i < 4; i++) y[i] = ((uint *)x)[i];
}
