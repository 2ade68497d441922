/* SPDX-License-Identifier: Apache-2.0 */
/* What must not become a multiply-add, whose product is cut off: of 1 + 2^-12 + 2^-23, squared, it takes a unit. */
__global__ void k(float *out, float x, float y, float z) {
    out[0] = x * z + y;
    out[1] = __fmul_rn(x, x) + y;
    out[2] = __fadd_rn(x * x, y);
    out[3] = __fsub_rn(x * x, -y);
    float product;
    asm("mul.rn.f32 %0, %1, %1;" : "=f"(product) : "f"(x));
    out[4] = product + y;
}
