/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels use of the C library, placement new, and a function whose call through a pointer nothing reaches. */
#include <new>
#include <string.h>

struct pair {
    unsigned a, b;
    __device__ pair(unsigned a, unsigned b) : a(a), b(b) {}
};

__device__ unsigned twice(unsigned x) {
    return 2 * x;
}
__device__ unsigned apply(unsigned (*f)(unsigned), unsigned x) {
    return f(f(x));
}

__global__ void k(unsigned *out, int n) {
    unsigned char bytes[16], copy[16];
    for (int i = 0; i < 16; i++) bytes[i] = (unsigned char)i;
    memset(copy, 0x55, sizeof copy);
    memcpy(copy + 1, bytes, n);
    memmove(bytes + 2, bytes, n);
    memcpy(out, copy, 8);
    std::memcpy(out + 2, bytes, 4);
    pair *p = new (out + 3) pair(apply(twice, 3), 9);
    p->a++;
}
