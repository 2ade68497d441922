// SPDX-License-Identifier: Apache-2.0
__kernel void edge(__global const uchar *picture, __global uchar *edges, uint width, uint height) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    uint at = y * width + x;
    int sum = 0;
    if (x != 0 && y != 0 && x + 1 != width && y + 1 != height) {
        __global const uchar *here = picture + at, *above = here - width, *below = here + width;
        int across = above[1] + 2 * here[1] + below[1] - above[-1] - 2 * here[-1] - below[-1];
        int down = below[-1] + 2 * below[0] + below[1] - above[-1] - 2 * above[0] - above[1];
        sum = min(abs(across) + abs(down), 255u);
    }
    edges[at] = sum;
}
