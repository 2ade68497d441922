// SPDX-License-Identifier: Apache-2.0
// For each word the sum of those before it in its work group, by doubling the distance.
__kernel void scan(__global const uint *words, __global uint *sums, __local uint *now, __local uint *next) {
    uint i = get_local_id(0), size = get_local_size(0);
    now[i] = i > 0 ? words[get_global_id(0) - 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < size; distance *= 2) {
        next[i] = now[i] + (i >= distance ? now[i - distance] : 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        __local uint *last = now;
        now = next;
        next = last;
    }
    sums[get_global_id(0)] = now[i];
}
