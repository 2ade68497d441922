// SPDX-License-Identifier: Apache-2.0
// How often each level of grey is in an image whose rows are `pitch` bytes apart. A work item has counters of its own in
// local memory, for a sixteenth of the levels at a time, as not every device has atomic operations there.
#define LEVELS 16

__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void histogram(__global const uchar *image, uint width,
                                                                        uint height, uint pitch, __global uint *counts) {
    __local uint own[LEVELS][32];
    uint item = get_local_id(0), levels = get_group_id(0), group = get_group_id(1), groups = get_num_groups(1);
    for (uint level = 0; level < LEVELS; level++) own[level][item] = 0;
    for (uint y = group; y < height; y += groups)
        for (uint x = item; x < width; x += 32) {
            uchar grey = image[y * pitch + x];
            if (grey / LEVELS == levels) own[grey % LEVELS][item]++;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item >= LEVELS) return;
    uint sum = 0;
    for (uint other = 0; other < 32; other++) sum += own[item][other];
    counts[group * 256 + levels * LEVELS + item] = sum;
}
