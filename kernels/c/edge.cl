// SPDX-License-Identifier: Apache-2.0
// The edges of a grey picture, a byte a pixel: Sobel's gradient as the sum of the two slopes, at most 255. The
// outermost pixels are 0.
static int weigh(__global const uchar *p, int step) { return p[0] + 2 * p[step] + p[2 * step]; }

__kernel void edge(__global const uchar *picture, __global uchar *edges, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    int sum = 0;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        __global const uchar *corner = picture + (y - 1) * width + x - 1;
        int across = weigh(corner + 2, width) - weigh(corner, width);
        int down = weigh(corner + 2 * width, 1) - weigh(corner, 1);
        sum = abs(across) + abs(down);
    }
    edges[y * width + x] = sum > 255 ? 255 : sum;
}
