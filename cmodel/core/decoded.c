/* SPDX-License-Identifier: Apache-2.0 */
/* The decode stage, see decoded.h. */
#include "decoded.h"

#include <stdlib.h>

#include "../machine_has.h"
#include "regfile.h"

/* The functions that execute the operations. An operation missing here traps as unimplemented. */
struct operation {
    unit_fn *unit, *unit_avx2;
    exec_fn *lanes, *lanes_avx2;
    enum retire_mem mem;
};

#define ALU(lanes) \
    { unit_alu, unit_alu_avx2, EXEC_BOTH(lanes), RETIRE_MEM_NONE }
#define UNIT(unit) \
    { unit, unit, NULL, NULL, RETIRE_MEM_NONE }
#define MEMORY(unit, mem) \
    { unit, unit, NULL, NULL, RETIRE_MEM_##mem }

static const struct operation OPERATIONS[OP_COUNT] = {
    [OP_IADD] = ALU(exec_iadd),
    [OP_WMUL] = ALU(exec_wmul),
    [OP_WMAD] = ALU(exec_wmad),
    [OP_IDIV] = ALU(exec_idiv),
    [OP_IREM] = ALU(exec_irem),
    [OP_IMUL] = ALU(exec_imul),
    [OP_IMAD] = ALU(exec_imad),
    [OP_ISAD] = ALU(exec_isad),
    [OP_ISET] = ALU(exec_iset),
    [OP_IMIN] = ALU(exec_imin),
    [OP_IMAX] = ALU(exec_imax),
    [OP_SHL] = ALU(exec_shl),
    [OP_SHR] = ALU(exec_shr),
    [OP_LOP] = ALU(exec_lop),
    [OP_I2I] = ALU(exec_i2i),
    [OP_MOV] = ALU(exec_mov),
    [OP_MVC] = ALU(exec_mov),
    [OP_G2R] = ALU(exec_mov),
    [OP_FADD] = ALU(exec_fadd),
    [OP_FMUL] = ALU(exec_fmul),
    [OP_FMAD] = ALU(exec_fmad),
    [OP_FSET] = ALU(exec_fset),
    [OP_FMAX] = ALU(exec_fmax),
    [OP_FMIN] = ALU(exec_fmin),
    [OP_FCMP] = ALU(exec_fcmp),
    [OP_I2F] = ALU(exec_i2f),
    [OP_F2I] = ALU(exec_f2i),
    [OP_F2F] = ALU(exec_f2f),
    [OP_RCP] = ALU(exec_rcp),
    [OP_RSQ] = ALU(exec_rsq),
    [OP_LG2] = ALU(exec_lg2),
    [OP_SIN] = ALU(exec_sin),
    [OP_COS] = ALU(exec_cos),
    [OP_EX2] = ALU(exec_ex2),
    [OP_RRO] = ALU(exec_rro),
    [OP_R2A] = UNIT(unit_r2a),
    [OP_A2R] = UNIT(unit_a2r),
    [OP_ADA] = UNIT(unit_ada),
    [OP_C2R] = UNIT(unit_c2r),
    [OP_R2C] = UNIT(unit_r2c),
    [OP_S2R] = UNIT(unit_s2r),
    [OP_R2G] = MEMORY(unit_store, SHARED_STORE),
    [OP_GLD] = MEMORY(unit_load, GLOBAL_LOAD),
    [OP_GST] = MEMORY(unit_store, GLOBAL_STORE),
    [OP_LLD] = MEMORY(unit_load, LOCAL_LOAD),
    [OP_LST] = MEMORY(unit_store, LOCAL_STORE),
    [OP_GRED] = MEMORY(unit_atomic, GLOBAL_ATOMIC),
    [OP_GATOM] = MEMORY(unit_atomic, GLOBAL_ATOMIC),
    [OP_BRA] = UNIT(unit_bra),
    [OP_CAL] = UNIT(unit_cal),
    [OP_RET] = UNIT(unit_ret),
    [OP_PBK] = UNIT(unit_pbk),
    [OP_BRK] = UNIT(unit_brk),
    [OP_BRX] = UNIT(unit_brx),
    [OP_PRET] = UNIT(unit_pret),
    [OP_BAR] = UNIT(unit_bar),
    [OP_SSY] = UNIT(unit_ssy),
    [OP_TRAP] = UNIT(unit_breakpoint),
    [OP_BPT] = UNIT(unit_breakpoint),
    [OP_NOP] = UNIT(unit_nop),
    [OP_PMEVENT] = UNIT(unit_nop),
};

bool code_load(struct code *code, const uint32_t *words, size_t word_count, unsigned regs,
               const struct machine *machine) {
    code_destroy(code);
    code->words = calloc(word_count, sizeof *code->words);
    code->decoded = calloc(word_count, sizeof *code->decoded);
    if (code->words == NULL || code->decoded == NULL) return false;
    memcpy(code->words, words, word_count * sizeof *words);
    code->word_count = (uint32_t)word_count;
    code->regs = regs;
    code->machine = *machine;
    code->avx2 = lanes_have_avx2();
    return true;
}

void code_destroy(struct code *code) {
    free(code->words);
    free(code->decoded);
    *code = (struct code){0};
}

static const struct isa_operand *memory_operand(const struct isa_insn *insn) {
    if (insn->dst.kind == ISA_GLOBAL || insn->dst.kind == ISA_LOCAL || insn->dst.kind == ISA_SHARED) return &insn->dst;
    return &insn->src[0];
}

/* A1..A4 exist and A0 reads zero; the table treats A5..A7 as undefined. True if that is the only fault of the word:
 * with A1..A3 in their place it is an instruction. */
static bool names_absent_areg(uint32_t lo, uint32_t hi) {
    const uint32_t index_high = 1u << 2; /* bit 2 of the second word */
    const uint32_t dst_high = 1u << 4;   /* bit 4 of the first word */
    struct isa_insn insn;
    if ((hi & index_high) != 0 && isa_decode(lo, hi & ~index_high, &insn) == ISA_OK && insn.areg != 0) return true;
    return (lo & dst_high) != 0 && isa_decode(lo & ~dst_high, hi, &insn) == ISA_OK && insn.dst.kind == ISA_AREG;
}

const char *decoded_fault(uint32_t pc, uint32_t lo, uint32_t hi) {
    struct isa_insn insn;
    if (isa_is_long(lo) && pc % 8 != 0) return "long instruction not on an 8-byte boundary";
    switch (isa_decode(lo, hi, &insn)) {
    case ISA_OK: return isa_fault(&insn);
    case ISA_UNDEFINED: return names_absent_areg(lo, hi) ? "A5, A6 and A7 do not exist" : NULL;
    default: return NULL;
    }
}

/* All segments of global accesses are one memory. Source: the vectors atom32, and for GLD and GST nouveau's code, which
 * uses segment 15. A machine without the extension has no words of sm_10x. */
static enum trap find_trap(const struct code *code, const struct decoded *d) {
    const bool present = machine_has(&code->machine, isa_op_needs(d->insn.op));
    const bool atomic = d->mem_kind == RETIRE_MEM_GLOBAL_ATOMIC;
    if (isa_fault(&d->insn) != NULL || (!present && isa_unit_is_extension(d->insn.unit))) return TRAP_UNDEFINED;
    return present && d->unit != NULL && (!atomic || d->mem_bytes == 4) ? TRAP_NONE : TRAP_UNIMPLEMENTED;
}

static unsigned result_width(const struct isa_insn *insn) { return insn->op == OP_ISAD ? 32 : exec_width(insn); }

/* The register that the instruction writes, as in the record: a dropped write counts as none. */
static void find_destination(const struct code *code, struct decoded *d) {
    const struct isa_operand *dst = &d->insn.dst;
    if (dst->kind == ISA_REG32 && dst->reg < code->regs && dst->reg != ISA_REG_SINK) {
        d->dst_kind = RETIRE_DST_REG32;
        d->dst_reg = dst->reg;
    } else if (dst->kind == ISA_REG16 && dst->reg / 2u < code->regs) {
        d->dst_kind = RETIRE_DST_REG16;
        d->dst_reg = dst->reg;
    }
    if (dst->kind == ISA_AREG)
        d->a_reg = dst->reg;
    else if (d->insn.areg_inc)
        d->a_reg = d->insn.areg;
}

void decoded_words(const struct code *code, uint32_t index, uint32_t lo, uint32_t hi, struct decoded *d) {
    const bool aligned = !isa_is_long(lo) || index % 2 == 0;
    d->ready = true;
    if (!aligned || isa_decode(lo, hi, &d->insn) != ISA_OK) {
        d->insn.lo = lo;
        d->insn.hi = hi;
        d->trap = TRAP_UNDEFINED;
        return;
    }
    const struct operation *operation = &OPERATIONS[d->insn.op];
    d->unit = code->avx2 ? operation->unit_avx2 : operation->unit;
    d->lanes = code->avx2 ? operation->lanes_avx2 : operation->lanes;
    d->mem_kind = (uint8_t)operation->mem;
    d->mem_bytes = d->mem_kind != RETIRE_MEM_NONE ? memory_operand(&d->insn)->bytes : 0;
    d->words = d->mem_bytes > 4 ? d->mem_bytes / 4 : 1;
    d->width = (uint8_t)result_width(&d->insn);
    d->writes_c = d->insn.set_c;
    find_destination(code, d);
    d->trap = (uint8_t)find_trap(code, d);
}

static void decode(const struct code *code, uint32_t index, struct decoded *d) {
    const uint32_t lo = code->words[index];
    const bool has_high = isa_is_long(lo) && index % 2 == 0;
    decoded_words(code, index, lo, has_high ? code->words[index + 1] : 0, d);
}

const struct decoded *decoded_first(struct code *code, uint32_t index) {
    if (isa_is_long(code->words[index]) && index % 2 == 0 && index + 1 >= code->word_count) return NULL;
    decode(code, index, &code->decoded[index]);
    return &code->decoded[index];
}
