// SPDX-License-Identifier: Apache-2.0
// The sum of words: each work item adds up a stride of them, each work group what its items have, and a second launch
// of one group the sums of the groups.
__kernel void reduce(__global const uint *words, uint count, __global uint *sums, __local uint *partial) {
    uint i = get_local_id(0), sum = 0;
    for (uint at = get_global_id(0); at < count; at += get_global_size(0)) sum += words[at];
    partial[i] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (i < step) partial[i] += partial[i + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0) sums[get_group_id(0)] = partial[0];
}
