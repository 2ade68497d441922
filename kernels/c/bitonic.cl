// SPDX-License-Identifier: Apache-2.0
// Sorts the words of each work group, a power of two of them.
__kernel void bitonic(__global const int *words, __global int *sorted, __local int *run) {
    uint i = get_local_id(0);
    run[i] = words[get_global_id(0)];
    for (uint size = 2; size <= get_local_size(0); size *= 2)
        for (uint distance = size / 2; distance > 0; distance /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint other = i ^ distance;
            bool descending = (i & size) != 0;
            if (other > i && (run[i] > run[other]) != descending) {
                int word = run[i];
                run[i] = run[other];
                run[other] = word;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    sorted[get_global_id(0)] = run[i];
}
