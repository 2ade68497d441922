// SPDX-License-Identifier: Apache-2.0
texture<float, 1, cudaReadModeElementType> table;
__global__ void lookup(float *y) {
    y[threadIdx.x] = tex1Dfetch(table, threadIdx.x);
}
int main() { lookup<<<1, 1>>>(0); }
