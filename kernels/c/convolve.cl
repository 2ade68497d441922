// SPDX-License-Identifier: Apache-2.0
// A convolution layer in bytes: a pixel is the bias and the sum of pixels times weights over all planes, shifted to the
// right and limited to 0..255. Beyond the edges pixels are 0.
__kernel void convolve(__global const uchar *picture, __constant char *weights, __constant int *bias,
                       __global uchar *result, int width, int height, int planes, int side, int shift) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    int sum = bias[0];
    for (int plane = 0; plane < planes; plane++)
        for (int dy = 0; dy < side; dy++)
            for (int dx = 0; dx < side; dx++) {
                int column = x + dx - side / 2, row = y + dy - side / 2;
                if (column < 0 || column >= width || row < 0 || row >= height) continue;
                sum += picture[(plane * height + row) * width + column] * weights[(plane * side + dy) * side + dx];
            }
    sum = sum < 0 ? 0 : sum >> shift;
    result[y * width + x] = sum > 255 ? 255 : sum;
}
