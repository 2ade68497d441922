// SPDX-License-Identifier: Apache-2.0
// A grey picture of the Mandelbrot set: step times the number of iterations of z = z z + c until |z| exceeds 2.
__kernel void mandelbrot(__global uchar *picture, int width, int height, float left, float top, float size, int limit,
                         int step) {
    int column = get_global_id(0), row = get_global_id(1);
    if (column >= width || row >= height) return;
    float re = left + size * column, im = top - size * row;
    float x = 0.0f, y = 0.0f;
    int i;
    for (i = 0; i < limit; i++) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f) break;
        y = 2.0f * (x * y) + im;
        x = xx - yy + re;
    }
    picture[row * width + column] = i * step;
}
