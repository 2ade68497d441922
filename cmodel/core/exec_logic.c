/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison, selection, shifts and logic: ISET, IMIN, IMAX, SHL, SHR, LOP. Source: docs/isa.md 3.5 to 3.8. */
#include "exec.h"

/* XOR mask that turns the order of the operation into the unsigned order: the sign bit if signed. */
LANES_INLINE uint32_t order_flip(const struct isa_insn *insn) {
    return (insn->attr & ISA_SIGN_A) != 0 ? (uint32_t)1 << (exec_width(insn) - 1) : 0;
}

/* All ones of the width if `cmp` accepts the relation of a and b: bit 0 less, 1 equal, 2 greater. */
LANES_INLINE uint32_t set_if(uint32_t a, uint32_t b, unsigned cmp, uint32_t ones) {
    const uint32_t less = (cmp & 1u) != 0 ? ones : 0;
    const uint32_t equal = (cmp & 2u) != 0 ? ones : 0;
    const uint32_t greater = (cmp & 4u) != 0 ? ones : 0;
    return a < b ? less : a == b ? equal : greater;
}

EXEC(exec_iset) {
    const uint32_t flip = order_flip(in->insn);
    const uint32_t ones = width_mask(exec_width(in->insn));
    const unsigned cmp = in->insn->cmp;
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = set_if(in->a[i] ^ flip, in->b[i] ^ flip, cmp, ones);
}

LANES_INLINE uint32_t smaller(uint32_t a, uint32_t b, uint32_t flip) { return (a ^ flip) < (b ^ flip) ? a : b; }
LANES_INLINE uint32_t larger(uint32_t a, uint32_t b, uint32_t flip) { return (a ^ flip) > (b ^ flip) ? a : b; }

EXEC(exec_imin) {
    const uint32_t flip = order_flip(in->insn);
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = smaller(in->a[i], in->b[i], flip);
}

EXEC(exec_imax) {
    const uint32_t flip = order_flip(in->insn);
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = larger(in->a[i], in->b[i], flip);
}

/* a shifted left on `bits` bits; the count does not wrap. Carry: the last bit shifted out when 0 < count < bits.
 * Overflow: the sign changed, when count is 1. Source: docs/isa.md 3.7 and the semantic vectors. */
LANES_INLINE struct alu_out shift_left(uint32_t a, uint32_t count, unsigned bits) {
    const uint32_t n = count < bits ? count : 0;
    const uint32_t value = count < bits ? a << n & width_mask(bits) : 0;
    return (struct alu_out){
        .value = value,
        .carry = n != 0 ? a >> (bits - n) & 1 : 0,
        .overflow = count == 1 ? (a ^ value) >> (bits - 1) : 0,
    };
}

/* a shifted right; is_signed (all ones or 0) shifts in copies of the sign. Flags as in shift_left. */
LANES_INLINE struct alu_out shift_right(uint32_t a, uint32_t count, unsigned bits, uint32_t is_signed) {
    const uint32_t n = count < bits ? count : 0;
    const uint32_t copies = (0u - (a >> (bits - 1))) & is_signed & width_mask(bits); /* all ones where a is negative */
    const uint32_t value = count < bits ? ((a ^ copies) >> n) ^ copies : copies;
    return (struct alu_out){
        .value = value,
        .carry = n != 0 ? a >> (n - 1) & 1 : 0,
        .overflow = count == 1 ? (a ^ value) >> (bits - 1) : 0,
    };
}

LANES_INLINE void put(struct exec_out *out, unsigned lane, struct alu_out result) {
    out->value[lane] = result.value;
    out->carry |= result.carry != 0 ? LANE_BIT[lane] : 0;
    out->overflow |= result.overflow != 0 ? LANE_BIT[lane] : 0;
}

EXEC(exec_shl) {
    const unsigned bits = exec_width(in->insn);
    /* One count below the width for all lanes, and no flags. Same result, faster. */
    if (in->insn->src[1].kind == ISA_IMM && !in->insn->set_c && in->b[0] < bits) {
        const uint32_t count = in->b[0];
        for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = in->a[i] << count & width_mask(bits);
        return;
    }
    for (unsigned i = 0; i < WARP_LANES; i++) put(out, i, shift_left(in->a[i], in->b[i], bits));
}

EXEC(exec_shr) {
    const unsigned bits = exec_width(in->insn);
    const uint32_t is_signed = (in->insn->attr & ISA_SIGN_A) != 0 ? UINT32_MAX : 0;
    /* One count for all lanes, and no flags. Same result, faster. */
    if (in->insn->src[1].kind == ISA_IMM && !in->insn->set_c) {
        const uint32_t count = in->b[0];
        for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = shift_right(in->a[i], count, bits, is_signed).value;
        return;
    }
    for (unsigned i = 0; i < WARP_LANES; i++) put(out, i, shift_right(in->a[i], in->b[i], bits, is_signed));
}

/* Source: docs/isa.md 3.8; PASS_B is the second source, inverted on request. */
LANES_INLINE uint32_t logic(unsigned op, uint32_t a, uint32_t b) {
    switch (op) {
    case LOGIC_AND: return a & b;
    case LOGIC_OR: return a | b;
    case LOGIC_XOR: return a ^ b;
    default: return b;
    }
}

LANES_INLINE void logic_lanes(const struct exec_in *in, struct exec_out *out, unsigned op) {
    const uint32_t ones = width_mask(exec_width(in->insn));
    const uint32_t flip_a = in->insn->src[0].invert ? ones : 0;
    const uint32_t flip_b = in->insn->src[1].invert ? ones : 0;
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = logic(op, in->a[i] ^ flip_a, in->b[i] ^ flip_b);
}

/* The compiler vectorises a loop for each operation. Same result, faster. */
EXEC(exec_lop) {
    switch (in->insn->logic) {
    case LOGIC_AND: logic_lanes(in, out, LOGIC_AND); break;
    case LOGIC_OR: logic_lanes(in, out, LOGIC_OR); break;
    case LOGIC_XOR: logic_lanes(in, out, LOGIC_XOR); break;
    default: logic_lanes(in, out, LOGIC_PASS_B); break;
    }
}
