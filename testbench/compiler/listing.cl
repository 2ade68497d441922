// SPDX-License-Identifier: Apache-2.0
// Kernels and what their listings have and lack, as extended regular expressions: listing.sh.
__constant uint TABLE[64] = {1, 2, 3};

// A shared operand in place, by an A register and an offset
// has: FMUL(32)? R[0-9]+, g \[A1\+0x[1-9a-f]
// lacks: ADA|MOV(32)? R[0-9]+, g \[A
__kernel void shared_operand(__global float *y) {
    __local float s[64];
    uint i = get_local_id(0);
    s[i] = y[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = s[i + 1] * y[i + 64];
}

// A constant in place
// has: LOP\.XOR R[0-9]+, R[0-9]+, c \[0x0\] ?\[A1
// lacks: MVC
__kernel void constant_operand(__global uint *y) {
    uint i = get_local_id(0);
    y[i] = TABLE[i & 63] ^ y[i + 64];
}

// Immediates: of 32 bits, in literals under a guard or where flags are set, of shifts
// has: FMUL32I R[0-9]+, R[0-9]+, 0x40400000
// has: IADD32I R[0-9]+, R[0-9]+, 0x64
// has: ISET.* c \[0x1\] \[0x[0-9a-f]\], (GE|GT|LE|LT)
// has: SHL R[0-9]+, R[0-9]+, 0x2
// lacks: MVI
__kernel void immediates(__global float *y, __global uint *x) {
    uint i = get_global_id(0);
    y[i] = y[i] * 3.0f;
    x[i] += 100;
    if (i > 1000) x[i + 5] = i;
}

// Two halves take the place of one instruction
// has: FMUL32 |FADD32 |FMAD32 |IADD32 |MOV32 
__kernel void halves(__global float *y, __global const float *x) {
    uint i = get_local_id(0);
    float a = x[i], b = x[i + 64], c = x[i + 128];
    y[i] = (a * b + c) * (a + b) + (c + a) * b;
}

// Offsets of one A register
// has: g \[A1\+0x6\]
// has: g \[A1\+0x8\]
// lacks: A2|ADA
__kernel void offsets(__global uint *y) {
    __local uint s[64];
    uint i = get_local_id(0);
    s[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = s[i] + s[i + 1] + s[i + 2] + s[i + 3];
}

// An A register that an access moves on
// has: g \[A[1-4]\+\+\+0x1\]
__kernel void post_increment(__global float *y, int n, __local float *s) {
    uint i = get_local_id(0);
    float sum = 0;
    s[i] = y[i];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (int k = 0; k < n; k++) sum += s[k];
    y[i] = sum;
}

// An A register that grows by itself
// has: ADA A[1-4], A[1-4], 0x10|\+\+\+0x4
// lacks: IADD32I R[0-9]+, R[0-9]+, 0x10
__kernel void growing_address(__global float *y, int n, __local float4 *s) {
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; k++) sum += s[k].x * s[k].y + s[k].z;
    y[get_local_id(0)] = sum;
}

// Parameters in place, halves of them in products
// has: FMAD.* g \[0x6\]
// has: IMUL.* g \[0x(e|f)\]\.U16
// lacks: MOV(32)? R[0-9]+, g \[0x[4-7]\]
__kernel void parameters(__global float *y, __global const float *x, float a, uint step) {
    uint i = get_local_id(0) * step;
    y[i] = a * x[i] + y[i];
}

// A product and a sum are one instruction
// has: FMAD
// lacks: FADD|FMUL
__kernel void contraction(__global float *y, float a) {
    uint i = get_local_id(0);
    y[i] = a * y[i] + y[i + 64];
}

// 16 bits, as types and as values
// has: IMUL(32)?\.U16\.U16
// lacks: IMAD|U24
__kernel void products_of_16(__global const ushort *x, __global const uint *z, __global uint *y) {
    uint i = get_local_id(0);
    y[i] = x[i] * x[i + 64];
    y[i + 64] = (z[i] & 0xffff) * (z[i + 1] >> 16);
}

// has: IMUL(32)?\.S16\.S16
// lacks: IMAD|U16\.U16
__kernel void products_of_16_signed(__global const short *x, __global int *y) {
    uint i = get_local_id(0);
    y[i] = x[i] * x[i + 64];
}

// has: IMUL(32)?\.U24\.U24
// has: IMUL(32)?\.S24\.S24
// has: IMAD(32)?\.S24
// lacks: I(MUL|MAD).*\.U16
__kernel void products_of_24(__global uint *y, __global int *z) {
    uint i = get_local_id(0);
    y[i] = (y[i] & 0xffffff) * (y[i + 1] >> 8);
    z[i] = mul24(z[i], z[i + 1]);
    z[i + 64] = mad24(z[i + 64], z[i + 65], z[i + 66]);
}

// What a loop only halves stays narrow
// has: IMUL(32)?\.U16\.U16|IMAD(32)?\.U16
// lacks: R[0-9]+H
__kernel void product_in_loop(__global uint *y) {
    uint i = get_local_id(0), sum = 0;
    for (uint half_size = get_local_size(0); half_size != 0; half_size /= 2) sum += half_size * i + y[sum];
    y[i] = sum;
}

// A multiplication by a constant: shifts and sums
// has: SHL
// lacks: IMUL|IMAD
__kernel void by_constants(__global uint *y) {
    uint i = get_local_id(0);
    y[i] = y[i] * 5;
    y[i + 64] = y[i + 64] * 7;
    y[i + 128] = y[i + 128] * 48;
}

// A division by a constant: products, shifts
// lacks: RCP|I2F
__kernel void divisions(__global uint *y, __global int *z) {
    uint i = get_local_id(0);
    y[i] = y[i] / 10 + y[i] % 16;
    z[i] = z[i] / 7 + z[i] / 8;
}

// 64 bits by a carry
// has: IADD\.C[0-3] R
// has: IADD\.CARRY[0-3] R
__kernel void wide(__global ulong *y) {
    uint i = get_local_id(0);
    y[i] = y[i] + y[i + 64];
}

// has: IMAD(32)?\.U16
// has: IMAD(32)?\.S16
// lacks: IMUL
__kernel void multiply_add(__global const ushort *x, __global const short *z, __global int *y) {
    uint i = get_local_id(0);
    y[i] = x[i] * x[i + 64] + y[i + 64];
    y[i + 128] = z[i] * z[i + 64] + y[i + 64];
}

// has: ISAD
// lacks: ISET
__kernel void differences(__global uint *y) {
    uint i = get_local_id(0);
    y[i] = abs_diff(y[i], y[i + 1]) + y[i + 2];
}

// has: IMIN\.S32
// has: IMAX\.S32
// has: IMIN R
// has: FMIN
// has: FMAX
// lacks: ISET|FSET
__kernel void smallest(__global int *y, __global uint *x, __global float *z) {
    uint i = get_local_id(0);
    y[i] = max(min(y[i], y[i + 1]), y[i + 2]);
    x[i] = x[i] < x[i + 1] ? x[i] : x[i + 1];
    z[i] = fmax(fmin(z[i], z[i + 1]), 3.0f);
}

// has: IADD\.SAT
__kernel void saturated(__global int *y) {
    uint i = get_local_id(0);
    y[i] = add_sat(y[i], y[i + 1]);
}

// Few registers
// registers: 3
__kernel void few_registers(__global float *y, __global const float *x, float a, int n) {
    int i = get_global_id(0);
    if (i < n) y[i] = a * x[i] + y[i];
}

// Flags of the sum itself
// has: (IADD|SHR)\.C[0-3] R
// lacks: ISET.*EQ|ISET.*NE
__kernel void flags_of_sums(__global uint *y, int n) {
    uint i = get_local_id(0), sum = y[i];
    do {
        sum = sum * 3 ^ i;
    } while (--n);
    y[i] = sum;
}

// Threads that stay together need no SSY; those that part do
// lacks: SSY|PBK
__kernel void uniform_branch(__global uint *y, uint n, uint m) {
    uint i = get_local_id(0), sum = 0;
    if (i >= m) return;
    for (uint k = 0; k < n; k++) {
        if (m & k) sum += y[k] * y[k + m] + y[sum & 15] * m;
        sum ^= y[i + k];
    }
    y[i] = sum;
}

// has: SSY
__kernel void divergent_branch(__global uint *y) {
    uint i = get_local_id(0), sum = y[i];
    while (sum & 0xff00) sum = y[sum & 255] * sum + 1;
    y[i] = sum;
}

// A short side is guarded
// has: \(C[0-3]\.
// lacks: SSY|BRA
__kernel void guarded(__global uint *y) {
    uint i = get_local_id(0), a = y[i], b = y[i + 64];
    if (a > b) y[i + 128] = a;
}

// The last store ends the thread
// has: ^ *\.end
// lacks: RET
__kernel void last_store(__global uint *y) { y[get_local_id(0)] = 1; }

// A copy of what is equal, and a comparison with what is shifted, need no register
// lacks: MOV(32)? R[0-9]+, R
__kernel void search(__global const uint *x, __global uint *y, uint n) {
    uint i = 0, key = y[get_local_id(0)];
    while (i < n && x[i] != key) i++;
    y[get_local_id(0)] = i;
}

// Loads early, uses late
// follows: GLD[^;]*;[^;]*;[^;]*GLD[^;]*;[^;]*;[^;]*GLD[^;]*;.*R2G[^;]*;.*R2G
__kernel void loads_early(__global const uint *x, __global const uint *y, __global const uint *z, __global uint *sums) {
    __local uint s[192];
    uint i = get_local_id(0);
    s[i] = x[i] + 1;
    s[i + 64] = y[i] + 2;
    s[i + 128] = z[i] + 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[i] = s[191 - i];
}

// IMAD32 has no products of 24 bits with sign, and no upper words
// has: IMAD\.HI\.S24 R
// has: IMAD\.S24 R
// lacks: IMAD32\.(HI|S24)
__kernel void long_products(__global int *y) {
    uint i = get_local_id(0);
    int a = y[i], b = y[i + 64], c = y[i + 128], d = y[i + 192];
    c = mad24(a, b, c);
    d = mad24(a, c, d);
    __asm__("mad24.hi.s32 %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(d));
    __asm__("mad24.hi.s32 %0, %1, %2, %0;" : "+r"(d) : "r"(c), "r"(b));
    y[i] = c;
    y[i + 64] = d;
}

// Many values in registers, beside an operand that must be in the first 64
// has: I2F.*R[0-9]+L
// lacks: LLD|LST
#define EACH __attribute__((opencl_unroll_hint)) for (int i = 0; i < 118; i++)
__kernel void low_register(volatile __global uint *y) {
    uint v[118];
    EACH v[i] = y[i];
    y[200] = as_uint((float)(ushort)y[150]);
    EACH y[i] = v[117 - i];
}
