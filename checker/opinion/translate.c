/* SPDX-License-Identifier: Apache-2.0 */
#include "translate.h"

enum { PLACE, CLOCK, READS_ZERO }; /* special registers */
enum { NO_RULE = -1, AREG_COUNT = 5 };

bool translate_is_of_machine(const struct isa_insn *insn) {
    return insn->op == OP_S2R && (insn->sreg == PLACE || insn->sreg == CLOCK);
}

/* ---- operands ---- */

/* Only the first memory operand is indexed: a constant is not if there is a shared operand. Source: isa.md 2.4. */
static bool is_first_memory(const struct isa_insn *insn, const struct isa_operand *o) {
    if (o->kind != ISA_CONST) return true;
    for (size_t n = 0; n < 3; n++)
        if (insn->src[n].kind == ISA_SHARED) return false;
    return true;
}

/* The table gives bytes, the calculator counts cells, or bytes of local memory. */
static void translate_place(const struct isa_insn *insn, const struct isa_operand *from, struct operand *to) {
    const unsigned unit = from->kind == ISA_LOCAL ? 1 : from->bytes;
    to->cell = (struct type){8 * (int)unit, from->sext};
    to->areg = from->indexed ? insn->areg : 0;
    to->increment = insn->areg_inc && is_first_memory(insn, from);
    to->offset = to->increment ? (uint32_t)(insn->inc_bytes / (int32_t)unit) : from->value / unit;
}

static struct operand operand_of(const struct isa_insn *insn, const struct isa_operand *from) {
    static const enum operand_kind KINDS[] = {
        [ISA_NONE] = OPERAND_NONE,     [ISA_REG32] = OPERAND_REGISTER, [ISA_REG16] = OPERAND_HALF,
        [ISA_BUCKET] = OPERAND_SINK,   [ISA_SHARED] = OPERAND_SHARED,  [ISA_CONST] = OPERAND_CONSTANT,
        [ISA_IMM] = OPERAND_IMMEDIATE, [ISA_AREG] = OPERAND_AREG,      [ISA_CREG] = OPERAND_CREG,
        [ISA_GLOBAL] = OPERAND_GLOBAL, [ISA_LOCAL] = OPERAND_LOCAL,
    };
    struct operand to = {.kind = KINDS[from->kind],
                         .number = from->kind == ISA_IMM     ? from->value
                                   : from->kind == ISA_CONST ? from->bank
                                                             : from->reg,
                         .negated = from->negate,
                         .inverted = from->invert,
                         .absolute = from->absolute};
    const bool is_memory = from->kind == ISA_SHARED || from->kind == ISA_CONST || from->kind == ISA_LOCAL;
    if (is_memory) translate_place(insn, from, &to);
    return to;
}

static void add_operand(struct instruction *i, struct operand o) { i->operands[i->operand_count++] = o; }

/* ---- operations ---- */

static int operation_of(const struct isa_insn *insn) {
    switch (insn->op) {
    case OP_IADD: return OPERATION_IADD;
    case OP_IMUL: return OPERATION_IMUL;
    case OP_IMAD: return OPERATION_IMAD;
    case OP_ISAD: return OPERATION_ISAD;
    case OP_ISET: return OPERATION_ISET;
    case OP_IMIN: return OPERATION_IMIN;
    case OP_IMAX: return OPERATION_IMAX;
    case OP_SHL: return OPERATION_SHL;
    case OP_SHR: return OPERATION_SHR;
    case OP_LOP: return OPERATION_LOP;
    case OP_I2I: return OPERATION_I2I;
    case OP_WMUL: return OPERATION_WMUL;
    case OP_WMAD: return OPERATION_WMAD;
    case OP_IDIV: return OPERATION_IDIV;
    case OP_IREM: return OPERATION_IREM;
    case OP_MOV:
    case OP_MVC: return OPERATION_MOV;
    case OP_R2A: return OPERATION_R2A;
    case OP_A2R: return OPERATION_A2R;
    case OP_ADA: return OPERATION_ADA;
    case OP_C2R: return OPERATION_C2R;
    case OP_R2C: return OPERATION_R2C;
    case OP_GLD:
    case OP_LLD:
    case OP_G2R: return OPERATION_LOAD;
    case OP_GST:
    case OP_LST:
    case OP_R2G: return OPERATION_STORE;
    case OP_GRED:
    case OP_GATOM: return OPERATION_ATOMIC;
    case OP_BRX: return OPERATION_BRX;
    case OP_FADD: return OPERATION_FADD;
    case OP_FMUL: return OPERATION_FMUL;
    case OP_FMAD: return OPERATION_FMAD;
    case OP_FSET: return OPERATION_FSET;
    case OP_FMAX: return OPERATION_FMAX;
    case OP_FMIN: return OPERATION_FMIN;
    case OP_FCMP: return OPERATION_FCMP;
    case OP_I2F: return OPERATION_I2F;
    case OP_F2I: return OPERATION_F2I;
    case OP_F2F: return OPERATION_F2F;
    case OP_RRO: return OPERATION_RRO;
    case OP_RCP: return OPERATION_RCP;
    case OP_RSQ: return OPERATION_RSQ;
    case OP_LG2: return OPERATION_LG2;
    case OP_SIN: return OPERATION_SIN;
    case OP_COS: return OPERATION_COS;
    case OP_EX2: return OPERATION_EX2;
    case OP_BRA:
    case OP_SSY:
    case OP_CAL:
    case OP_PRET:
    case OP_RET:
    case OP_PBK:
    case OP_BRK:
    case OP_BAR:
    case OP_TRAP:
    case OP_BPT:
    case OP_NOP:
    case OP_PMEVENT: return OPERATION_NOTHING;
    case OP_S2R: return OPERATION_S2R;
    default: return NO_RULE; /* TEX, KIL ...: no machine executes them */
    }
}

/* False: the operation is reserved. Source: isa.md 5.4. */
static bool translate_atomic(const struct isa_insn *insn, struct instruction *i) {
    static const enum atomic ATOMICS[] = {ATOMIC_IADD, ATOMIC_EXCH, ATOMIC_CAS,  ATOMIC_LOGIC,
                                          ATOMIC_INC,  ATOMIC_DEC,  ATOMIC_IMAX, ATOMIC_IMIN};
    static const enum logic LOGICS[] = {LOGIC_AND, LOGIC_OR, LOGIC_XOR};
    const struct isa_operand *cell = insn->op == OP_GRED ? &insn->dst : &insn->src[0];
    if (cell->bytes != 4) return false;
    i->types[0] = (struct type){32, cell->sext};
    if (insn->atom >= 10 && insn->atom <= 12) {
        i->atomic = ATOMIC_LOGIC;
        i->logic = LOGICS[insn->atom - 10];
        return true;
    }
    if (insn->atom >= sizeof ATOMICS / sizeof *ATOMICS || insn->atom == 3) return false;
    i->atomic = ATOMICS[insn->atom];
    return true;
}

/* The types as in the text. */
static void translate_types(const struct isa_insn *insn, struct instruction *i) {
    const uint32_t attr = insn->attr;
    const int width = (attr & ISA_W16) != 0 ? 16 : 32;
    const bool sign_a = (attr & ISA_SIGN_A) != 0;
    const struct isa_operand *cell =
        insn->op == OP_GST || insn->op == OP_LST || insn->op == OP_R2G ? &insn->dst : insn->src;
    switch (insn->op) {
    case OP_IMUL:
    case OP_IMAD:
        i->types[0] = (struct type){(attr & ISA_M24) != 0 ? 24 : 16, sign_a};
        i->types[1] = (struct type){i->types[0].bits, (attr & ISA_SIGN_B) != 0};
        break;
    case OP_I2I:
    case OP_I2F:
    case OP_F2I:
    case OP_F2F:
        i->types[0] = (struct type){width, (attr & ISA_SIGN_D) != 0};
        i->types[1] = (struct type){(attr & ISA_SRC16) != 0 ? 16 : 32, sign_a};
        break;
    case OP_GLD:
    case OP_LLD:
    case OP_GST:
    case OP_LST: i->types[0] = (struct type){8 * cell->bytes, cell->sext}; break;
    case OP_G2R:
    case OP_R2G:
        i->types[0] = (struct type){width, false};
        i->types[1] = (struct type){8 * cell->bytes, cell->sext};
        break;
    default: i->types[0] = (struct type){width, sign_a}; break;
    }
}

/* The machine defines place and clock: a register that reads 0 replaces them. Source: isa.md 4.4. */
static unsigned special_register(const struct isa_insn *insn) {
    return translate_is_of_machine(insn) ? READS_ZERO : insn->sreg;
}

/* The operand that some operations have after their sources. */
static void add_last_operand(const struct isa_insn *insn, struct instruction *i) {
    switch (insn->op) {
    case OP_ISET: i->operands[3] = (struct operand){.kind = OPERAND_COMPARISON, .number = insn->cmp}; break;
    case OP_FSET: i->operands[3] = (struct operand){.kind = OPERAND_COMPARISON, .number = insn->cmp}; break;
    case OP_RRO:
        i->operands[2] =
            (struct operand){.kind = OPERAND_FUNCTION, .number = insn->function == 0 ? FOR_SINE : FOR_POWER};
        break;
    case OP_S2R: i->operands[1] = (struct operand){.kind = OPERAND_SPECIAL, .number = special_register(insn)}; break;
    case OP_R2A: i->operands[2] = (struct operand){.kind = OPERAND_IMMEDIATE, .number = insn->shift}; break;
    default: break;
    }
}

static void translate_operands(const struct isa_insn *insn, struct instruction *i) {
    if (i->operation == OPERATION_NOTHING) return;
    if (insn->op != OP_BRX) add_operand(i, operand_of(insn, &insn->dst));
    for (size_t n = 0; n < 3; n++) add_operand(i, operand_of(insn, &insn->src[n]));
    if ((insn->attr & ISA_NEG_P) != 0) i->operands[1].negated = true;
    add_last_operand(insn, i);
}

/* Fields for which the machine raises a trap of its own. */
static bool is_reserved(const struct isa_insn *insn) {
    return insn->areg >= AREG_COUNT || (insn->dst.kind == ISA_AREG && insn->dst.reg >= AREG_COUNT);
}

bool translate_instruction(const struct isa_insn *insn, uint32_t pc, struct instruction *i) {
    const int operation = operation_of(insn);
    if (operation == NO_RULE || is_reserved(insn)) return false;
    *i = (struct instruction){
        .operation = (enum operation)operation,
        .logic = (enum logic)insn->logic,
        .high = (insn->attr & ISA_HI) != 0,
        .saturated = insn->dst8 || (insn->attr & ISA_SAT) != 0,
        .low_byte = (insn->attr & ISA_BYTE) != 0,
        .rounding = insn->rounding,
        .integral = insn->integral,
        .carry = (insn->attr & ISA_CARRY) != 0 ? insn->creg : -1,
        .flags = insn->set_c ? insn->cdst : -1,
        .lanes = insn->lane_mask,
        .guard = insn->creg,
        .condition = insn->guarded ? insn->cond : CONDITION_TRUE,
        .address = pc,
        .next = pc + insn->bytes,
    };
    translate_types(insn, i);
    if (i->operation == OPERATION_ATOMIC && !translate_atomic(insn, i)) return false;
    translate_operands(insn, i);
    return true;
}
