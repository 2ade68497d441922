/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of docs/isa.md, sections 3 and 9: a result and its flags from values. */
#ifndef CALCULATOR_RULES_H
#define CALCULATOR_RULES_H

#include "instruction.h"

/* A value as a whole number, and flags OCSZ. */
struct result {
    uint32_t value;
    unsigned flags;
};

/* The low bits of a value as a number of that type. */
int64_t rule_number_of(uint32_t value, struct type type);

/* A value of that width: Z and S follow from it, C and O as given. */
struct result rule_result_of(uint64_t value, int bits, unsigned carry_overflow);

/* x + y + carry in this number of bits. A subtraction x - y is rule_sum(x, ~y, 1). */
struct result rule_sum(uint32_t x, uint32_t y, unsigned carry, int bits, bool saturated);

/* Bits 0 to 31 of the product of two numbers, or bits 16 to 47. */
uint32_t rule_product(int64_t a, int64_t b, bool high);

/* Of sm_10x, isa.md 9: a word of the product of two words; quotient or remainder, rounded towards zero. */
uint32_t rule_word_of_product(uint32_t a, uint32_t b, bool high);
uint32_t rule_division(int64_t a, int64_t b, bool remainder);

struct result rule_shift_left(uint32_t a, uint32_t count, int bits);
struct result rule_shift_right(uint32_t a, uint32_t count, struct type type);

enum relation rule_relation_of(int64_t a, int64_t b);

/* A number clamped to the range of a type. */
int64_t rule_clamp(int64_t number, struct type type);

uint32_t rule_combine(enum logic logic, uint32_t a, uint32_t b);

/* The word that an atomic operation writes: old is the memory's content, a and b are the operands. */
uint32_t rule_atomic_result(const struct instruction *i, uint32_t old, uint32_t a, uint32_t b);

#endif
