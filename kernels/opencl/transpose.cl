// SPDX-License-Identifier: Apache-2.0
// The transpose of each matrix of a stack, by tiles; a column more than needed, so that no two items meet in a bank.
#define TILE 8

typedef struct {
    uint columns, rows;
} shape_t;

__kernel void transpose(__global const int *in, __global int *out, shape_t shape) {
    __local int tile[TILE][TILE + 1];
    uint x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), k = get_local_id(1);
    size_t first = get_global_id(2) * shape.columns * shape.rows;
    if (x < shape.columns && y < shape.rows) tile[k][i] = in[first + y * shape.columns + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + i;
    y = get_group_id(0) * TILE + k;
    if (x < shape.rows && y < shape.columns) out[first + y * shape.rows + x] = tile[i][k];
}
