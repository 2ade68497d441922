// SPDX-License-Identifier: Apache-2.0
// Kernels of templates that the host launches. One launch needs what only the host knows: it is left out.
#include <cstdio>
template <int SIZE, typename T> __global__ void total(const T *in, T *out) {
    __shared__ T sums[SIZE];
    const int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (int step = SIZE / 2; step > 0; step /= 2) {
        if (t < step) sums[t] += sums[t + step];
        __syncthreads();
    }
    if (t == 0) *out = sums[0];
}
template <class T> void launch(const T *in, T *out) { total<64, T><<<1, 64>>>(in, out); }
int main() {
    const unsigned SIZE = 4 * 2;
    int *in, *out;
    cudaMalloc(&in, 32);
    total<SIZE, int><<<1, SIZE>>>(in, out);
    total<4, unsigned short> <<<1, 4>>>(0, 0);
}
