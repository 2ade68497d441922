// SPDX-License-Identifier: Apache-2.0
// The Mandelbrot set in colours: each pixel has the palette's colour for the number of iterations of z = z z + c until
// |z| exceeds 2. Points of the set are black.
__kernel void mandelbrot(__global uchar *picture, float left, float top, float step, uint limit,
                         __constant uchar *palette, uint colours) {
    size_t x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
    float re = left + step * x, im = top - step * y, a = 0.0f, b = 0.0f;
    uint i = 0;
    for (; i < limit && a * a + b * b <= 4.0f; i++) {
        float next = a * a - b * b + re;
        b = 2.0f * a * b + im;
        a = next;
    }
    uchar3 colour = i == limit ? (uchar3)(0) : vload3(i % colours, palette);
    vstore3(colour, y * width + x, picture);
}
