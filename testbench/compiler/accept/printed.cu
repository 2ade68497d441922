// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
__device__ char word[] = "word";
__global__ void shown(int *y, int n, float x) {
    char c = 'a' + n;
    y[0] = printf("%c|%5.2f|%lld|%hd|%s|%s|%-4d|%lu|%*d\n", c, x, 1ll << 40, (short)-n, word, "literal", n, 7ul, 3, n);
    y[1] = printf(n > 2 ? "large\n" : "small\n");
    if (n == 3) printf("no arguments\n");
}
