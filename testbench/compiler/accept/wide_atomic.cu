// SPDX-License-Identifier: Apache-2.0
__global__ void count(unsigned long long *y) {
    atomicAdd(y, 1ull);
}
