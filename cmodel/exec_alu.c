/* SPDX-License-Identifier: Apache-2.0 */
/* The ALU: reads the sources, runs the operation on all lanes, makes the flags. */
#include "read.h"
#include "units.h"

/* The lanes of a warp in which a MOV with this lane mask writes: lane L of a quad where bit L % 4 is set. */
LANES_INLINE uint32_t spread_lane_mask(unsigned lane_mask) { return lane_mask * 0x11111111u; }

/* PASS_B looks at its second source only, so an undefined first one is no undefined read. */
LANES_INLINE bool is_consumed(const struct isa_insn *insn, unsigned i) {
    return !(insn->op == OP_LOP && insn->logic == LOGIC_PASS_B && i == 0);
}

/* Sources of the instruction; one that is not consumed is still accessed in memory, and may trap there. */
LANES_INLINE const uint32_t *read_operand(struct step *s, unsigned i, uint32_t room[WARP_LANES]) {
    const bool memory = s->insn->src[i].kind == ISA_SHARED || s->insn->src[i].kind == ISA_CONST;
    return memory || is_consumed(s->insn, i) ? read_source(s, i, room) : LANES_ZERO;
}

LANES_INLINE void make_flags(struct step *s) {
    s->flags = (struct flags){
        .zero = lanes_where_zero(s->out.value),
        .sign = lanes_where_set(s->out.value, (uint32_t)1 << (s->d->width - 1)),
        .carry = s->out.carry,
        .overflow = s->out.overflow,
    };
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
    if (s->insn->set_c) make_flags(s);
}
