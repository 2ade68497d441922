// SPDX-License-Identifier: Apache-2.0
__kernel void mandelbrot(__global uchar *picture, uint width, uint height, float left, float top, float size,
                         uint limit, uint step) {
    uint column = get_global_id(0), row = get_global_id(1);
    if (column >= width || row >= height) return;
    float a = size * column + left, b = top - size * row, x = 0, y = 0;
    uint count = 0;
    do {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f) break;
        float xy = x * y;
        x = xx - yy + a;
        y = xy * 2.0f + b;
    } while (++count != limit);
    picture[row * width + column] = count * step;
}
