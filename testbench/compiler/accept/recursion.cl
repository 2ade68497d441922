// SPDX-License-Identifier: Apache-2.0
__attribute__((noinline)) int down(int n) {
    return n < 2 ? n : down(n - 1) * down(n - 2) + n;
}
__kernel void start(__global int *y) { *y = down(*y); }
