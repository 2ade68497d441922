/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about two parts of a word at once, which the table's rows cannot express. See isa.h. */
#include "isa.h"

const struct isa_operand *isa_misaligned(const struct isa_insn *insn) {
    switch (insn->op) {
    case OP_GLD:
    case OP_LLD: return 4 * insn->dst.reg % insn->src[0].bytes == 0 ? NULL : &insn->dst;
    case OP_GST:
    case OP_LST: return 4 * insn->src[0].reg % insn->dst.bytes == 0 ? NULL : &insn->src[0];
    default: return NULL;
    }
}

/* A shared source of I2I must be as wide as its type. Source: docs/isa.md 3.9. */
static bool conversion_cell_fits(const struct isa_insn *insn) {
    const unsigned source = (insn->attr & ISA_BYTE) != 0 ? 1 : (insn->attr & ISA_SRC16) != 0 ? 2 : 4;
    return insn->op != OP_I2I || insn->src[0].kind != ISA_SHARED || insn->src[0].bytes == source;
}

const char *isa_fault(const struct isa_insn *insn) {
    if (insn->dst.kind == ISA_AREG && insn->areg_inc) return "it would write two A registers"; /* R2A g [A1+++..] */
    if (!conversion_cell_fits(insn)) return "the cell is not as wide as the type";
    return isa_misaligned(insn) == NULL ? NULL : "the data register's number is not a multiple of the words";
}
