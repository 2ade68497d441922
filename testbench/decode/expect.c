/* SPDX-License-Identifier: Apache-2.0 */
/* Derives from a decoded instruction of the table the control signals that the RTL must derive from the same word. This
 * file and rtl/front/decode_*.vhd state the same facts in different terms on purpose: the table knows operands, the RTL
 * slots. */
#include "assembler/isa/isa.h"
#include "control.h"

enum { LAST_AREG = 4, REG_SINK = 127, ALL_WARPS = 0xfff };

static void put(struct expectation *must, enum control signal, uint32_t value) {
    must->value[signal] = value;
    must->known[signal] = true;
}

static bool has_attr(const struct isa_insn *insn, uint32_t attr) { return (insn->attr & attr) != 0; }

/* ---- which trap ---- */

/* The data registers of a wide access begin at a multiple of their number. */
static bool registers_aligned(const struct isa_insn *insn) {
    switch (insn->op) {
    case OP_GLD:
    case OP_LLD: return insn->src[0].bytes <= 4 || insn->dst.reg % (insn->src[0].bytes / 4) == 0;
    case OP_GST:
    case OP_LST: return insn->dst.bytes <= 4 || insn->src[0].reg % (insn->dst.bytes / 4) == 0;
    default: return true;
    }
}

/* A5..A7 do not exist. The cell of an I2I is as wide as its type. Source: docs/isa.md 2.1 and 3.9. */
static bool is_defined(const struct isa_insn *insn) {
    unsigned width = has_attr(insn, ISA_BYTE) ? 1 : has_attr(insn, ISA_SRC16) ? 2 : 4;
    bool cell_fits = insn->op != OP_I2I || insn->src[0].kind != ISA_SHARED || insn->src[0].bytes == width;
    bool two_aregs = insn->op == OP_R2A && insn->areg_inc; /* the index register would be a second result */
    return cell_fits && !two_aregs && registers_aligned(insn) && insn->areg <= LAST_AREG &&
           (insn->dst.kind != ISA_AREG || insn->dst.reg <= LAST_AREG);
}

static bool is_implemented(const struct isa_insn *insn) {
    switch (insn->op) {
    case OP_KIL:
    case OP_QUADON:
    case OP_QUADPOP: return false;
    case OP_GRED: return insn->dst.bytes == 4;
    case OP_GATOM: return insn->src[0].bytes == 4;
    default: return insn->unit != UNIT_TEXTURE;
    }
}

/* ---- operands ---- */

struct slot {
    enum control from, reg, high;
};
static const struct slot SLOT_SRC_A = {CONTROL_src_a_from, CONTROL_src_a_reg, CONTROL_src_a_high};
static const struct slot SLOT_SRC_B = {CONTROL_src_b_from, CONTROL_src_b_reg, CONTROL_src_b_high};
static const struct slot SLOT_SRC_C = {CONTROL_src_c_from, CONTROL_src_c_reg, CONTROL_src_c_high};

/* log2 */
static uint32_t size_code(unsigned bytes) { return (uint32_t)__builtin_ctz(bytes); }

/* The A register of the first memory operand. */
static void put_index(struct expectation *must, const struct isa_insn *insn) {
    put(must, CONTROL_areg, insn->areg);
    put(must, CONTROL_areg_inc, insn->areg_inc);
    if (insn->areg_inc) put(must, CONTROL_areg_inc_bytes, (uint32_t)insn->inc_bytes & 0xffff);
}

static void put_shared(struct expectation *must, const struct isa_insn *insn, const struct isa_operand *operand) {
    put_index(must, insn);
    put(must, CONTROL_reads_shared, 1);
    put(must, CONTROL_areg_in_shared, 1);
    put(must, CONTROL_offset, insn->areg_inc ? 0 : operand->value);
    put(must, CONTROL_mem_size, size_code(operand->bytes));
    const bool narrow = has_attr(insn, ISA_BYTE) || has_attr(insn, ISA_SRC16);
    const bool extends = insn->op == OP_I2I || (insn->op == OP_I2F && narrow); /* by itself */
    if (operand->bytes < 4 && !extends && insn->op != OP_R2G) put(must, CONTROL_mem_signed, operand->sext);
}

static void put_const(struct expectation *must, const struct isa_insn *insn, const struct isa_operand *operand) {
    bool first = insn->src[0].kind != ISA_SHARED;
    if (first) put_index(must, insn);
    put(must, CONTROL_areg_in_const, first);
    put(must, CONTROL_reads_const, 1);
    put(must, CONTROL_const_offset, first && insn->areg_inc ? 0 : operand->value);
    put(must, CONTROL_const_size, size_code(operand->bytes));
    put(must, CONTROL_bank, operand->bank);
    if (operand->bytes < 4) put(must, CONTROL_const_signed, operand->sext);
}

static void put_register(struct expectation *must, struct slot slot, unsigned reg, bool half) {
    put(must, slot.from, half ? SRC_REG16 : SRC_REG32);
    put(must, slot.reg, half ? reg / 2 : reg);
    if (half) put(must, slot.high, reg & 1);
}

static void put_source(struct expectation *must, struct slot slot, const struct isa_insn *insn,
                       const struct isa_operand *operand) {
    switch (operand->kind) {
    case ISA_REG32:
    case ISA_REG16: put_register(must, slot, operand->reg, operand->kind == ISA_REG16); break;
    case ISA_SHARED:
        put(must, slot.from, SRC_SHARED);
        put_shared(must, insn, operand);
        break;
    case ISA_CONST:
        put(must, slot.from, SRC_CONST);
        put_const(must, insn, operand);
        break;
    case ISA_IMM:
        put(must, slot.from, SRC_IMM);
        put(must, CONTROL_imm, operand->value);
        break;
    case ISA_AREG:
        put(must, slot.from, SRC_AREG);
        put(must, CONTROL_areg, operand->reg);
        break;
    case ISA_CREG: put(must, slot.from, SRC_CREG); break;
    case ISA_NONE:
    case ISA_BUCKET:
    case ISA_GLOBAL:
    case ISA_LOCAL: break;
    }
}

static void put_destination(struct expectation *must, const struct isa_operand *dst) {
    bool half = dst->kind == ISA_REG16;
    if (!half && (dst->kind != ISA_REG32 || dst->reg == REG_SINK)) return;
    put(must, CONTROL_dst, half ? DST_REG16 : DST_REG32);
    put(must, CONTROL_dst_number, dst->reg);
    put(must, CONTROL_dst_reg, half ? dst->reg / 2u : dst->reg);
    if (half) put(must, CONTROL_dst_high, dst->reg & 1);
}

/* ---- operations ---- */

static void put_adder(struct expectation *must, const struct isa_insn *insn, bool neg_a, bool neg_b) {
    put(must, CONTROL_neg_a, neg_a);
    put(must, CONTROL_neg_b, neg_b);
    put(must, CONTROL_saturate, has_attr(insn, ISA_SAT));
}

static void put_product(struct expectation *must, const struct isa_insn *insn) {
    put(must, CONTROL_alu, ALU_MUL);
    put(must, CONTROL_w16, 0);
    put(must, CONTROL_mul24, has_attr(insn, ISA_M24));
    put(must, CONTROL_mul_hi, has_attr(insn, ISA_HI));
    put(must, CONTROL_sign_a, has_attr(insn, ISA_SIGN_A));
    put(must, CONTROL_sign_b, has_attr(insn, ISA_SIGN_B));
    put(must, CONTROL_mul_add, insn->op == OP_IMAD);
    put_adder(must, insn, has_attr(insn, ISA_NEG_P), has_attr(insn, ISA_NEG_C));
}

/* Products of words, and divisions. */
static void put_extension(struct expectation *must, const struct isa_insn *insn) {
    put(must, CONTROL_alu, insn->unit == UNIT_DIVIDE ? ALU_DIVIDE : ALU_MUL_WORD);
    put(must, CONTROL_mul24, 1);
    put(must, CONTROL_mul_hi, has_attr(insn, ISA_HI) || insn->op == OP_IREM);
    put(must, CONTROL_mul_add, insn->op == OP_WMAD);
    put(must, CONTROL_sign_a, has_attr(insn, ISA_SIGN_A));
    put_adder(must, insn, false, false);
}

static void put_conversion(struct expectation *must, const struct isa_insn *insn) {
    put(must, CONTROL_alu, ALU_CONVERT);
    put(must, CONTROL_sign_a, has_attr(insn, ISA_SIGN_A));
    put(must, CONTROL_sign_d, has_attr(insn, ISA_SIGN_D));
    put(must, CONTROL_src_byte, has_attr(insn, ISA_BYTE));
    if (!has_attr(insn, ISA_BYTE)) put(must, CONTROL_src_half, has_attr(insn, ISA_SRC16));
    put(must, CONTROL_dst8, insn->dst8);
    put(must, CONTROL_abs_a, insn->src[0].absolute);
    put(must, CONTROL_neg_a, insn->src[0].negate);
}

/* The ALU's operation, and the modifiers that it uses then. */
static void put_arithmetic(struct expectation *must, const struct isa_insn *insn) {
    put(must, CONTROL_w16, has_attr(insn, ISA_W16));
    switch (insn->op) {
    case OP_IADD:
        put(must, CONTROL_alu, ALU_ADD);
        put_adder(must, insn, insn->src[0].negate, insn->src[1].negate);
        break;
    case OP_IMUL:
    case OP_IMAD: put_product(must, insn); break;
    case OP_WMUL:
    case OP_WMAD:
    case OP_IDIV:
    case OP_IREM: put_extension(must, insn); break;
    case OP_ISAD:
        put(must, CONTROL_alu, ALU_SAD);
        put(must, CONTROL_sign_a, has_attr(insn, ISA_SIGN_A));
        put_adder(must, insn, false, false);
        break;
    case OP_ISET:
        put(must, CONTROL_alu, ALU_COMPARE);
        put(must, CONTROL_sign_a, has_attr(insn, ISA_SIGN_A));
        put(must, CONTROL_compare, insn->cmp);
        break;
    case OP_IMIN:
    case OP_IMAX:
        put(must, CONTROL_alu, insn->op == OP_IMIN ? ALU_MIN : ALU_MAX);
        put(must, CONTROL_sign_a, has_attr(insn, ISA_SIGN_A));
        break;
    case OP_SHL: put(must, CONTROL_alu, ALU_SHL); break;
    case OP_SHR:
        put(must, CONTROL_alu, ALU_SHR);
        put(must, CONTROL_sign_a, has_attr(insn, ISA_SIGN_A));
        break;
    case OP_LOP:
        put(must, CONTROL_alu, ALU_LOGIC);
        put(must, CONTROL_logic_op, insn->logic);
        put(must, CONTROL_inv_a, insn->src[0].invert);
        put(must, CONTROL_inv_b, insn->src[1].invert);
        break;
    case OP_I2I: put_conversion(must, insn); break;
    default: put(must, CONTROL_alu, ALU_PASS_A); break;
    }
}

/* ---- floating point ---- */

struct float_operation {
    enum isa_op op;
    enum float_op unit;
    enum special_op special;
};
static const struct float_operation FLOAT_OPERATIONS[] = {
    {OP_FADD, FLOAT_ADD,          SPECIAL_NONE},
    {OP_FMUL, FLOAT_MULTIPLY,     SPECIAL_NONE},
    {OP_FMAD, FLOAT_MULTIPLY_ADD, SPECIAL_NONE},
    {OP_FSET, FLOAT_COMPARE,      SPECIAL_NONE},
    {OP_FMAX, FLOAT_MAX,          SPECIAL_NONE},
    {OP_FMIN, FLOAT_MIN,          SPECIAL_NONE},
    {OP_FCMP, FLOAT_SELECT,       SPECIAL_NONE},
    {OP_I2F,  FLOAT_FROM_INTEGER, SPECIAL_NONE},
    {OP_F2I,  FLOAT_TO_INTEGER,   SPECIAL_NONE},
    {OP_F2F,  FLOAT_CONVERT,      SPECIAL_NONE},
    {OP_RCP,  FLOAT_NONE,         SPECIAL_RCP },
    {OP_RSQ,  FLOAT_NONE,         SPECIAL_RSQ },
    {OP_LG2,  FLOAT_NONE,         SPECIAL_LG2 },
    {OP_SIN,  FLOAT_NONE,         SPECIAL_SIN },
    {OP_COS,  FLOAT_NONE,         SPECIAL_COS },
    {OP_EX2,  FLOAT_NONE,         SPECIAL_EX2 },
};

/* Modifiers with an effect, and those without: SIN, COS and EX2 take their source unmodified, only EX2 saturates among
 * the functions, FMUL does not, and FMAD rounds to nearest. Source: docs/isa.md 8. */
static void put_modifiers(struct expectation *must, const struct isa_insn *insn) {
    const bool is_plain = insn->op == OP_SIN || insn->op == OP_COS || insn->op == OP_EX2;
    const bool takes_c = insn->op == OP_FMAD || insn->op == OP_FCMP;
    const bool saturates = insn->op != OP_FMUL && insn->op != OP_F2I && insn->op != OP_RRO &&
                           (insn->unit != UNIT_SFU || insn->op == OP_EX2);
    put(must, CONTROL_neg_a, insn->src[0].negate && !is_plain);
    put(must, CONTROL_abs_a, insn->src[0].absolute && !is_plain);
    put(must, CONTROL_neg_b, insn->src[takes_c ? 2 : 1].negate);
    put(must, CONTROL_abs_b, insn->src[1].absolute);
    put(must, CONTROL_saturate, has_attr(insn, ISA_SAT) && saturates);
    put(must, CONTROL_rounding, insn->op == OP_FMAD ? 0 : insn->rounding);
    put(must, CONTROL_compare, insn->cmp);
    put(must, CONTROL_integral, insn->integral);
    put(must, CONTROL_to_half, has_attr(insn, ISA_W16));
    put(must, CONTROL_src_half, has_attr(insn, ISA_SRC16));
    put(must, CONTROL_src_byte, has_attr(insn, ISA_BYTE));
    put(must, CONTROL_sign_a, has_attr(insn, ISA_SIGN_A));
    put(must, CONTROL_sign_d, has_attr(insn, ISA_SIGN_D));
}

static bool is_float(const struct isa_insn *insn) { return insn->unit == UNIT_FLOAT || insn->unit == UNIT_SFU; }

static void put_float(struct expectation *must, const struct isa_insn *insn) {
    put(must, CONTROL_float, insn->function != 0 ? FLOAT_REDUCE_EX2 : FLOAT_REDUCE_SIN); /* RRO */
    put(must, CONTROL_special, SPECIAL_NONE);
    for (size_t i = 0; i < sizeof FLOAT_OPERATIONS / sizeof FLOAT_OPERATIONS[0]; i++) {
        if (FLOAT_OPERATIONS[i].op != insn->op) continue;
        put(must, CONTROL_float, FLOAT_OPERATIONS[i].unit);
        put(must, CONTROL_special, FLOAT_OPERATIONS[i].special);
    }
    put_modifiers(must, insn);
    put(must, CONTROL_w16, 0);
    put_source(must, SLOT_SRC_A, insn, &insn->src[0]);
    put_source(must, SLOT_SRC_B, insn, &insn->src[1]);
    put_source(must, SLOT_SRC_C, insn, &insn->src[2]);
    if (insn->op != OP_RRO) return;
    put(must, CONTROL_src_b_from, SRC_IMM);
    put(must, CONTROL_imm, 0xa2f983); /* 2 / pi */
}

/* Operations whose sources are the slots a, b and c in the order of the text. */
static void put_regular(struct expectation *must, const struct isa_insn *insn) {
    put_arithmetic(must, insn);
    put_source(must, SLOT_SRC_A, insn, &insn->src[0]);
    put_source(must, SLOT_SRC_B, insn, &insn->src[1]);
    put_source(must, SLOT_SRC_C, insn, &insn->src[2]);
}

/* An immediate or a constant uses slot b, any other source slot a. */
static void put_move(struct expectation *must, const struct isa_insn *insn) {
    bool by_b = insn->src[0].kind == ISA_IMM || insn->src[0].kind == ISA_CONST;
    put_arithmetic(must, insn);
    put(must, CONTROL_alu, by_b ? ALU_PASS_B : ALU_PASS_A);
    put_source(must, by_b ? SLOT_SRC_B : SLOT_SRC_A, insn, &insn->src[0]);
}

static void put_r2a(struct expectation *must, const struct isa_insn *insn) {
    put(must, CONTROL_alu, ALU_SHL);
    put(must, CONTROL_w16, 0);
    put_source(must, SLOT_SRC_A, insn, &insn->src[0]);
    put(must, CONTROL_src_b_from, SRC_IMM);
    put(must, CONTROL_imm, insn->shift);
}

static void put_ada(struct expectation *must, const struct isa_insn *insn) {
    put(must, CONTROL_alu, ALU_ADD);
    put(must, CONTROL_w16, 0);
    put_adder(must, insn, false, false);
    put_source(must, SLOT_SRC_A, insn, &insn->src[0]);
    put_source(must, SLOT_SRC_B, insn, &insn->src[1]);
}

static void put_s2r(struct expectation *must, const struct isa_insn *insn) {
    put(must, CONTROL_alu, ALU_PASS_A);
    put(must, CONTROL_w16, 0);
    put(must, CONTROL_src_a_from, SRC_SPECIAL);
    put(must, CONTROL_imm, insn->sreg);
}

static void put_global(struct expectation *must, const struct isa_insn *insn) {
    bool load = insn->op == OP_GLD;
    const struct isa_operand *memory = load ? &insn->src[0] : &insn->dst;
    put(must, CONTROL_mem, load ? MEM_GLOBAL_LOAD : MEM_GLOBAL_STORE);
    put_register(must, SLOT_SRC_A, memory->reg, false);
    put(must, CONTROL_mem_size, size_code(memory->bytes));
    if (load && memory->bytes < 4) put(must, CONTROL_mem_signed, memory->sext);
    if (!load) put_source(must, SLOT_SRC_C, insn, &insn->src[0]);
}

static void put_local(struct expectation *must, const struct isa_insn *insn) {
    bool load = insn->op == OP_LLD;
    const struct isa_operand *memory = load ? &insn->src[0] : &insn->dst;
    put(must, CONTROL_mem, load ? MEM_LOCAL_LOAD : MEM_LOCAL_STORE);
    put(must, CONTROL_src_a_from, SRC_LOCAL);
    put_index(must, insn);
    put(must, CONTROL_areg_in_shared, 1);
    put(must, CONTROL_offset, insn->areg_inc ? 0 : memory->value);
    put(must, CONTROL_mem_size, size_code(memory->bytes));
    if (load && memory->bytes < 4) put(must, CONTROL_mem_signed, memory->sext);
    if (!load) put_source(must, SLOT_SRC_C, insn, &insn->src[0]);
}

/* The operand uses slot c, the new word of CAS slot b. Words have 32 bits here. */
static void put_atomic(struct expectation *must, const struct isa_insn *insn) {
    bool returns = insn->op == OP_GATOM;
    const struct isa_operand *memory = returns ? &insn->src[0] : &insn->dst;
    put(must, CONTROL_mem, MEM_GLOBAL_ATOMIC);
    put(must, CONTROL_mem_size, size_code(memory->bytes));
    put(must, CONTROL_mem_signed, memory->sext);
    put(must, CONTROL_atomic, insn->atom);
    put_register(must, SLOT_SRC_A, memory->reg, false);
    put_source(must, SLOT_SRC_C, insn, &insn->src[returns ? 1 : 0]);
    if (returns) put_source(must, SLOT_SRC_B, insn, &insn->src[2]);
}

static void put_barrier(struct expectation *must, const struct isa_insn *insn) {
    bool everyone = insn->barrier_all || insn->barrier_mask == ALL_WARPS;
    put(must, CONTROL_flow, FLOW_BAR);
    put(must, CONTROL_barrier, insn->barrier);
    put(must, CONTROL_bar_wait, insn->barrier_wait);
    put(must, CONTROL_bar_legal, insn->barrier_arrive && (!insn->barrier_wait || everyone));
}

static void put_jump(struct expectation *must, const struct isa_insn *insn, enum flow flow) {
    put(must, CONTROL_flow, flow);
    put(must, CONTROL_target, insn->target);
}

/* The target uses slot b. */
static void put_brx(struct expectation *must, const struct isa_insn *insn) {
    put(must, CONTROL_flow, FLOW_BRX);
    put(must, CONTROL_alu, ALU_PASS_B);
    put(must, CONTROL_w16, 0);
    put_source(must, SLOT_SRC_B, insn, &insn->src[0]);
}

static void put_operation(struct expectation *must, const struct isa_insn *insn) {
    switch (insn->op) {
    case OP_MOV:
    case OP_MVC:
    case OP_G2R:
    case OP_A2R:
    case OP_C2R: put_move(must, insn); break;
    case OP_S2R: put_s2r(must, insn); break;
    case OP_R2C:
        put_source(must, SLOT_SRC_A, insn, &insn->src[0]);
        put(must, CONTROL_creg_from_src_a, 1);
        break;
    case OP_R2A: put_r2a(must, insn); break;
    case OP_ADA: put_ada(must, insn); break;
    case OP_R2G:
        put(must, CONTROL_mem, MEM_SHARED_STORE);
        put_shared(must, insn, &insn->dst);
        put_source(must, SLOT_SRC_C, insn, &insn->src[0]);
        break;
    case OP_GLD:
    case OP_GST: put_global(must, insn); break;
    case OP_LLD:
    case OP_LST: put_local(must, insn); break;
    case OP_GRED:
    case OP_GATOM: put_atomic(must, insn); break;
    case OP_BRA: put_jump(must, insn, FLOW_BRA); break;
    case OP_CAL: put_jump(must, insn, FLOW_CAL); break;
    case OP_PBK: put_jump(must, insn, FLOW_PBK); break;
    case OP_SSY: put_jump(must, insn, FLOW_SSY); break;
    case OP_PRET: put_jump(must, insn, FLOW_PRET); break;
    case OP_BRX: put_brx(must, insn); break;
    case OP_RET: put(must, CONTROL_flow, FLOW_RET); break;
    case OP_BRK: put(must, CONTROL_flow, FLOW_BRK); break;
    case OP_BAR: put_barrier(must, insn); break;
    case OP_TRAP:
    case OP_BPT: put(must, CONTROL_flow, FLOW_BREAKPOINT); break;
    case OP_NOP:
    case OP_PMEVENT: break;
    default:
        if (is_float(insn))
            put_float(must, insn);
        else
            put_regular(must, insn);
        break;
    }
}

/* ---- what every instruction has ---- */

/* Signals that an instruction must leave inactive unless it needs them: each would write, read, wait or jump. */
static void put_rest(struct expectation *must) {
    static const enum control AT_REST[] = {
        CONTROL_mem,      CONTROL_flow,         CONTROL_src_a_from,  CONTROL_src_b_from, CONTROL_src_c_from,
        CONTROL_areg_inc, CONTROL_reads_shared, CONTROL_reads_const, CONTROL_dst,        CONTROL_creg_from_src_a,
        CONTROL_areg_set, CONTROL_creg_set,     CONTROL_has_guard,   CONTROL_carry,      CONTROL_is_end,
        CONTROL_is_join,  CONTROL_float,        CONTROL_special,
    };
    for (unsigned i = 0; i < sizeof AT_REST / sizeof *AT_REST; i++) put(must, AT_REST[i], 0);
}

static void put_guard_and_flags(struct expectation *must, const struct isa_insn *insn) {
    bool carries = has_attr(insn, ISA_CARRY);
    put(must, CONTROL_has_guard, insn->guarded);
    if (insn->guarded) put(must, CONTROL_cond, insn->cond);
    put(must, CONTROL_carry, carries);
    if (insn->guarded || carries) put(must, CONTROL_creg, insn->creg);
    if (insn->op == OP_C2R) put(must, CONTROL_creg, insn->src[0].reg);
    put(must, CONTROL_creg_set, insn->set_c);
    if (insn->set_c) put(must, CONTROL_creg_dst, insn->cdst);
}

void expect_control(uint32_t lo, uint32_t hi, struct expectation *must) {
    struct isa_insn insn;
    enum isa_result result = isa_decode(lo, hi, &insn);
    bool defined = result == ISA_OK && is_defined(&insn);
    *must = (struct expectation){0};
    put(must, CONTROL_is_long, isa_is_long(lo));
    put_rest(must);
    if (!defined || !is_implemented(&insn)) {
        put(must, CONTROL_trap, defined ? DECODE_UNIMPLEMENTED : DECODE_UNDEFINED);
        put(must, CONTROL_redirects, 1);
        return; /* a trap has no other effect */
    }
    put(must, CONTROL_trap, DECODE_FINE);
    put_operation(must, &insn);
    put_guard_and_flags(must, &insn);
    put_destination(must, &insn.dst);
    put(must, CONTROL_areg_set, insn.dst.kind == ISA_AREG);
    if (insn.dst.kind == ISA_AREG) put(must, CONTROL_areg_dst, insn.dst.reg);
    put(must, CONTROL_lane_mask, insn.lane_mask);
    put(must, CONTROL_is_end, insn.marker == ISA_MARK_END);
    put(must, CONTROL_is_join, insn.marker == ISA_MARK_JOIN);
    put(must, CONTROL_redirects, must->value[CONTROL_flow] != FLOW_NONE || insn.marker != ISA_MARK_NONE);
}
