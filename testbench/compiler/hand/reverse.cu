// SPDX-License-Identifier: Apache-2.0
extern __shared__ unsigned words[];

__global__ void reverse(const unsigned *in, unsigned *out) {
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    words[t] = in[i];
    __syncthreads();
    out[i] = words[blockDim.x - 1 - t];
}
