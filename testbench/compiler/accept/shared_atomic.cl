// SPDX-License-Identifier: Apache-2.0
__kernel void count(__global int *out) {
    __local int total;
    if (get_local_id(0) == 0) total = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&total);
    barrier(CLK_LOCAL_MEM_FENCE);
    *out = total;
}
