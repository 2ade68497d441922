// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
__global__ void few(int *y, int n) {
    y[0] = printf("few %d|%d|%lld|%s|%5.1f|%d|%d|%d|%d|%*d\n", n);
    y[1] = printf("none %d|%s\n");
}
__global__ void strings(int n) {
    __shared__ char shared[8];
    char local[8];
    for (int i = 0; i < 7; i++) shared[i] = local[i] = 'a' + n + i;
    shared[7] = local[7] = 0;
    printf("number %d %s\n", n, "constant");
    printf("%d %s\n", n, local);
    printf("%*d %s\n", n, n, shared);
}
