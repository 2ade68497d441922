// SPDX-License-Identifier: Apache-2.0
// A shared variable that one thread writes and all read behind a barrier.

extern "C" __global__ void ordered(unsigned *out)
{
    __shared__ int left;
    const int id = threadIdx.x;
    unsigned sum = 0;
    if (id == 0)
        left = 5;
    __syncthreads();
    while (left != 0) {
        const int n = left;
        __syncthreads();
        if (id == 40)
            left = n - 1;
        __syncthreads();
        sum += left;
        __syncthreads();
    }
    out[id] = sum;
}
