/* SPDX-License-Identifier: Apache-2.0 */
/* The ALU: reads the sources, runs the operation on all lanes, computes the flags. */
#include "float/float.h"
#include "read.h"
#include "units.h"

/* The lanes of a warp that a MOV with this lane mask writes: lane L is set where bit L % 4 is set. */
LANES_INLINE uint32_t spread_lane_mask(unsigned lane_mask) { return lane_mask * 0x11111111u; }

/* PASS_B reads its second source only, so an undefined first source is no undefined read. */
LANES_INLINE bool is_consumed(const struct isa_insn *insn, unsigned i) {
    return !(insn->op == OP_LOP && insn->logic == LOGIC_PASS_B && i == 0);
}

/* Sources of the instruction; a source that is not consumed still accesses memory, and may trap there. */
LANES_INLINE const uint32_t *read_operand(struct step *s, unsigned i, uint32_t room[WARP_LANES]) {
    const bool memory = s->insn->src[i].kind == ISA_SHARED || s->insn->src[i].kind == ISA_CONST;
    return memory || is_consumed(s->insn, i) ? read_source(s, i, room) : LANES_ZERO;
}

LANES_INLINE struct flags integer_flags(const struct step *s) {
    return (struct flags){
        .zero = lanes_where_zero(s->out.value),
        .sign = lanes_where_set(s->out.value, (uint32_t)1 << (s->d->width - 1)),
        .carry = s->out.carry,
        .overflow = s->out.overflow,
    };
}

/* Less than zero, zero, or both for a NaN. FCMP passes the bits of its selection: there a NaN counts as a number with a
 * sign. Source: docs/isa.md 2.8 and 8.4. */
LANES_INLINE struct flags float_flags(const struct step *s) {
    const uint32_t sign_bit = (uint32_t)1 << (s->d->width - 1);
    const uint32_t infinity = s->d->width == 16 ? F16_INFINITY : F32_INFINITY;
    uint32_t nan = 0;
    uint32_t zero = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const uint32_t magnitude = s->out.value[i] & (sign_bit - 1);
        nan |= magnitude > infinity ? LANE_BIT[i] : 0;
        zero |= magnitude == 0 ? LANE_BIT[i] : 0;
    }
    nan = s->insn->op == OP_FCMP ? 0 : nan;
    return (struct flags){.zero = zero | nan, .sign = (lanes_where_set(s->out.value, sign_bit) & ~zero) | nan};
}

/* FSET and F2I have integer results. */
LANES_INLINE bool has_float_result(const struct isa_insn *insn) {
    return (insn->unit == UNIT_FLOAT || insn->unit == UNIT_SFU) && insn->op != OP_FSET && insn->op != OP_F2I;
}

TWICE(unit_alu, (struct step * s), (s)) {
    uint32_t room[3][WARP_LANES];
    struct exec_in in = {.insn = s->insn};
    s->write = s->exec & spread_lane_mask(s->insn->lane_mask);
    in.a = read_operand(s, 0, room[0]);
    in.b = read_operand(s, 1, room[1]);
    in.c = read_operand(s, 2, room[2]);
    if ((s->insn->attr & ISA_CARRY) != 0) in.carry = read_creg(s, s->insn->creg)->carry;
    if (s->trap != TRAP_NONE) return;
    s->out.carry = s->out.overflow = 0;
    s->d->lanes(&in, &s->out);
    if (s->insn->set_c) s->flags = has_float_result(s->insn) ? float_flags(s) : integer_flags(s);
}
