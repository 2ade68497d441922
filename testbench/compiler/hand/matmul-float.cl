// SPDX-License-Identifier: Apache-2.0
#define TILE 16

__kernel void matmul_float(__global const float *a, __global const float *b,
    __global float *product, uint width) {
    __local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
    float sum = 0;
    for (uint first = 0; first < width; first += TILE) {
        tile_a[y][x] = a[row * width + first + x];
        tile_b[y][x] = b[(first + y) * width + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    product[row * width + column] = sum;
}
