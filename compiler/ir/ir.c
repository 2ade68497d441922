/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks, instructions and registers, see ir.h. */
#include "ir.h"

#include <string.h>

static const char *const NAMES[] = {
    "",
#define IR_OP(name, kind) #name,
#include "ops.def"
};

static const char KINDS[] = {
    'X',
#define IR_OP(name, kind) kind,
#include "ops.def"
};

const char *ir_op_name(enum ir_op op) { return NAMES[op]; }

bool ir_has_effect(const struct ir_insn *insn) {
    const char kind = KINDS[insn->op];
    return kind == 'S' || kind == 'X' || kind == 'T' || (insn->flags & (IR_VOLATILE | IR_JOIN | IR_EXIT)) != 0;
}

bool ir_is_load(const struct ir_insn *insn) {
    const char kind = KINDS[insn->op];
    return kind == 'M' || kind == 'Q';
}

/* More registers than any program that fits in a machine. Stops the inlining of call chains that double at each
 * level. */
enum { MOST_REGISTERS = 1 << 21 };

ir_reg ir_new_reg(struct ir *ir, enum ir_class cls) {
    const struct ir_vreg reg = {.cls = (uint8_t)cls, .fixed = -1, .home = -1};
    if (ir->reg_count >= MOST_REGISTERS)
        cc_fail(ir->cc, ir->place, "the kernel is too large with the functions that it calls");
    if (ir->reg_count == 0) CC_PUSH(ir->cc, ir->regs, ir->reg_count, ir->reg_capacity, reg);
    CC_PUSH(ir->cc, ir->regs, ir->reg_count, ir->reg_capacity, reg);
    return (ir_reg)(ir->reg_count - 1);
}

struct ir_block *ir_new_block(struct ir *ir) {
    struct ir_block *block = CC_NEW(ir->cc, struct ir_block);
    block->place = ir->place;
    block->number = UINT32_MAX;
    CC_PUSH_POINTER(ir->cc, ir->blocks, ir->block_count, ir->block_capacity, block);
    return block;
}

static struct ir_insn *new_insn(struct ir *ir, enum ir_op op) {
    struct ir_insn *insn = CC_NEW(ir->cc, struct ir_insn);
    insn->op = (uint8_t)op;
    insn->cond = IR_ALWAYS;
    insn->place = ir->place;
    return insn;
}

struct ir_insn *ir_append(struct ir *ir, struct ir_block *block, enum ir_op op) {
    struct ir_insn *insn = new_insn(ir, op);
    insn->block = block;
    insn->prev = block->last;
    if (block->last != NULL)
        block->last->next = insn;
    else
        block->first = insn;
    block->last = insn;
    return insn;
}

struct ir_insn *ir_insert(struct ir *ir, struct ir_insn *before, enum ir_op op) {
    struct ir_insn *insn = new_insn(ir, op);
    insn->place = before->place;
    insn->block = before->block;
    insn->next = before;
    insn->prev = before->prev;
    if (before->prev != NULL)
        before->prev->next = insn;
    else
        before->block->first = insn;
    before->prev = insn;
    return insn;
}

void ir_remove(struct ir_insn *insn) {
    struct ir_block *block = insn->block;
    if (insn->prev != NULL)
        insn->prev->next = insn->next;
    else
        block->first = insn->next;
    if (insn->next != NULL)
        insn->next->prev = insn->prev;
    else
        block->last = insn->prev;
    insn->block = NULL;
}

/* Returns whether insn->more are sources: those of a wide store are, those of a load are results. */
static bool more_is_read(const struct ir_insn *insn) { return insn->op == IR_GST || insn->op == IR_LST; }

unsigned ir_uses(const struct ir_insn *insn, ir_reg uses[IR_USES_MAX]) {
    unsigned n = 0;
    for (unsigned i = 0; i < 3; i++)
        if (insn->src[i].reg != 0) uses[n++] = insn->src[i].reg;
    if (insn->guard != 0) uses[n++] = insn->guard;
    if (insn->carry != 0) uses[n++] = insn->carry;
    if (insn->guard != 0 && insn->op != IR_SELECT && (insn->flags & IR_FRESH) == 0) {
        if (insn->dst != 0) uses[n++] = insn->dst;
        if (insn->fdst != 0) uses[n++] = insn->fdst;
    }
    for (unsigned i = 0; i < IR_MORE; i++)
        if (insn->more[i] != 0 && (more_is_read(insn) || insn->guard != 0)) uses[n++] = insn->more[i];
    if (insn->call == NULL) return n;
    for (size_t i = 0; i < insn->call->routine->input_count && n < IR_USES_MAX; i++)
        uses[n++] = insn->call->arguments[i];
    return n;
}

unsigned ir_defs(const struct ir_insn *insn, ir_reg defs[IR_DEFS_MAX]) {
    unsigned n = 0;
    if (insn->dst != 0) defs[n++] = insn->dst;
    if (insn->fdst != 0) defs[n++] = insn->fdst;
    for (unsigned i = 0; i < IR_MORE; i++)
        if (insn->more[i] != 0 && !more_is_read(insn)) defs[n++] = insn->more[i];
    if (insn->src[0].increments) defs[n++] = insn->src[0].reg;
    if (insn->call == NULL) return n;
    for (size_t i = 0; i < insn->call->routine->output_count && n < IR_DEFS_MAX; i++)
        defs[n++] = insn->call->results[i];
    return n;
}

static void count_insn(struct ir *ir, struct ir_insn *insn) {
    ir_reg list[IR_USES_MAX];
    unsigned n = ir_uses(insn, list);
    for (unsigned i = 0; i < n; i++) ir->regs[list[i]].uses++;
    n = ir_defs(insn, list);
    for (unsigned i = 0; i < n; i++) {
        struct ir_vreg *r = &ir->regs[list[i]];
        /* a guarded write counts twice, because it keeps the old value in some lanes */
        r->defs += insn->guard != 0 && insn->op != IR_SELECT ? 2 : 1;
        r->def = r->defs == 1 ? insn : NULL;
    }
}

static void check_use(struct ir *ir, ir_reg reg, const struct ir_block *block, uint32_t order) {
    struct ir_vreg *r = &ir->regs[reg];
    if (r->defs != 1) return;
    const bool is_before = r->def->block == block ? r->def->order < order : ir_dominates(r->def->block, block);
    if (is_before) return;
    r->defs = 2;
    r->def = NULL;
}

static void check_definitions(struct ir *ir) {
    ir_reg list[IR_USES_MAX];
    uint32_t order = 0;
    for (size_t i = 0; i < ir->order_count; i++)
        for (struct ir_insn *insn = ir->order[i]->first; insn != NULL; insn = insn->next) insn->order = ++order;
    for (size_t i = 0; i < ir->order_count; i++) {
        const struct ir_block *block = ir->order[i];
        for (const struct ir_insn *insn = block->first; insn != NULL; insn = insn->next) {
            const unsigned n = ir_uses(insn, list);
            for (unsigned k = 0; k < n; k++) check_use(ir, list[k], block, insn->order);
        }
        if (block->end == IR_BRANCH) check_use(ir, block->guard, block, UINT32_MAX);
    }
}

void ir_count(struct ir *ir) {
    for (size_t i = 0; i < ir->reg_count; i++) {
        /* A fixed register counts as written twice, so that its reads are not replaced by reads of a copy. */
        ir->regs[i].defs = ir->regs[i].fixed >= 0 ? 2 : 0;
        ir->regs[i].uses = 0;
        ir->regs[i].def = NULL;
    }
    for (size_t i = 0; i < ir->order_count; i++) {
        const struct ir_block *block = ir->order[i];
        for (struct ir_insn *insn = block->first; insn != NULL; insn = insn->next) count_insn(ir, insn);
        if (block->end == IR_BRANCH) ir->regs[block->guard].uses++;
    }
    check_definitions(ir);
}

struct ir_insn *ir_def_of(const struct ir *ir, const struct ir_operand *o) {
    return o->kind == IR_REG ? ir->regs[o->reg].def : NULL;
}

uint8_t ir_opposite(uint8_t cond) {
    static const uint8_t OPPOSITE[32] = {
        [IR_FALSE] = IR_ALWAYS,
        [IR_ALWAYS] = IR_FALSE,
        [IR_LT] = IR_GEU,
        [IR_GEU] = IR_LT,
        [IR_EQ] = IR_NEU,
        [IR_NEU] = IR_EQ,
        [IR_LE] = IR_GTU,
        [IR_GTU] = IR_LE,
        [IR_GT] = IR_LEU,
        [IR_LEU] = IR_GT,
        [IR_NE] = IR_EQU,
        [IR_EQU] = IR_NE,
        [IR_GE] = IR_LTU,
        [IR_LTU] = IR_GE,
        [IR_NUM] = IR_NAN,
        [IR_NAN] = IR_NUM,
        [IR_CARRY_SET] = IR_CARRY_CLEAR,
        [IR_CARRY_CLEAR] = IR_CARRY_SET,
        [IR_SIGN_SET] = IR_SIGN_CLEAR,
        [IR_SIGN_CLEAR] = IR_SIGN_SET,
    };
    return OPPOSITE[cond & 31];
}
