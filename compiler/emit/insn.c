/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one instruction as text, in the form that form.c selects. */
#include <inttypes.h>
#include <string.h>

#include "../select/select.h"
#include "emit.h"

static const char *const CONDS[32] = {
    "FALSE", "LT",  "EQ",  "LE",  "GT",   "NE",       "GE",       "NUM", "NAN",       "LTU",         "EQU",
    "LEU",   "GTU", "NEU", "GEU", "TRUE", "OVERFLOW", "CARRY",    "HI",  "SIGN",      NULL,          NULL,
    NULL,    NULL,  NULL,  NULL,  NULL,   NULL,       "NOT_SIGN", "LS",  "NOT_CARRY", "NOT_OVERFLOW"};

const char *emit_cond(uint8_t cond) { return CONDS[cond & 31]; }

static int home(const struct ir *ir, ir_reg r) { return ir->regs[r].home; }

/* ---- operands ---- */

static void print_memory(const struct ir *ir, const char *space, const struct ir_operand *o, uint32_t unit, FILE *out) {
    fprintf(out, "%s [", space);
    if (o->reg != 0) fprintf(out, "A%d+", home(ir, o->reg));
    if (o->increments) { /* a signed field of five bits */
        const int32_t step = (int32_t)o->value / (int32_t)unit;
        fprintf(out, "++0x%" PRIx32 "]", (uint32_t)step & (step < 0 ? 0x1f : UINT32_MAX));
        return;
    }
    fprintf(out, "0x%" PRIx32 "]", o->value / unit);
}

static void print_cell(const struct ir *ir, const struct ir_operand *o, FILE *out) {
    static const char *const TYPE[] = {".U8", ".U16", ".S16", ""};
    if (o->kind == IR_CONST) fprintf(out, "c [0x%x]", o->bank);
    print_memory(ir, o->kind == IR_CONST ? "" : "g", o, emit_cell_bytes(o->cell), out);
    fputs(TYPE[o->cell], out);
}

/* Writes the address of a literal for an operand of this width. */
static void print_literal(struct ir *ir, uint32_t value, bool is_half, FILE *out) {
    const int index = select_literal(ir, value);
    fprintf(out, "c [0x1] [0x%x]", (unsigned)(is_half ? index * 2 : index));
}

static void print_bare(struct ir *ir, const struct ir_operand *o, bool is_half, bool in_place, FILE *out) {
    if (o->kind == IR_REG)
        fprintf(out, "R%d%s", home(ir, o->reg), o->half == IR_LOW ? "L" : o->half == IR_HIGH ? "H" : "");
    else if (o->kind == IR_SHARED || o->kind == IR_CONST)
        print_cell(ir, o, out);
    else if (o->kind == IR_IMM && in_place)
        fprintf(out, "0x%" PRIx32, o->value);
    else if (o->kind == IR_IMM && o->value == 0 && !is_half)
        fputs("R124", out);
    else if (o->kind == IR_IMM)
        print_literal(ir, o->value, is_half, out);
    else
        fputs("R124", out);
}

static void print_source(struct ir *ir, const struct ir_insn *insn, unsigned i, bool in_place, FILE *out) {
    const struct ir_operand *o = &insn->src[i];
    const bool logic = insn->op == IR_LOP;
    const bool is_half = (insn->op == IR_IMUL || insn->op == IR_IMAD) && i < 2 && (insn->flags & IR_M24) == 0;
    fputs(o->negative ? (logic ? "~" : "-") : "", out);
    if (o->absolute) fputc('|', out);
    print_bare(ir, o, is_half, in_place, out);
    if (o->absolute) fputc('|', out);
}

/* ---- mnemonics ---- */

static const char *sign(const struct ir_insn *insn) { return (insn->flags & IR_SIGN_A) != 0 ? ".S32" : ""; }

static void print_product_type(const struct ir_insn *insn, FILE *out) {
    const bool wide = (insn->flags & IR_M24) != 0, sa = (insn->flags & IR_SIGN_A) != 0,
               sb = (insn->flags & IR_SIGN_B) != 0;
    if ((insn->flags & IR_HI) != 0) fputs(".HI", out);
    fprintf(out, ".%c%d", sa ? 'S' : 'U', wide ? 24 : 16);
    if (insn->op == IR_IMUL) fprintf(out, ".%c%d", sb ? 'S' : 'U', wide ? 24 : 16);
    if (insn->op == IR_IMAD && (insn->flags & IR_SAT) != 0) fputs(".SAT", out);
}

static void print_rounding(const struct ir_insn *insn, FILE *out) {
    static const char *const ROUNDING[] = {"", ".FLOOR", ".CEIL", ".TRUNC"};
    fputs(ROUNDING[insn->rounding & 3], out);
}

static void print_conversion(const struct ir_insn *insn, FILE *out) {
    const unsigned f = insn->flags;
    const bool s16 = (f & IR_SRC16) != 0, d16 = (f & IR_DST16) != 0;
    const char *to_integer = (f & IR_SIGN_D) != 0 ? (d16 ? ".S16" : ".S32") : d16 ? ".U16" : ".U32";
    const char *from_integer = (f & IR_SIGN_A) != 0 ? (s16 ? ".S16" : ".S32") : s16 ? ".U16" : ".U32";
    const char *to_float = d16 ? ".F16" : ".F32", *from_float = s16 ? ".F16" : ".F32";
    fputs(insn->op == IR_I2I || insn->op == IR_F2I ? to_integer : to_float, out);
    fputs(insn->op == IR_I2I || insn->op == IR_I2F ? from_integer : from_float, out);
    if ((f & IR_BYTE) != 0) fputs(".BEXT", out);
    if ((f & IR_INTEGRAL) != 0) fputs(".IR", out);
    if (insn->op != IR_I2I) print_rounding(insn, out);
}

static void print_options(const struct ir_insn *insn, FILE *out) {
    static const char *const LOGIC[] = {".AND", ".OR", ".XOR", ".PASS_B"};
    static const char *const SIZE[] = {".U8", ".S8", ".U16", ".S16", ".S64", ".S128", ".U32", ".S32"};
    static const char *const ATOMIC[] = {".IADD", ".EXCH", ".CAS", "",     ".INC", ".DEC", ".IMAX",
                                         ".IMIN", "",      "",     ".AND", ".OR",  ".XOR"};
    switch (insn->op) {
    case IR_IADD: fputs((insn->flags & IR_SAT) != 0 ? ".SAT" : "", out); break;
    case IR_IMUL:
    case IR_IMAD: print_product_type(insn, out); break;
    case IR_ISAD:
    case IR_ISET:
    case IR_IMIN:
    case IR_IMAX:
    case IR_SHR: fputs(sign(insn), out); break;
    case IR_LOP: fputs(LOGIC[insn->sub & 3], out); break;
    case IR_I2I:
    case IR_I2F:
    case IR_F2I:
    case IR_F2F: print_conversion(insn, out); break;
    case IR_FADD:
    case IR_FMUL: print_rounding(insn, out); break;
    case IR_GLD:
    case IR_GST:
    case IR_LLD:
    case IR_LST: fputs(SIZE[insn->size & 7], out); break;
    case IR_GRED:
    case IR_GATOM: fprintf(out, "%s%s", ATOMIC[insn->sub], SIZE[insn->size & 7]); break;
    default: break;
    }
}

/* ---- instructions ---- */

static void print_guard(const struct ir *ir, const struct ir_insn *insn, FILE *out) {
    if (insn->guard != 0) fprintf(out, " (C%d.%s)", home(ir, insn->guard), emit_cond(insn->cond));
}

enum form { LONG, IMMEDIATE, HALF };

static void print_head(struct ir *ir, const struct ir_insn *insn, const char *mnemonic, enum form form, FILE *out) {
    fputs(mnemonic, out);
    if (form != LONG) fputs(form == IMMEDIATE ? "32I" : "32", out);
    if ((insn->flags & IR_JOIN) != 0) fputs(".S", out);
    print_options(insn, out);
    if (insn->carry != 0 && insn->op != IR_C2R) fprintf(out, ".CARRY%d", home(ir, insn->carry));
    if (insn->fdst != 0 && insn->op != IR_R2C) fprintf(out, ".C%d", home(ir, insn->fdst));
}

static void print_destination(const struct ir *ir, const struct ir_insn *insn, FILE *out) {
    if (insn->dst != 0)
        fprintf(out, " R%d%s", home(ir, insn->dst), (insn->flags & IR_DST16) != 0 ? "L" : "");
    else
        fputs(" o [0x7f]", out);
    print_guard(ir, insn, out);
}

static unsigned source_count(const struct ir_insn *insn) {
    switch (insn->op) {
    case IR_IMAD:
    case IR_ISAD:
    case IR_FMAD:
    case IR_FCMP: return 3;
    case IR_MOV:
    case IR_I2I:
    case IR_I2F:
    case IR_F2I:
    case IR_F2F:
    case IR_RCP:
    case IR_RSQ:
    case IR_LG2:
    case IR_SIN:
    case IR_COS:
    case IR_EX2:
    case IR_RRO: return 1;
    default: return 2;
    }
}

static void print_alu(struct ir *ir, const struct ir_insn *insn, bool is_half, FILE *out) {
    const bool in_place = emit_takes_in_place(ir, insn);
    struct ir_insn copy = *insn;
    if (copy.op == IR_FMAD && copy.src[1].negative) { /* sign of the product */
        copy.src[1].negative = false;
        copy.src[0].negative = !copy.src[0].negative;
    }
    print_head(ir, insn, ir_op_name((enum ir_op)insn->op), in_place ? IMMEDIATE : is_half ? HALF : LONG, out);
    print_destination(ir, insn, out);
    for (unsigned i = 0; i < source_count(insn); i++) {
        fputs(", ", out);
        print_source(ir, &copy, i, in_place && i == 1, out);
    }
    if (insn->op == IR_ISET || insn->op == IR_FSET) {
        static const char *const COMPARE[] = {"FALSE", "LT", "EQ", "LE", "GT", "NE", "GE", "TRUE"};
        fprintf(out, ", %s", insn->op == IR_ISET ? COMPARE[insn->sub & 7] : emit_cond(insn->sub));
    }
    if (insn->op == IR_RRO) fputs(insn->sub != 0 ? ", EX2" : ", SIN", out);
}

static void print_shift(struct ir *ir, const struct ir_insn *insn, FILE *out) {
    print_head(ir, insn, ir_op_name((enum ir_op)insn->op), LONG, out);
    print_destination(ir, insn, out);
    fputs(", ", out);
    print_source(ir, insn, 0, false, out);
    fputs(", ", out);
    print_source(ir, insn, 1, true, out);
}

static void print_move(struct ir *ir, const struct ir_insn *insn, bool is_half, FILE *out) {
    const struct ir_operand *s = &insn->src[0];
    if (s->kind == IR_IMM && insn->guard == 0 && insn->fdst == 0) {
        fprintf(out, "MVI R%d, 0x%" PRIx32, home(ir, insn->dst), s->value);
        return;
    }
    if (s->kind == IR_IMM && s->value != 0) {
        print_head(ir, insn, "MVC", LONG, out);
        print_destination(ir, insn, out);
        fputs(", ", out);
        print_literal(ir, s->value, false, out);
        return;
    }
    print_alu(ir, insn, is_half, out);
}

static void print_global(struct ir *ir, const struct ir_insn *insn, FILE *out) {
    const bool is_load = insn->op == IR_GLD;
    print_head(ir, insn, ir_op_name((enum ir_op)insn->op), LONG, out);
    if (is_load) {
        print_destination(ir, insn, out);
        fprintf(out, ", global14 [R%d]", home(ir, insn->src[0].reg));
        return;
    }
    fprintf(out, " global14 [R%d]", home(ir, insn->src[0].reg));
    print_guard(ir, insn, out);
    fputs(", ", out);
    print_bare(ir, &insn->src[1], false, false, out);
}

static void print_local(struct ir *ir, const struct ir_insn *insn, FILE *out) {
    print_head(ir, insn, ir_op_name((enum ir_op)insn->op), LONG, out);
    if (insn->op == IR_LLD) {
        print_destination(ir, insn, out);
        fputs(", ", out);
        print_memory(ir, "local", &insn->src[0], 1, out);
        return;
    }
    fputc(' ', out);
    print_memory(ir, "local", &insn->src[0], 1, out);
    print_guard(ir, insn, out);
    fputs(", ", out);
    print_bare(ir, &insn->src[1], false, false, out);
}

static void print_shared_store(struct ir *ir, const struct ir_insn *insn, FILE *out) {
    static const char *const TYPE[] = {"U8", "U16", "U16", "U32"};
    fputs("R2G.U32.", out);
    fputs(TYPE[insn->src[0].cell], out);
    fputc(' ', out);
    print_memory(ir, "g", &insn->src[0], emit_cell_bytes(insn->src[0].cell), out);
    print_guard(ir, insn, out);
    fputs(", ", out);
    print_bare(ir, &insn->src[1], false, false, out);
}

static void print_atomic(struct ir *ir, const struct ir_insn *insn, FILE *out) {
    print_head(ir, insn, ir_op_name((enum ir_op)insn->op), LONG, out);
    if (insn->op == IR_GATOM) {
        fprintf(out, " R%d", home(ir, insn->dst));
        print_guard(ir, insn, out);
        fprintf(out, ", global14 [R%d], R%d", home(ir, insn->src[0].reg), home(ir, insn->src[1].reg));
        if (insn->src[2].kind == IR_REG) fprintf(out, ", R%d", home(ir, insn->src[2].reg));
        return;
    }
    fprintf(out, " global14 [R%d]", home(ir, insn->src[0].reg));
    print_guard(ir, insn, out);
    fprintf(out, ", R%d", home(ir, insn->src[1].reg));
}

static void print_special(struct ir *ir, const struct ir_insn *insn, FILE *out) {
    const char *name = ir_op_name((enum ir_op)insn->op);
    switch (insn->op) {
    case IR_R2A:
        fprintf(out, "R2A A%d", home(ir, insn->dst));
        print_guard(ir, insn, out);
        fprintf(out, ", R%d", home(ir, insn->src[0].reg));
        if (insn->sub != 0) fprintf(out, ", 0x%x", insn->sub);
        break;
    case IR_ADA:
        fprintf(out, "ADA A%d", home(ir, insn->dst));
        print_guard(ir, insn, out);
        fprintf(out, ", A%d, 0x%" PRIx32, insn->src[0].reg != 0 ? home(ir, insn->src[0].reg) : 0,
                insn->src[1].value & 0xffff);
        break;
    case IR_A2R: fprintf(out, "A2R R%d, A%d", home(ir, insn->dst), home(ir, insn->src[0].reg)); break;
    case IR_S2R: fprintf(out, "S2R R%d, SR%d", home(ir, insn->dst), insn->sub); break;
    case IR_C2R: fprintf(out, "C2R R%d, C%d", home(ir, insn->dst), home(ir, insn->carry)); break;
    case IR_R2C: fprintf(out, "R2C C%d, R%d", home(ir, insn->fdst), home(ir, insn->src[0].reg)); break;
    case IR_MVC:
        print_head(ir, insn, name, LONG, out);
        print_destination(ir, insn, out);
        fputs(", ", out);
        print_cell(ir, &insn->src[0], out);
        break;
    case IR_BAR: fprintf(out, "BAR.ARV.WAIT b%d, 0xfff", insn->sub); break;
    case IR_NOP: fputs((insn->flags & IR_JOIN) != 0 ? "NOP.S" : "NOP", out); break;
    default: fputs(name, out); break;
    }
}

void emit_insn(struct ir *ir, const struct ir_insn *insn, bool is_half, FILE *out) {
    switch (insn->op) {
    case IR_MOV: print_move(ir, insn, is_half, out); break;
    case IR_SHL:
    case IR_SHR: print_shift(ir, insn, out); break;
    case IR_GLD:
    case IR_GST: print_global(ir, insn, out); break;
    case IR_LLD:
    case IR_LST: print_local(ir, insn, out); break;
    case IR_R2G: print_shared_store(ir, insn, out); break;
    case IR_GRED:
    case IR_GATOM: print_atomic(ir, insn, out); break;
    case IR_R2A:
    case IR_A2R:
    case IR_ADA:
    case IR_S2R:
    case IR_C2R:
    case IR_R2C:
    case IR_MVC:
    case IR_BAR:
    case IR_NOP:
    case IR_TRAP: print_special(ir, insn, out); break;
    default: print_alu(ir, insn, is_half, out); break;
    }
}
