// SPDX-License-Identifier: Apache-2.0
// A pointer to a thread's array or one that was loaded, and a loaded index.
__device__ int *table[2];
__global__ void selected(int *y, int *a, int n, int i) {
    int own[8];
    table[0] = a;
    a[3] = 7;
    __threadfence();
    for (int k = 0; k < 8; k++) own[k] = 100 + k * n;
    int *p = n > 2 ? own : table[i >> 5];
    y[0] = p[i];
    y[1] = own[a[3]];
}
