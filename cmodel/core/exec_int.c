/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic: IADD, IMUL, IMAD, ISAD; of sm_10x WMUL, WMAD, IDIV, IREM. Source: docs/isa.md 3.1 to 3.4, 9. */
#include "exec.h"

/* x + y + cin on `bits` (16 or 32) bits; x and y fit, cin is 0 or 1. Carry out of the top bit, signed overflow. Source:
 * docs/isa.md 3.1. A subtraction is a sum with an inverted operand and cin = 1, so its carry means "no borrow". */
LANES_INLINE struct alu_out add(uint32_t x, uint32_t y, uint32_t cin, unsigned bits) {
    const uint32_t sum = x + y + cin;
    const uint32_t carries = (x & y) | ((x | y) & ~sum);
    const uint32_t overflows = ~(x ^ y) & (x ^ sum);
    return (struct alu_out){
        .value = sum & width_mask(bits),
        .carry = carries >> (bits - 1) & 1,
        .overflow = overflows >> (bits - 1) & 1,
    };
}

/* The largest positive value if the sum overflowed to a negative one, the most negative if it overflowed to a positive
 * one. Source: docs/isa.md 3.1. */
LANES_INLINE uint32_t saturate(struct alu_out sum, unsigned bits) {
    const uint32_t top = (uint32_t)1 << (bits - 1);
    const uint32_t limit = (sum.value & top) != 0 ? top - 1 : top;
    return sum.overflow != 0 ? limit : sum.value;
}

/* The terms of an addition: (a ^ flip_a) + (b ^ flip_b) + one + carry flag. */
struct addition {
    unsigned bits;
    uint32_t flip_a, flip_b; /* all ones of the width: the operand is inverted */
    uint32_t one;            /* 1 with an inverted operand: together they negate it */
    uint32_t carry;          /* lanes whose carry flag is added */
    bool saturate, flags;
};

LANES_INLINE struct addition addition_of(const struct exec_in *in, unsigned bits, bool negate_a, bool negate_b) {
    const uint32_t attr = in->insn->attr;
    const bool with_carry = (attr & ISA_CARRY) != 0;
    return (struct addition){
        .bits = bits,
        .flip_a = negate_a ? width_mask(bits) : 0,
        .flip_b = negate_b ? width_mask(bits) : 0,
        .one = (negate_a || negate_b) && !with_carry ? 1 : 0,
        .carry = with_carry ? in->carry : 0,
        .saturate = (attr & ISA_SAT) != 0,
        .flags = in->insn->set_c,
    };
}

LANES_INLINE void add_lanes(const uint32_t *a, const uint32_t *b, const struct addition *how, struct exec_out *out) {
    /* Carry and overflow are unused. Same result, faster. */
    if (how->carry == 0 && !how->saturate && !how->flags && how->bits == 32) {
        for (unsigned i = 0; i < WARP_LANES; i++)
            out->value[i] = (a[i] ^ how->flip_a) + (b[i] ^ how->flip_b) + how->one;
        return;
    }
    uint32_t carry = 0;
    uint32_t overflow = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const uint32_t cin = (how->carry & LANE_BIT[i]) != 0 ? 1 : how->one;
        const struct alu_out sum = add(a[i] ^ how->flip_a, b[i] ^ how->flip_b, cin, how->bits);
        out->value[i] = how->saturate ? saturate(sum, how->bits) : sum.value;
        carry |= sum.carry != 0 ? LANE_BIT[i] : 0;
        overflow |= sum.overflow != 0 ? LANE_BIT[i] : 0;
    }
    out->carry = carry;
    out->overflow = overflow;
}

EXEC(exec_iadd) {
    const uint32_t attr = in->insn->attr;
    const struct addition how = addition_of(in, exec_width(in->insn), (attr & ISA_NEG_A) != 0, (attr & ISA_NEG_B) != 0);
    add_lanes(in->a, in->b, &how, out);
}

/* Product of two 16-bit operands, each signed if its sign bit is given: 32 bits. Source: docs/isa.md 3.2. */
LANES_INLINE uint32_t mul16(uint32_t a, uint32_t b, uint32_t sign_a, uint32_t sign_b) {
    return extend(a & 0xffff, sign_a) * extend(b & 0xffff, sign_b);
}

/* Low 32 bits of the product of the low 24 bits. */
LANES_INLINE uint32_t mul24(uint32_t a, uint32_t b, uint32_t sign) {
    return extend(a & 0xffffff, sign) * extend(b & 0xffffff, sign);
}

/* Bits 16..47 of the product of the low 24 bits. */
LANES_INLINE uint32_t mul24_hi(uint32_t a, uint32_t b, uint32_t sign) {
    const int64_t x = (int32_t)extend(a & 0xffffff, sign);
    const int64_t y = (int32_t)extend(b & 0xffffff, sign);
    return (uint32_t)((uint64_t)(x * y) >> 16);
}

LANES_INLINE void multiply_lanes(const struct exec_in *in, uint32_t *product) {
    const uint32_t attr = in->insn->attr;
    if ((attr & ISA_M24) == 0) {
        const uint32_t sign_a = (attr & ISA_SIGN_A) != 0 ? 0x8000 : 0;
        const uint32_t sign_b = (attr & ISA_SIGN_B) != 0 ? 0x8000 : 0;
        for (unsigned i = 0; i < WARP_LANES; i++) product[i] = mul16(in->a[i], in->b[i], sign_a, sign_b);
        return;
    }
    const uint32_t sign = (attr & ISA_SIGN_A) != 0 ? 0x800000 : 0;
    if ((attr & ISA_HI) != 0) {
        for (unsigned i = 0; i < WARP_LANES; i++) product[i] = mul24_hi(in->a[i], in->b[i], sign);
        return;
    }
    for (unsigned i = 0; i < WARP_LANES; i++) product[i] = mul24(in->a[i], in->b[i], sign);
}

EXEC(exec_imul) { multiply_lanes(in, out->value); }

/* product + c, as an addition of 32 bits, whose flags and saturation apply. Source: docs/isa.md 3.3. */
EXEC(exec_imad) {
    const uint32_t attr = in->insn->attr;
    const struct addition how = addition_of(in, 32, (attr & ISA_NEG_P) != 0, (attr & ISA_NEG_C) != 0);
    uint32_t product[WARP_LANES];
    multiply_lanes(in, product);
    add_lanes(product, in->c, &how, out);
}

/* |a - b|, modulo 2^32; a and b extended to 32 bits, compared as signed where sign is 0x80000000. Source: docs/isa.md
 * 3.4. */
LANES_INLINE uint32_t difference(uint32_t a, uint32_t b, uint32_t sign) {
    return (a ^ sign) > (b ^ sign) ? a - b : b - a;
}

EXEC(exec_isad) {
    const bool is_signed = (in->insn->attr & ISA_SIGN_A) != 0;
    const uint32_t extend_sign = is_signed && exec_width(in->insn) == 16 ? 0x8000 : 0;
    const uint32_t compare_sign = is_signed ? 0x80000000u : 0;
    const struct addition how = addition_of(in, 32, false, false);
    uint32_t distance[WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES; i++)
        distance[i] = difference(extend(in->a[i], extend_sign), extend(in->b[i], extend_sign), compare_sign);
    add_lanes(distance, in->c, &how, out);
}

/* The low or the high word of the product of two words. Source: docs/isa.md 9.1. */
LANES_INLINE void wide_lanes(const struct exec_in *in, uint32_t *product) {
    const unsigned shift = (in->insn->attr & ISA_HI) != 0 ? 32 : 0;
    for (unsigned i = 0; i < WARP_LANES; i++) product[i] = (uint32_t)((uint64_t)in->a[i] * in->b[i] >> shift);
}

EXEC(exec_wmul) { wide_lanes(in, out->value); }

EXEC(exec_wmad) {
    const struct addition how = addition_of(in, 32, false, false);
    uint32_t product[WARP_LANES];
    wide_lanes(in, product);
    add_lanes(product, in->c, &how, out);
}

struct division {
    uint32_t quotient, remainder;
};

/* Unsigned, or signed: rounds towards zero, and the remainder has the sign of a. Division by zero gives all ones in
 * both. Source: docs/isa.md 9.2. */
LANES_INLINE struct division divide(uint32_t a, uint32_t b, bool is_signed) {
    const uint32_t sign_a = is_signed ? 0 - (a >> 31) : 0, sign_b = is_signed ? 0 - (b >> 31) : 0;
    const uint32_t sign = sign_a ^ sign_b;
    const uint32_t size_a = (a ^ sign_a) - sign_a, size_b = (b ^ sign_b) - sign_b;
    if (b == 0) return (struct division){0xffffffff, 0xffffffff};
    return (struct division){(size_a / size_b ^ sign) - sign, (size_a % size_b ^ sign_a) - sign_a};
}

EXEC(exec_idiv) {
    const bool is_signed = (in->insn->attr & ISA_SIGN_A) != 0;
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = divide(in->a[i], in->b[i], is_signed).quotient;
}

EXEC(exec_irem) {
    const bool is_signed = (in->insn->attr & ISA_SIGN_A) != 0;
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = divide(in->a[i], in->b[i], is_signed).remainder;
}
