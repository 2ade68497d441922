/* SPDX-License-Identifier: Apache-2.0 */
/* Sections 3 and 9 of docs/isa.md, the atomics of 5.4 and the conditions of 2.7. */
#include "rules.h"

static uint64_t mask(int bits) { return (UINT64_C(1) << bits) - 1; }

static bool top_bit(uint64_t value, int bits) { return (value & (mask(bits) / 2 + 1)) != 0; }

int64_t rule_number_of(uint32_t value, struct type type) {
    int64_t low = (int64_t)(value & mask(type.bits));
    return type.is_signed && top_bit(value, type.bits) ? low - ((int64_t)1 << type.bits) : low;
}

struct result rule_result_of(uint64_t value, int bits, unsigned carry_overflow) {
    value &= mask(bits);
    unsigned flags = carry_overflow & (FLAG_C | FLAG_O);
    if (value == 0) flags |= FLAG_Z;
    if (top_bit(value, bits)) flags |= FLAG_S;
    return (struct result){(uint32_t)value, flags};
}

struct result rule_sum(uint32_t x, uint32_t y, unsigned carry, int bits, bool saturated) {
    uint64_t total = (x & mask(bits)) + (y & mask(bits)) + carry;
    bool overflow = top_bit(x, bits) == top_bit(y, bits) && top_bit(x, bits) != top_bit(total, bits);
    unsigned flags = (total > mask(bits) ? FLAG_C : 0) | (overflow ? FLAG_O : 0);
    if (saturated && overflow) total = top_bit(total, bits) ? mask(bits - 1) : UINT64_C(1) << (bits - 1);
    return rule_result_of(total, bits, flags);
}

uint32_t rule_product(int64_t a, int64_t b, bool high) {
    uint64_t bits = (uint64_t)(a * b);
    return (uint32_t)(high ? bits >> 16 : bits);
}

uint32_t rule_word_of_product(uint32_t a, uint32_t b, bool high) {
    uint64_t product = (uint64_t)a * b;
    return (uint32_t)(high ? product >> 32 : product);
}

uint32_t rule_division(int64_t a, int64_t b, bool remainder) {
    if (b == 0) return UINT32_MAX;
    return (uint32_t)(remainder ? a % b : a / b);
}

struct result rule_shift_left(uint32_t a, uint32_t count, int bits) {
    bool within = count > 0 && count < (uint32_t)bits;
    uint64_t value = count < (uint32_t)bits ? (uint64_t)a << count : 0;
    unsigned flags = within && (value >> bits & 1) ? FLAG_C : 0;
    if (count == 1 && top_bit(a, bits) != top_bit(value, bits)) flags |= FLAG_O;
    return rule_result_of(value, bits, flags);
}

struct result rule_shift_right(uint32_t a, uint32_t count, struct type type) {
    int64_t number = rule_number_of(a, type);
    bool within = count > 0 && count < (uint32_t)type.bits;
    int64_t fill = number < 0 ? -1 : 0;
    int64_t power = within ? (int64_t)1 << count : 1;
    /* the quotient, rounded down */
    int64_t value = count >= (uint32_t)type.bits ? fill : (number - (number % power + power) % power) / power;
    unsigned flags = within && (a >> (count - 1) & 1) ? FLAG_C : 0;
    if (count == 1 && top_bit(a, type.bits) != top_bit((uint64_t)value, type.bits)) flags |= FLAG_O;
    return rule_result_of((uint64_t)value, type.bits, flags);
}

enum relation rule_relation_of(int64_t a, int64_t b) {
    if (a < b) return LESS;
    return a == b ? EQUAL : GREATER;
}

int64_t rule_clamp(int64_t number, struct type type) {
    int64_t high = (int64_t)mask(type.is_signed ? type.bits - 1 : type.bits);
    int64_t low = type.is_signed ? -high - 1 : 0;
    if (number < low) return low;
    return number > high ? high : number;
}

uint32_t rule_combine(enum logic logic, uint32_t a, uint32_t b) {
    switch (logic) {
    case LOGIC_AND: return a & b;
    case LOGIC_OR: return a | b;
    case LOGIC_XOR: return a ^ b;
    case LOGIC_PASS_B: break;
    }
    return b;
}

/* INC and DEC with .S32 and a negative operand are special cases. */
static uint32_t step(enum atomic atomic, bool negative, uint32_t old, uint32_t a) {
    if (atomic == ATOMIC_INC && negative) return old < a ? a : old + 1;
    if (atomic == ATOMIC_INC) return old >= a ? 0 : old + 1;
    if (negative) return 0;
    return old == 0 || old > a ? a : old - 1;
}

uint32_t rule_atomic_result(const struct instruction *i, uint32_t old, uint32_t a, uint32_t b) {
    struct type type = i->types[0];
    int64_t x = rule_number_of(old, type), y = rule_number_of(a, type);
    switch (i->atomic) {
    case ATOMIC_IADD: return old + a;
    case ATOMIC_EXCH: return a;
    case ATOMIC_CAS: return old == a ? b : old;
    case ATOMIC_INC:
    case ATOMIC_DEC: return step(i->atomic, y < 0, old, a);
    case ATOMIC_IMAX: return x > y ? old : a;
    case ATOMIC_IMIN: return x < y ? old : a;
    case ATOMIC_LOGIC: break;
    }
    return rule_combine(i->logic, old, a);
}

/* The formulas that follow from the flags of a comparison a - b; 20 to 27 are reserved. */
bool rule_condition_holds(unsigned code, unsigned flags) {
    bool z = flags & FLAG_Z, s = flags & FLAG_S, c = flags & FLAG_C, o = flags & FLAG_O;
    switch (code) {
    case 1: return (s && !z) != o;
    case 2: return z && !s;
    case 3: return s != (z || o);
    case 4: return !z && s == o;
    case 5: return !z;
    case 6: return s == o;
    case 7: return !z || !s;
    case 8: return z && s;
    case 9: return s != o;
    case 10: return z;
    case 11: return z || s != o;
    case 12: return !s != (z || o);
    case 13: return !z || s;
    case 14: return (!s || z) != o;
    case CONDITION_TRUE: return true;
    case 16: return o;
    case 17: return c;
    case 18: return c && !z;
    case 19: return s;
    case 28: return !s;
    case 29: return z || !c;
    case 30: return !c;
    case 31: return !o;
    default: return false;
    }
}
