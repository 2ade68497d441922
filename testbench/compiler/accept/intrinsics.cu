// SPDX-License-Identifier: Apache-2.0
#include <cuda.h>
#include <math.h>
#include <stdint.h>
__global__ void bits(uint32_t *y) {
    y[0] = __clz(0x00ffffff);
    y[1] = __popc(0xf0f0);
    y[2] = __ffs(8);
    y[3] = __brev(1);
    y[4] = __byte_perm(0x33221100, 0x77665544, 0x5140);
    y[5] = __funnelshift_l(0x80000000u, 1, 1);
    y[6] = __mul24(-3, 5);
    y[7] = __umulhi(0x80000000u, 6);
    y[8] = __sad(-2, 5, 10);
    y[9] = __hadd(-3, -4);
    y[10] = __rhadd(3, 4);
    y[11] = __clzll(1) + __popcll(0xff00ff00ff00ll) + __ffsll(1ll << 40);
    y[12] = __float_as_int(1.0f);
    y[13] = (uint32_t)__mul64hi(1ll << 40, 1ll << 40);
    y[14] = min(-1, 1u) + max(7, 2u);
    y[15] = warpSize + INT_MAX + (int)sizeof(uint64_t);
}
__global__ void rounds(float *y, int32_t *z) {
    y[0] = __fadd_rz(1.0f, 1e-10f);
    y[1] = __fadd_ru(1.0f, 1e-10f);
    y[2] = __fmul_rd(-1.0f, 1.5f);
    y[3] = __int2float_rn(16777217);
    y[4] = pow(2.0f, 3) + fmaxf(1.0f, 2.0f) + sqrt(16);
    y[5] = ldexpf(1.5f, 3) + min(2.5f, 3.5f) + abs(-1.0f);
    y[6] = isnan(NAN) + isinf(INFINITY) * 2 + (signbit(-1.0f) ? 4 : 0);
    y[7] = (float)M_PI;
    z[0] = __float2int_rn(2.5f);
    z[1] = __float2int_ru(2.25f);
    z[2] = __float2int_rd(-2.25f);
    z[3] = __float2int_rz(-2.75f);
    int e;
    z[4] = (int)(8 * frexpf(12.0f, &e));
    z[5] = e;
    float whole;
    z[6] = (int)(8 * modff(3.25f, &whole));
    z[7] = (int)whole;
}
