// SPDX-License-Identifier: Apache-2.0
extern __shared__ unsigned part[];

__global__ void scan(const unsigned *words, unsigned *sums) {
    unsigned t = threadIdx.x, i = 2 * (blockIdx.x * blockDim.x + t), step = 1;
    part[2 * t] = words[i];
    part[2 * t + 1] = words[i + 1];
    for (unsigned active = blockDim.x; active != 0; active /= 2) {
        __syncthreads();
        if (t < active) {
            unsigned left = step * (2 * t + 1) - 1, right = left + step;
            part[right] += part[left];
        }
        step *= 2;
    }
    if (t == 0) part[step - 1] = 0;
    for (unsigned active = 1; active <= blockDim.x; active *= 2) {
        step /= 2;
        __syncthreads();
        if (t < active) {
            unsigned left = step * (2 * t + 1) - 1, right = left + step, sum = part[left];
            part[left] = part[right];
            part[right] += sum;
        }
    }
    __syncthreads();
    sums[i] = part[2 * t];
    sums[i + 1] = part[2 * t + 1];
}
