// SPDX-License-Identifier: Apache-2.0
#define TILE 16

__kernel void transpose(__global const uint *in,
                                                                             __global uint *out, uint columns,
                                                                             uint rows) {
    __local uint tile[TILE][TILE + 1];
    uint tx = get_local_id(0), ty = get_local_id(1);
    uint x = get_group_id(0) * TILE + tx, y = get_group_id(1) * TILE + ty;
    if (x < columns && y < rows) tile[ty][tx] = in[y * columns + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + tx;
    y = get_group_id(0) * TILE + ty;
    if (x < rows && y < columns) out[y * rows + x] = tile[tx][ty];
}
