/* SPDX-License-Identifier: Apache-2.0 */
/* See integer.h. */
#include "integer.h"

#include "number.h"

__extension__ typedef __int128 signed_wide;

uint64_t as_number(uint64_t value, struct type type) {
    return type.kind == 's' ? (uint64_t)sign_extended(value, type.bits) : low_bits(value, type.bits);
}

static bool is_less(uint64_t a, uint64_t b, struct type type) {
    if (type.kind == 's') return sign_extended(a, type.bits) < sign_extended(b, type.bits);
    return a < b;
}

static uint64_t clamped(signed_wide n, struct type type) {
    const signed_wide range = (signed_wide)1 << type.bits;
    const signed_wide most = type.kind == 's' ? range / 2 - 1 : range - 1;
    const signed_wide least = type.kind == 's' ? -range / 2 : 0;
    return low_bits((uint64_t)(n < least ? least : n > most ? most : n), type.bits);
}

static signed_wide wide_number(uint64_t value, struct type type) {
    return type.kind == 's' ? (signed_wide)sign_extended(value, type.bits) : (signed_wide)low_bits(value, type.bits);
}

uint64_t integer_clamped(uint64_t value, struct type from, struct type to) {
    return clamped(wide_number(value, from), to);
}

/* ---------------------------------------------------------------------------------------------------- products */

/* Both halves of the product of the factors, in the last type. */
static wide product(const uint64_t s[4], struct type type) {
    return (wide)wide_number(s[0], type) * (wide)wide_number(s[1], type);
}

static uint64_t multiplied(const struct instruction *i, const uint64_t s[4]) {
    const struct type type = i->types[0];
    const wide p = product(s, type);
    if (has_word(&i->words, W_WIDE)) return low_bits((uint64_t)p, 2u * type.bits);
    return low_bits((uint64_t)(has_word(&i->words, W_HI) ? p >> type.bits : p), type.bits);
}

/* Bits 47..16 or 31..0 of the product of the low 24 bits. */
static uint64_t multiplied24(const struct instruction *i, const uint64_t s[4]) {
    const struct type type = {i->types[0].kind, 24};
    const wide p = product(s, type);
    return (uint32_t)(has_word(&i->words, W_HI) ? p >> 16 : p);
}

static uint64_t multiplied_added(const struct instruction *i, const uint64_t s[4]) {
    const bool is_wide = has_word(&i->words, W_WIDE);
    const struct type type = {i->types[0].kind, (uint8_t)(is_wide ? 2 * i->types[0].bits : i->types[0].bits)};
    const uint64_t p = i->opcode == OP_MAD24 ? multiplied24(i, s) : multiplied(i, s);
    if (has_word(&i->words, W_SAT)) return clamped(wide_number(p, type) + wide_number(s[2], type), type);
    return low_bits(p + s[2], type.bits);
}

static uint64_t divided(const struct instruction *i, const uint64_t s[4], bool *defined) {
    const struct type type = i->types[0];
    const signed_wide a = wide_number(s[0], type);
    const signed_wide b = wide_number(s[1], type);
    const signed_wide least = -((signed_wide)1 << (type.bits - 1));
    *defined = b != 0 && !(type.kind == 's' && a == least && b == -1);
    if (!*defined) return 0;
    return low_bits((uint64_t)(i->opcode == OP_DIV ? a / b : a % b), type.bits);
}

/* -------------------------------------------------------------------------------------------------------- bits */

static uint64_t reversed(uint64_t value, unsigned bits) {
    uint64_t result = 0;
    for (unsigned i = 0; i < bits; i++) result |= (value >> i & 1) << (bits - 1 - i);
    return result;
}

static unsigned leading_zeros(uint64_t value, unsigned bits) {
    unsigned n = 0;
    while (n < bits && (value >> (bits - 1 - n) & 1) == 0) n++;
    return n;
}

/* Position of the highest bit that differs from the sign; all ones if there is none. */
static uint64_t found(const struct instruction *i, uint64_t value) {
    const struct type type = i->types[0];
    if (type.kind == 's' && sign_extended(value, type.bits) < 0) value = low_bits(~value, type.bits);
    if (value == 0) return 0xffffffff;
    const unsigned zeros = leading_zeros(value, type.bits);
    return has_word(&i->words, W_SHIFTAMT) ? zeros : type.bits - 1 - zeros;
}

/* Bits beyond the field repeat the sign, which is bit min(pos + len - 1, msb), 0 if len is 0. */
static uint64_t extracted(struct type type, uint64_t a, uint64_t position, uint64_t length) {
    const unsigned msb = type.bits - 1u;
    const unsigned pos = position & 255;
    const unsigned len = length & 255;
    const unsigned last = pos + len - 1 < msb ? pos + len - 1 : msb;
    const uint64_t sign = type.kind != 's' || len == 0 ? 0 : a >> last & 1;
    uint64_t result = 0;
    for (unsigned i = 0; i <= msb; i++) result |= (i < len && pos + i <= msb ? a >> (pos + i) & 1 : sign) << i;
    return result;
}

static uint64_t inserted(unsigned bits, const uint64_t s[4]) {
    const unsigned pos = s[2] & 255;
    const unsigned len = s[3] & 255;
    uint64_t result = s[1];
    for (unsigned i = 0; i < len && pos + i < bits; i++)
        result = (result & ~((uint64_t)1 << (pos + i))) | (s[0] >> i & 1) << (pos + i);
    return result;
}

static uint64_t shifted(const struct instruction *i, uint64_t value, uint64_t amount) {
    const struct type type = i->types[0];
    if (i->opcode == OP_SHL) return amount >= type.bits ? 0 : low_bits(value << amount, type.bits);
    if (type.kind != 's') return amount >= type.bits ? 0 : value >> amount;
    const int64_t number = sign_extended(value, type.bits);
    return low_bits((uint64_t)(number >> (amount >= type.bits ? type.bits - 1u : amount)), type.bits);
}

static uint64_t funnel(const struct instruction *i, const uint64_t s[4]) {
    const uint64_t both = s[1] << 32 | s[0];
    const unsigned n = (unsigned)(has_word(&i->words, W_WRAP) ? s[2] & 31 : s[2] > 32 ? 32 : s[2]);
    if (has_word(&i->words, W_L)) return n == 32 ? (uint32_t)s[0] : (uint32_t)(both << n >> 32);
    return (uint32_t)(both >> n);
}

/* The selectors of the six modes: the byte of b:a for byte n of the result. */
static unsigned permuted_byte(const struct instruction *i, unsigned n, uint64_t control) {
    const unsigned c = control & 3;
    if (has_word(&i->words, W_F4E)) return n + c;
    if (has_word(&i->words, W_B4E)) return (c + 8 - n) & 7;
    if (has_word(&i->words, W_RC8)) return c;
    if (has_word(&i->words, W_ECL)) return n > c ? n : c;
    if (has_word(&i->words, W_ECR)) return n < c ? n : c;
    if (has_word(&i->words, W_RC16)) return (c & 1) * 2 + (n & 1);
    return (unsigned)(control >> 4 * n & 15);
}

static uint64_t permuted(const struct instruction *i, const uint64_t s[4]) {
    const uint64_t both = s[1] << 32 | s[0];
    uint64_t result = 0;
    for (unsigned n = 0; n < 4; n++) {
        const unsigned select = permuted_byte(i, n, s[2]);
        const uint64_t byte = both >> 8 * (select & 7) & 255;
        result |= ((select & 8) == 0 ? byte : byte >= 128 ? 255u : 0u) << 8 * n;
    }
    return result;
}

/* ------------------------------------------------------------------------------------------------------ the rest */

static uint64_t sum(const struct instruction *i, const uint64_t s[4]) {
    const struct type type = i->types[0];
    const bool subtract = i->opcode == OP_SUB;
    const signed_wide a = wide_number(s[0], type);
    const signed_wide b = wide_number(s[1], type);
    if (has_word(&i->words, W_SAT)) return clamped(subtract ? a - b : a + b, type);
    return low_bits(subtract ? s[0] - s[1] : s[0] + s[1], type.bits);
}

static uint64_t of_one(const struct instruction *i, uint64_t a) {
    const struct type type = i->types[0];
    switch (i->opcode) {
    case OP_ABS: return low_bits((int64_t)as_number(a, type) < 0 ? 0 - as_number(a, type) : a, type.bits);
    case OP_NEG: return low_bits(0 - a, type.bits);
    case OP_NOT: return low_bits(~a, type.bits);
    case OP_CNOT: return a == 0;
    case OP_POPC: return (uint64_t)__builtin_popcountll(a);
    case OP_CLZ: return leading_zeros(a, type.bits);
    case OP_BREV: return reversed(a, type.bits);
    default: return found(i, a);
    }
}

static uint64_t difference_added(struct type type, const uint64_t s[4]) {
    const uint64_t difference = is_less(s[0], s[1], type) ? s[1] - s[0] : s[0] - s[1];
    return low_bits(s[2] + difference, type.bits);
}

uint64_t integer_result(const struct instruction *i, const uint64_t s[4], bool *defined) {
    const struct type type = i->types[0];
    switch (i->opcode) {
    case OP_ADD:
    case OP_SUB: return sum(i, s);
    case OP_MUL: return multiplied(i, s);
    case OP_MUL24: return multiplied24(i, s);
    case OP_MAD:
    case OP_MAD24: return multiplied_added(i, s);
    case OP_SAD: return difference_added(type, s);
    case OP_DIV:
    case OP_REM: return divided(i, s, defined);
    case OP_MIN: return is_less(s[0], s[1], type) ? s[0] : s[1];
    case OP_MAX: return is_less(s[0], s[1], type) ? s[1] : s[0];
    case OP_AND: return s[0] & s[1];
    case OP_OR: return s[0] | s[1];
    case OP_XOR: return s[0] ^ s[1];
    case OP_SHL:
    case OP_SHR: return shifted(i, s[0], s[1]);
    case OP_SHF: return funnel(i, s);
    case OP_BFE: return extracted(type, s[0], s[1], s[2]);
    case OP_BFI: return inserted(type.bits, s);
    case OP_PRMT: return permuted(i, s);
    default: return of_one(i, s[0]);
    }
}

uint64_t integer_add_carry(uint64_t a, uint64_t b, bool subtract, unsigned bits, bool *carry) {
    const wide in = *carry ? 1 : 0;
    const wide result = subtract ? (wide)a - b - in : (wide)a + b + in;
    *carry = (result >> bits & 1) != 0;
    return low_bits((uint64_t)result, bits);
}

bool integer_compare(enum word comparison, uint64_t a, uint64_t b, struct type type) {
    switch (comparison) {
    case W_EQ: return a == b;
    case W_NE: return a != b;
    case W_LT:
    case W_LO: return is_less(a, b, type);
    case W_LE:
    case W_LS: return !is_less(b, a, type);
    case W_GT:
    case W_HI: return is_less(b, a, type);
    default: return !is_less(a, b, type);
    }
}

uint64_t integer_atomic(enum word operation, uint64_t old, uint64_t b, uint64_t c, struct type type) {
    switch (operation) {
    case W_AND: return old & b;
    case W_OR: return old | b;
    case W_XOR: return old ^ b;
    case W_ADD: return low_bits(old + b, type.bits);
    case W_MIN: return is_less(b, old, type) ? b : old;
    case W_MAX: return is_less(old, b, type) ? b : old;
    case W_INC: return old >= b ? 0 : old + 1;
    case W_DEC: return old == 0 || old > b ? b : old - 1;
    case W_CAS: return old == b ? c : old;
    default: return b;
    }
}
