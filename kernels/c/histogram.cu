// SPDX-License-Identifier: Apache-2.0
// How many bytes of each block's run have 0, 1 ... 15 as their upper four bits. The machine has no atomic operations on
// shared memory: each thread has counters of its own.
#define BINS 16
#define THREADS 32

__global__ void histogram(const unsigned char *bytes, unsigned *counts, unsigned count) {
    __shared__ unsigned own[BINS][THREADS];
    for (int bin = 0; bin < BINS; bin++) own[bin][threadIdx.x] = 0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        own[bytes[blockIdx.x * count + i] >> 4][threadIdx.x]++;
    __syncthreads();
    if (threadIdx.x < BINS) {
        unsigned sum = 0;
        for (unsigned t = 0; t < blockDim.x; t++) sum += own[threadIdx.x][t];
        counts[blockIdx.x * BINS + threadIdx.x] = sum;
    }
}
