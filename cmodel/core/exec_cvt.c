/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion: I2I. Source: docs/isa.md 3.9. */
#include "exec.h"

/* Source and destination types of an I2I. */
struct conversion {
    unsigned from_bits, to_bits, reg_bits; /* 8, 16 or 32; reg_bits is the width of the destination register */
    bool from_signed, to_signed;
    bool absolute, negate;
};

LANES_INLINE struct conversion conversion_of(const struct isa_insn *insn) {
    const unsigned source = (insn->attr & ISA_SRC16) != 0 ? 16 : 32;
    return (struct conversion){
        .from_bits = (insn->attr & ISA_BYTE) != 0 ? 8 : source,
        .to_bits = insn->dst8 ? 8 : exec_width(insn),
        .reg_bits = exec_width(insn),
        .from_signed = (insn->attr & ISA_SIGN_A) != 0,
        .to_signed = (insn->attr & ISA_SIGN_D) != 0,
        .absolute = insn->src[0].absolute,
        .negate = insn->src[0].negate,
    };
}

LANES_INLINE int64_t clamp(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

/* Absolute value, then negation, then clamping to the destination's range: always in this order. Source: docs/isa.md
 * 3.9 and the semantic vectors. */
LANES_INLINE uint32_t convert(uint32_t v, const struct conversion *how) {
    const uint32_t bits = v & width_mask(how->from_bits);
    int64_t x = how->from_signed ? (int32_t)isa_sext(bits, how->from_bits) : (int64_t)bits;
    x = how->absolute && x < 0 ? -x : x;
    x = how->negate ? -x : x;
    x = how->to_signed ? clamp(x, -((int64_t)1 << (how->to_bits - 1)), ((int64_t)1 << (how->to_bits - 1)) - 1)
                       : clamp(x, 0, ((int64_t)1 << how->to_bits) - 1);
    return (uint32_t)(uint64_t)x & width_mask(how->reg_bits);
}

/* True if every source value fits the destination, so that the conversion is an extension. Same result, faster. */
LANES_INLINE bool is_extension(const struct conversion *how) {
    if (how->absolute || how->negate) return false;
    if (how->from_signed == how->to_signed) return how->from_bits <= how->to_bits;
    return !how->from_signed && how->from_bits < how->to_bits;
}

EXEC(exec_i2i) {
    const struct conversion how = conversion_of(in->insn);
    if (is_extension(&how)) {
        const uint32_t keep = width_mask(how.from_bits);
        const uint32_t sign = how.from_signed ? (uint32_t)1 << (how.from_bits - 1) : 0;
        for (unsigned i = 0; i < WARP_LANES; i++)
            out->value[i] = extend(in->a[i] & keep, sign) & width_mask(how.reg_bits);
        return;
    }
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = convert(in->a[i], &how);
}
