/* SPDX-License-Identifier: Apache-2.0 */
#include "partial.h"

#include "../../assembler/isa/isa.h"

bool partial_of(const struct model *model, unsigned sm, struct partial *p) {
    const struct model_trap t = model_get_sm_trap(model, sm);
    struct isa_insn insn;
    if (t.exec == 0 || isa_decode(t.word_lo, t.word_hi, &insn) != ISA_OK) return false;
    const struct isa_operand *cell = insn.op == OP_GATOM ? &insn.src[0] : &insn.dst;
    if (cell->kind != ISA_GLOBAL) return false;
    *p = (struct partial){.lanes = t.exec, .bytes = cell->bytes, .anywhere = t.undefined_addr != 0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        p->addr[lane] = model_peek_reg(model, t.sm, t.slot, lane, cell->reg);
    return true;
}
