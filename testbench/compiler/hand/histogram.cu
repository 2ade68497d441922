// SPDX-License-Identifier: Apache-2.0
#define BINS 16
extern __shared__ unsigned counts[][BINS];

__global__ void histogram(const unsigned char *bytes, unsigned *sums, unsigned count) {
    unsigned own[BINS] = {0};
    const unsigned char *first = bytes + blockIdx.x * count;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) own[first[i] >> 4]++;
    for (int bin = 0; bin < BINS; bin++) counts[threadIdx.x][bin] = own[bin];
    __syncthreads();
    if (threadIdx.x < BINS) {
        unsigned sum = 0;
        for (unsigned t = 0; t < blockDim.x; t++) sum += counts[t][threadIdx.x];
        sums[blockIdx.x * BINS + threadIdx.x] = sum;
    }
}
