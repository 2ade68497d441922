// SPDX-License-Identifier: Apache-2.0
// Strings of all memories, by addresses that are known, of two memories, or loaded.
#include <cstdio>
__constant__ char fixed[] = "fixed";
__device__ char global[] = "global";
__device__ __noinline__ void say(int n, const char *text) { printf("say %d %s\n", n, text); }
__global__ void strings(int n, int *y) {
    __shared__ char shared[8];
    __shared__ const char *kept[3];
    char own[8] = "?wn", open[3] = {'x', 'y', 'z'};
    own[0] = 'm' + n + threadIdx.x;
    if (threadIdx.x == 0) {
        for (int i = 0; i < 6; i++) shared[i] = "shared"[i];
        shared[6] = 0;
        kept[0] = shared, kept[1] = global, kept[2] = "literal";
    }
    __syncthreads();
    printf("%s|%s|%s|%s\n", own, shared, fixed, global);
    printf("%.3s|%.*s|%.1s|%*s|\n", open, n, shared, own, 2 * n, own);
    printf("%s|%s\n", n > 2 ? own : "literal", n > 2 ? global : shared);
    for (int i = 0; i < n; i++) printf("%d %s\n", i, kept[(i + n) % 3]);
    if (threadIdx.x == 1) say(n, own + 1);
    if (threadIdx.x == 0) say(n, shared + n);
    y[threadIdx.x] = printf("%s", own[0] == 'm' ? "" : own + 3) + (own[1] == 'w');
}
