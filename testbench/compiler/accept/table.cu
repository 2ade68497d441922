/* SPDX-License-Identifier: Apache-2.0 */
/* Calls through a table of functions. */
__device__ int once(int x) { return x; }
__device__ int twice(int x) { return 2 * x; }
__device__ int (*table[])(int) = {once, twice};

__global__ void k(int *out, int n) { *out = table[n](7); }
