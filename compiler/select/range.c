/* SPDX-License-Identifier: Apache-2.0 */
/* Value ranges of registers, by their definitions. A register with several definitions has the largest of their
 * ranges. Ranges start empty and grow until none changes, so a value that a loop only halves keeps its range. */
#include "select.h"

enum {
    STEPS = 4,          /* passes in which ranges grow step by step; later they grow to a whole word at once */
    MOST_PASSES = 12,   /* passes after which a register with several definitions gets the full range */
    THREAD_BITS = 10,   /* width of a thread number, by the maximum block size */
    BLOCK_SIZES = 2,    /* byte address of blockDim in shared memory */
    BLOCK_SIZES_END = 8 /* byte address of gridDim, which follows */
};

static uint32_t bits_of_number(uint32_t value) {
    uint32_t bits = 0;
    while (value != 0) value >>= 1, bits++;
    return bits;
}

static uint32_t sbits_of_number(uint32_t value) { return bits_of_number((value >> 31) != 0 ? ~value : value) + 1; }

static uint32_t cell_bits(const struct ir_operand *o) {
    static const uint32_t BITS[] = {[IR_U8] = 8, [IR_U16] = 16, [IR_S16] = 32, [IR_B32] = 32};
    if (o->cell == IR_U16 && o->reg == 0 && o->value >= BLOCK_SIZES && o->value < BLOCK_SIZES_END)
        return THREAD_BITS + 1;
    return BITS[o->cell];
}

static uint32_t bits_of_half(const struct ir_operand *o, uint32_t whole) {
    if (o->half == IR_HIGH) return whole > 16 ? whole - 16 : 0;
    return whole < 16 ? whole : 16;
}

uint32_t select_bits(const struct ir *ir, const struct ir_operand *o) {
    if (o->negative || o->absolute) return 32;
    uint32_t bits = 32;
    if (o->kind == IR_IMM) bits = bits_of_number(o->value);
    if (o->kind == IR_SHARED) bits = cell_bits(o);
    if (o->kind == IR_REG && ir->regs[o->reg].bits > 0) bits = ir->regs[o->reg].bits - 1;
    if (o->kind == IR_REG && o->reg == ir->r0 && o->half == IR_LOW) return THREAD_BITS; /* threadIdx.x */
    return o->half != IR_WHOLE ? bits_of_half(o, bits) : bits;
}

uint32_t select_sbits(const struct ir *ir, const struct ir_operand *o) {
    const uint32_t bits = select_bits(ir, o);
    if (o->negative || o->absolute) return 32;
    if (o->half != IR_WHOLE) return bits + 1;
    if (o->kind == IR_IMM) return sbits_of_number(o->value);
    uint32_t sbits = 32;
    if (o->kind == IR_SHARED && o->cell == IR_S16) sbits = 16;
    if (o->kind == IR_REG && ir->regs[o->reg].sbits > 0) sbits = ir->regs[o->reg].sbits;
    return bits + 1 < sbits ? bits + 1 : sbits;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uint32_t bits_of_load(const struct ir_insn *insn) {
    return insn->size == IR_SIZE_U8 ? 8 : insn->size == IR_SIZE_U16 ? 16 : 32;
}

static uint32_t bits_of_logic(const struct ir_insn *insn, uint32_t a, uint32_t b) {
    if (insn->sub == IR_AND) return least(a, b);
    return insn->sub == IR_PASS ? b : most(a, b);
}

static uint32_t bits_of_conversion(const struct ir_insn *insn, uint32_t a) {
    if ((insn->flags & IR_SIGN_A) != 0) return 32;
    return least(a, (insn->flags & IR_BYTE) != 0 ? 8 : (insn->flags & IR_SRC16) != 0 ? 16 : 32);
}

static uint32_t result_bits(const struct ir *ir, const struct ir_insn *insn) {
    const struct ir_operand *sa = &insn->src[0], *sb = &insn->src[1];
    const uint32_t a = select_bits(ir, sa), b = select_bits(ir, sb);
    switch (insn->op) {
    case IR_MOV: return a;
    case IR_IADD: return insn->carry != 0 || insn->flags != 0 ? 32 : least(32, most(a, b) + 1);
    case IR_MUL: return least(32, a + b);
    case IR_IMUL:
        if ((insn->flags & ~(unsigned)IR_M24) != 0) return 32;
        return insn->flags == 0 ? least(32, a + b) : least(32, least(a, 24) + least(b, 24));
    case IR_IMAD: return insn->flags == 0 ? least(32, most(a + b, select_bits(ir, &insn->src[2])) + 1) : 32;
    case IR_SHL: return sb->kind == IR_IMM && sb->value < 32 ? least(32, a + sb->value) : 32;
    case IR_SHR:
        if (sb->kind != IR_IMM) return (insn->flags & IR_SIGN_A) != 0 && a == 32 ? 32 : a;
        if ((insn->flags & IR_SIGN_A) != 0 && a == 32) return 32;
        return a > sb->value ? a - sb->value : 0;
    case IR_LOP: return bits_of_logic(insn, a, b);
    case IR_IMIN: return (insn->flags & IR_SIGN_A) != 0 ? (a < 32 && b < 32 ? least(a, b) : 32) : least(a, b);
    case IR_IMAX:
        return (insn->flags & IR_SIGN_A) != 0 && least(a, b) < 32 ? most(least(a, 31), least(b, 31)) : most(a, b);
    case IR_I2I: return bits_of_conversion(insn, a);
    case IR_SELECT: return most(a, b);
    case IR_GLD:
    case IR_LDS:
    case IR_LDC:
    case IR_LLD: return bits_of_load(insn);
    case IR_UDIV: return a;
    case IR_UREM: return least(a, b);
    default: return 32;
    }
}

static uint32_t result_sbits(const struct ir *ir, const struct ir_insn *insn) {
    const struct ir_operand *sa = &insn->src[0], *sb = &insn->src[1];
    const uint32_t a = select_sbits(ir, sa), b = select_sbits(ir, sb);
    switch (insn->op) {
    case IR_MOV: return a;
    case IR_IADD: return insn->carry != 0 || insn->flags != 0 ? 32 : least(32, most(a, b) + 1);
    case IR_MUL: return least(32, a + b);
    case IR_SHL: return sb->kind == IR_IMM && sb->value < 32 ? least(32, a + sb->value) : 32;
    case IR_SHR: return (insn->flags & IR_SIGN_A) != 0 && sb->kind == IR_IMM ? (a > sb->value ? a - sb->value : 1) : 32;
    case IR_LOP: return sa->negative || sb->negative ? 32 : insn->sub == IR_PASS ? b : most(a, b);
    case IR_SELECT:
    case IR_IMIN:
    case IR_IMAX: return insn->op == IR_SELECT || (insn->flags & IR_SIGN_A) != 0 ? most(a, b) : 32;
    case IR_I2I:
        if ((insn->flags & IR_SIGN_A) == 0 || (insn->flags & IR_SIGN_D) == 0) return 32;
        return (insn->flags & IR_BYTE) != 0 ? 8 : (insn->flags & IR_SRC16) != 0 ? 16 : 32;
    case IR_ISET:
    case IR_FSET: return 1;
    case IR_GLD:
    case IR_LDS:
    case IR_LDC:
    case IR_LLD: return insn->size == IR_SIZE_S8 ? 8 : insn->size == IR_SIZE_S16 ? 16 : 32;
    default: return 32;
    }
}

/* Extends a register's range by that of a definition. Returns whether it grew. */
static bool grow(struct ir_vreg *r, uint32_t bits, uint32_t sbits, unsigned pass) {
    if (r->fixed >= 0 || (bits + 1 <= r->bits && sbits <= r->sbits)) return false;
    const bool at_once = r->defs != 1 && pass >= STEPS;
    if (bits + 1 > r->bits) r->bits = at_once ? 33 : bits + 1;
    if (sbits > r->sbits) r->sbits = at_once ? 32 : sbits;
    return true;
}

static bool update_ranges(struct ir *ir, const struct ir_insn *insn, unsigned pass) {
    bool grown = false;
    if (insn->dst != 0) {
        struct ir_vreg *r = &ir->regs[insn->dst];
        const bool is_part = (insn->flags & IR_DST16) != 0; /* the other half keeps its value */
        const bool is_known = !is_part && (pass < MOST_PASSES || r->defs == 1);
        grown = grow(r, is_known ? result_bits(ir, insn) : 32, is_known ? result_sbits(ir, insn) : 32, pass);
    }
    ir_reg defs[IR_DEFS_MAX];
    const unsigned n = insn->more[0] != 0 || insn->call != NULL ? ir_defs(insn, defs) : 0;
    for (unsigned i = 0; i < n; i++)
        if (defs[i] != insn->dst) grown |= grow(&ir->regs[defs[i]], 32, 32, pass);
    return grown;
}

/* Returns whether instructions write the register. Fixed registers, such as R0, inputs of routines and results of
 * calls, are also written elsewhere. */
static bool is_written(const struct ir *ir, size_t r) { return ir->regs[r].defs != 0 && ir->regs[r].fixed < 0; }

void select_find_ranges(struct ir *ir) {
    for (size_t r = 0; r < ir->reg_count; r++) {
        ir->regs[r].bits = is_written(ir, r) ? 1 : 0; /* 0 if unknown */
        ir->regs[r].sbits = is_written(ir, r) ? 1 : 0;
    }
    bool grown = true;
    for (unsigned pass = 0; grown; pass++) {
        grown = false;
        for (size_t b = 0; b < ir->order_count; b++)
            for (const struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next)
                grown |= update_ranges(ir, insn, pass);
    }
}
