// SPDX-License-Identifier: Apache-2.0
#define TILE 16
extern __shared__ unsigned char squares[];

__global__ void life(const unsigned char *cells, unsigned char *result, int width, int height, int generations) {
    int side = TILE + 2 * generations, left = blockIdx.x * TILE - generations, top = blockIdx.y * TILE - generations;
    unsigned char *now = squares, *next = squares + side * side;
    for (int y = threadIdx.y; y < side; y += TILE) {
        int row = top + y;
        while (row < 0) row += height;
        while (row >= height) row -= height;
        for (int x = threadIdx.x; x < side; x += TILE) {
            int column = left + x;
            while (column < 0) column += width;
            while (column >= width) column -= width;
            now[y * side + x] = cells[row * width + column] != 0;
        }
    }
    for (int first = 1; first <= generations; first++) {
        __syncthreads();
        for (int y = threadIdx.y + first; y < side - first; y += TILE)
            for (int x = threadIdx.x + first; x < side - first; x += TILE) {
                unsigned char *above = now + (y - 1) * side + x, *here = above + side, *below = here + side;
                int sum = above[-1] + above[0] + above[1] + here[-1] + here[1] + below[-1] + below[0] + below[1];
                next[y * side + x] = (sum | here[0]) == 3;
            }
        unsigned char *swap = now;
        now = next;
        next = swap;
    }
    __syncthreads();
    int x = generations + threadIdx.x, y = generations + threadIdx.y;
    if (left + x < width && top + y < height)
        result[(top + y) * width + left + x] = now[y * side + x] * 255;
}
