// SPDX-License-Identifier: Apache-2.0
extern __shared__ int run[];

__global__ void bitonic(const int *words, int *sorted) {
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    run[t] = words[i];
    __syncthreads();
    for (unsigned size = 2; size <= blockDim.x; size *= 2)
        for (unsigned distance = size / 2; distance != 0; distance /= 2) {
            unsigned other = t ^ distance;
            if (other > t) {
                int mine = run[t], its = run[other];
                if ((t & size) == 0 ? mine > its : mine < its) {
                    run[t] = its;
                    run[other] = mine;
                }
            }
            __syncthreads();
        }
    sorted[i] = run[t];
}
