// SPDX-License-Identifier: Apache-2.0
// Bitonic sort of any power of two of words: steps whose partners lie within a work group's run are done in local
// memory, all in one launch; the others are a launch each.
static void exchange(uint *low, uint *high, bool descending) {
    if ((*low > *high) != descending) {
        uint word = *low;
        *low = *high;
        *high = word;
    }
}

// One step: words that are `distance` apart, in sorted runs of `size`.
__kernel void sort_step(__global uint *words, uint size, uint distance) {
    uint i = get_global_id(0);
    uint at = 2 * i - (i & (distance - 1));
    uint low = words[at], high = words[at + distance];
    exchange(&low, &high, (at & size) != 0);
    words[at] = low;
    words[at + distance] = high;
}

// All steps of `size` from the largest distance within the run of the group on; `from` is the first size.
__kernel void sort_run(__global uint *words, __local uint *run, uint from, uint to) {
    uint threads = get_local_size(0), i = get_local_id(0), first = 2 * threads * get_group_id(0);
    run[i] = words[first + i];
    run[i + threads] = words[first + i + threads];
    for (uint size = from; size <= to; size *= 2)
        for (uint distance = min(size / 2, threads); distance > 0; distance /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint at = 2 * i - (i & (distance - 1));
            uint low = run[at], high = run[at + distance];
            exchange(&low, &high, ((first + at) & size) != 0);
            run[at] = low;
            run[at + distance] = high;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    words[first + i] = run[i];
    words[first + i + threads] = run[i + threads];
}
