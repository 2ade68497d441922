// SPDX-License-Identifier: Apache-2.0
// A variable in local memory that one work item writes and all read behind a barrier, or behind a fence.

__kernel void ordered(__global uint *out)
{
    __local int left;
    const int id = get_local_id(0);
    uint sum = 0;
    if (id == 0)
        left = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (left != 0) {
        const int n = left;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id == 40)
            left = n - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[id] = sum;
}

__kernel void fenced(__global uint *out)
{
    __local int last;
    const int id = get_local_id(0);
    if (id == 0)
        last = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int before = last;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 3)
        last = before + 1;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[id] = last;
}
