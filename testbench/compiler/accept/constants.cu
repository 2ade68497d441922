// SPDX-License-Identifier: Apache-2.0
// Variables that a host program sets by cudaMemcpyToSymbol, and reads.
__constant__ int factors[4];
__device__ int offset = 1, last;
__global__ void use(int *y) {
    y[threadIdx.x] = factors[threadIdx.x & 3] * 2 + offset;
    last = y[threadIdx.x];
}
