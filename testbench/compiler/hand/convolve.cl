// SPDX-License-Identifier: Apache-2.0
__kernel void convolve(__global const uchar *picture, __global const char *weights, __global const int *biases,
                       __global uchar *result, uint width, uint height, uint in, uint out, uint side, uint shift) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    for (uint plane = 0; plane < out; plane++) {
        int sum = biases[plane];
        for (uint from = 0; from < in; from++)
            for (uint dy = 0; dy < side; dy++) {
                uint row = y + dy - side / 2;
                __global const uchar *pixels = picture + (from * height + row) * width;
                for (uint dx = 0; dx < side; dx++) {
                    uint column = x + dx - side / 2;
                    uchar pixel = 0;
                    if (row < height && column < width) pixel = pixels[column];
                    sum += pixel * *weights++;
                }
            }
        sum = clamp(sum >> shift, 0, 255);
        result[(plane * height + y) * width + x] = sum;
    }
}
