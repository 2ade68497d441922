/* SPDX-License-Identifier: Apache-2.0 */
/* Floating point of any format, exactly: a number is an integer of up to 128 bits times a power of two, rounded once.
 *
 *     struct number a = number_unpack(x, &FORMAT_F32, ftz);
 *     uint64_t bits = number_pack(number_add(a, b, TO_NEAREST), &FORMAT_F32, TO_NEAREST, ftz);
 */
#ifndef GOLDEN_PTX_NUMBER_H
#define GOLDEN_PTX_NUMBER_H

#include "ptx.h"

__extension__ typedef unsigned __int128 wide;

enum rounding { TO_NEAREST, TO_ZERO, DOWNWARD, UPWARD };

struct number_format {
    unsigned bits, fraction;
    int bias;
};
extern const struct number_format FORMAT_F16, FORMAT_F32, FORMAT_F64;
const struct number_format *number_format_of(unsigned bits);

/* A FINITE one is m * 2^exponent, m not 0. If lower bits were lost, bit 0 of m is set, with enough bits above it. */
struct number {
    enum { ZERO, FINITE, INFINITE, NOT_A_NUMBER } kind;
    bool negative;
    int exponent;
    wide m;
};

/* flush: a subnormal becomes a zero of its sign; a result is subnormal by its value after rounding to an unlimited
 * exponent. */
struct number number_unpack(uint64_t bits, const struct number_format *format, bool flush);
uint64_t number_pack(struct number n, const struct number_format *format, enum rounding rounding, bool flush);

/* The rounding decides the sign of an exact zero. */
struct number number_add(struct number a, struct number b, enum rounding rounding);
struct number number_multiply(struct number a, struct number b);
struct number number_divide(struct number a, struct number b);
struct number number_root(struct number a);
struct number number_negate(struct number a);

/* -1, 0, 1; neither may be NOT_A_NUMBER. */
int number_order(struct number a, struct number b);

struct number number_of_integer(uint64_t magnitude, bool negative);
struct number number_integral(struct number n, enum rounding rounding);
/* Clamped to the range; 0 for NOT_A_NUMBER. */
uint64_t number_to_integer(struct number n, enum rounding rounding, bool is_signed, unsigned bits);

/* The bits of a literal, in a type of this width. */
uint64_t number_literal(enum literal literal, uint64_t bits, unsigned wanted);
uint64_t number_literal_of_integer(int64_t value, unsigned wanted);

#endif
