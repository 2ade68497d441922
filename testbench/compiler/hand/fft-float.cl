// SPDX-License-Identifier: Apache-2.0
#define MOST 1024

__kernel void fft_float(__global const float2 *points, __global float2 *spectra) {
    __local float2 part[MOST];
    uint t = get_local_id(0), n = get_local_size(0), first = 2 * get_group_id(0) * n + t, reversed = 0;
    float2 p = points[first], q = points[first + n];
    for (uint bits = t, size = n; size != 0; size /= 2, bits /= 2) reversed = (reversed | (bits & 1)) << 1;
    reversed /= 2;
    part[reversed] = p;
    part[reversed + 1] = q;
    float turn = -3.14159265f;
    for (uint half_size = 1, groups = n; groups != 0; half_size *= 2, groups /= 2) {
        uint k = t & (half_size - 1), a = 2 * t - k, b = a + half_size;
        float angle = k * turn, s = native_sin(angle), c = native_cos(angle);
        barrier(CLK_LOCAL_MEM_FENCE);
        float2 x = part[b], y = part[a];
        float2 turned = (float2)(mad(c, x.x, -(s * x.y)), mad(c, x.y, s * x.x));
        part[a] = y + turned;
        part[b] = y - turned;
        turn *= 0.5f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    spectra[first] = part[t];
    spectra[first + n] = part[t + n];
}
