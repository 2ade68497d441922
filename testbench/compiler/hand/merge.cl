// SPDX-License-Identifier: Apache-2.0
__kernel void merge(__global const uint *keys, __global uint *merged, uint run, uint total) {
    for (uint i = get_global_id(0); i < total; i += get_global_size(0)) {
        uint key = keys[i], other = (i ^ run) & ~(run - 1);
        uint first = min(other, total), low = first, high = min(other + run, total);
        bool second = (i & run) != 0;
        while (low < high) {
            uint middle = (low + high) / 2, its = keys[middle];
            if (second ? its <= key : its < key)
                low = middle + 1;
            else
                high = middle;
        }
        uint place = i + (low - first);
        merged[second ? place - run : place] = key;
    }
}
