// SPDX-License-Identifier: Apache-2.0
// The Fourier transform of each work group's points, two a work item, in local memory: bits of the index reversed, then
// butterflies of growing distance. A point is real and imaginary part.
#define MINUS_PI -3.14159265f

static uint reversed(uint i, uint size) {
    uint r = 0;
    for (uint bit = 1; bit < size; bit *= 2, i /= 2) r = 2 * r + (i & 1);
    return r;
}

__kernel void fft(__global const float2 *points, __global float2 *spectra, __local float2 *local_points) {
    uint i = get_local_id(0), size = 2 * get_local_size(0), first = size * get_group_id(0);
    local_points[reversed(i, size)] = points[first + i];
    local_points[reversed(i + size / 2, size)] = points[first + i + size / 2];
    for (uint half_size = 1; half_size < size; half_size *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = i & (half_size - 1), at = 2 * (i - k) + k;
        float angle = MINUS_PI * (float)k / (float)half_size;
        float c = native_cos(angle), s = native_sin(angle);
        float2 a = local_points[at], b = local_points[at + half_size];
        float2 turned = (float2)(c * b.x - s * b.y, c * b.y + s * b.x);
        local_points[at] = a + turned;
        local_points[at + half_size] = a - turned;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    spectra[first + i] = local_points[i];
    spectra[first + i + size / 2] = local_points[i + size / 2];
}
