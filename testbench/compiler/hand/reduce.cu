// SPDX-License-Identifier: Apache-2.0
extern __shared__ unsigned partial[];

__global__ void reduce(const unsigned *words, unsigned *sums) {
    unsigned t = threadIdx.x, sum = words[blockIdx.x * blockDim.x + t];
    partial[t] = sum;
    for (unsigned half = blockDim.x / 2; half != 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            sum += partial[t + half];
            partial[t] = sum;
        }
    }
    if (t == 0) sums[blockIdx.x] = sum;
}
