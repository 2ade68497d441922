// SPDX-License-Identifier: Apache-2.0
// Kernels call kernels; functions of double precision have a second result in each kind of memory.
__kernel void inner(__global int *x, int add, __local int *s) {
    __local int t[4];
    int i = get_local_id(0);
    if (i >= 7) return;
    s[i] = x[i] + add;
    t[i & 3] = 2;
    x[i] = s[i] * t[i & 3];
}

__kernel void outer(__global int *x, __local int *s) {
    inner(x, 1, s);
    inner(x, 2, s);
    x[get_local_id(0)] += 1;
}

__kernel void cosines(__global double *x) {
    __local double shared;
    double own;
    x[0] = sincos(0.0, &own) + 2 * own;
    x[0] += sincos(0.0, &shared);
    x[1] = sincos(0.0, x + 2) + shared;
}

inline int left(int n) {
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) sum = sum * 3 + i;
    return sum;
}

__attribute__((noinline)) inline int kept(int n) { return left(n) + 1; }

__kernel void lefts(__global int *x) { x[0] = kept(x[1]) + left(4); }
