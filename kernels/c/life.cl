// SPDX-License-Identifier: Apache-2.0
// A generation of the game of life on a torus, a byte a cell: 0 is dead, 255 alive.
__kernel void life(__global const uchar *cells, __global uchar *next, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    int neighbours = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0) continue;
            int column = (x + dx + width) % width, row = (y + dy + height) % height;
            neighbours += cells[row * width + column] != 0;
        }
    bool alive = neighbours == 3 || (neighbours == 2 && cells[y * width + x] != 0);
    next[y * width + x] = alive ? 255 : 0;
}
