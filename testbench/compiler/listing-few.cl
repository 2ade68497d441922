// SPDX-License-Identifier: Apache-2.0
// Kernels for few registers, and for many: listing.sh.

// With 8 registers values go to local memory
// options: --max-registers 8
// has: LST\.U32
// has: LLD\.U32
// registers: 8
__kernel void spilled(__global uint *y) {
    uint i = get_local_id(0), v[16];
    for (int k = 0; k < 16; k++) v[k] = y[16 * i + k];
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int k = 0; k < 16; k++) y[16 * i + k] = v[15 - k] * v[k] + v[(k + 5) & 15];
}

// With all of them they do not
// lacks: LLD|LST
__kernel void many_registers(__global uint *y) {
    uint i = get_local_id(0), v[100];
#pragma unroll
    for (int k = 0; k < 100; k++) v[k] = y[100 * i + k];
    barrier(CLK_GLOBAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < 100; k++) y[100 * i + k] = v[99 - k] ^ v[k];
}

// More flags than four: as masks in registers
// has: C2R R
// has: R2C C
__kernel void many_flags(__global uint *y, uint n, uint a, uint b, uint c, uint d, uint e) {
    uint i = get_local_id(0), sum = 0;
#pragma unroll 1
    for (uint k = 0; k < n; k++) {
        if (a > 5) sum += y[k];
        if (b > 5) sum ^= y[k + 1] * sum;
        if (c > 5) sum -= y[k + 2];
        if (d > 5) sum |= y[k + 3] * sum;
        if (e > 5) sum &= y[k + 4];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    y[i] = sum;
}
