// SPDX-License-Identifier: Apache-2.0
// A row of weights over an image, once along its rows and once along its columns; beyond the edges the outermost pixels
// go on.
#ifndef RADIUS
#error "RADIUS says how many pixels on each side count"
#endif

__kernel void blur(__global const float *image, __global float *blurred, __constant float *weights, int2 size,
                   int2 direction) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    if (any(at >= size)) return;
    float sum = 0.0f;
    for (int i = -RADIUS; i <= RADIUS; i++) {
        int2 from = clamp(at + i * direction, (int2)(0), size - 1);
        sum = mad(weights[i + RADIUS], image[from.y * size.x + from.x], sum);
    }
    blurred[at.y * size.x + at.x] = sum;
}

__kernel void to_bytes(__global const float *image, __global uchar *bytes) {
    size_t i = get_global_id(0);
    bytes[i] = convert_uchar_sat_rte(image[i]);
}
