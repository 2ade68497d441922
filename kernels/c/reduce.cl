// SPDX-License-Identifier: Apache-2.0
// The sum of the words of each work group, a power of two of them.
__kernel void reduce(__global const uint *words, __global uint *sums, __local uint *partial) {
    uint i = get_local_id(0);
    partial[i] = words[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (i < step) partial[i] += partial[i + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0) sums[get_group_id(0)] = partial[0];
}
