/* SPDX-License-Identifier: Apache-2.0 */
/* Integer and logic instructions of PTX, as functions of values. Values are in the low bits of a word, the others
 * zero. */
#ifndef GOLDEN_PTX_INTEGER_H
#define GOLDEN_PTX_INTEGER_H

#include "ptx.h"

static inline uint64_t low_bits(uint64_t value, unsigned bits) {
    return bits >= 64 ? value : value & (((uint64_t)1 << bits) - 1);
}

static inline int64_t sign_extended(uint64_t value, unsigned bits) {
    const uint64_t sign = (uint64_t)1 << (bits - 1);
    return (int64_t)((low_bits(value, bits) ^ sign) - sign);
}

/* A value of the type as a number, modulo 2^64. */
uint64_t as_number(uint64_t value, struct type type);

/* The result of the instruction for these sources, which have its last type (shifts, positions and lengths: u32; the
 * addend of .wide: twice the bits). *defined is cleared if the PTX ISA leaves the result open. */
uint64_t integer_result(const struct instruction *i, const uint64_t s[4], bool *defined);

/* a + b + carry, or a - b - carry; carry in and out of the type's bits. */
uint64_t integer_add_carry(uint64_t a, uint64_t b, bool subtract, unsigned bits, bool *carry);

bool integer_compare(enum word comparison, uint64_t a, uint64_t b, struct type type);

/* Clamps to the range of the type. */
uint64_t integer_clamped(uint64_t value, struct type from, struct type to);

/* New value of an atomic's word, for integers only. */
uint64_t integer_atomic(enum word operation, uint64_t old, uint64_t b, uint64_t c, struct type type);

#endif
