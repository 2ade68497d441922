/* SPDX-License-Identifier: Apache-2.0 */
/* A second implementation of floating point and special functions, written from docs/isa.md 2.8 and 8 alone. It shares
 * neither code nor methods with the model: numbers are whole rows of bits, long enough for every exact sum and product,
 * and each rule about a bit reads that bit.
 *
 *     float_reference_open("golden/float/sfu-tables.csv");      // before many special functions
 *     uint32_t d = reference_fmad(a, b, c);
 */
#ifndef WARPSTEP_FLOAT_REFERENCE_H
#define WARPSTEP_FLOAT_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* False if the file cannot be read, or if sfu_tables.def was not made from it. Special functions are faster afterwards.
 * Not thread-safe. */
bool float_reference_open(const char *path);

/* Operands are the bits after their modifiers; code is the rounding, 0 nearest, 1 down, 2 up, 3 toward zero. */
uint32_t reference_fadd(uint32_t a, uint32_t b, unsigned code);
uint32_t reference_fmul(uint32_t a, uint32_t b, unsigned code);
uint32_t reference_fmad(uint32_t a, uint32_t b, uint32_t c);
uint32_t reference_fset(uint32_t a, uint32_t b, unsigned relations);
uint32_t reference_fmax(uint32_t a, uint32_t b);
uint32_t reference_fmin(uint32_t a, uint32_t b);
uint32_t reference_fcmp(uint32_t a, uint32_t b, uint32_t c);
uint32_t reference_saturate(uint32_t x);

/* A conversion and its modifiers. `source` and `result` are the widths of the formats; of the integer, if one end is
 * one. */
struct reference_conversion {
    unsigned source, result;
    bool source_signed, result_signed;
    bool absolute, negate, saturate, integral;
    unsigned code;
};
uint32_t reference_i2f(uint32_t x, const struct reference_conversion *how);
uint32_t reference_f2i(uint32_t x, const struct reference_conversion *how);
uint32_t reference_f2f(uint32_t x, const struct reference_conversion *how);

uint32_t reference_rcp(uint32_t x);
uint32_t reference_rsq(uint32_t x);
uint32_t reference_lg2(uint32_t x);
uint32_t reference_sin(uint32_t x);
uint32_t reference_cos(uint32_t x);
uint32_t reference_ex2(uint32_t x);
uint32_t reference_rro_sin(uint32_t x);
uint32_t reference_rro_ex2(uint32_t x);

#endif
