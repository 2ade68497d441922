/* SPDX-License-Identifier: Apache-2.0 */
/* Folds loads from shared and constant memory into their only reader. Does not extend the life of an A register
 * beyond the number of A registers. */
#include "../ir/live.h"
#include "select.h"

enum { FAR = 200, MOST_A = 4, MOST_CONSTANT = 127 };

struct fold {
    struct ir *ir;
    uint8_t *alive; /* number of live A registers behind each instruction, by order */
};

static bool is_address(const struct ir *ir, ir_reg r) { return ir->regs[r].cls == IR_A; }

static void count_addresses(struct fold *f, const struct ir_block *b, bool *is_alive) {
    ir_reg list[IR_USES_MAX];
    unsigned count = 0;
    for (size_t i = 0; i < b->live_out_count; i++)
        if (is_address(f->ir, b->live_out[i])) is_alive[b->live_out[i]] = true, count++;
    for (const struct ir_insn *insn = b->last; insn != NULL; insn = insn->prev) {
        f->alive[insn->order] = (uint8_t)(count < 100 ? count : 100);
        unsigned n = ir_defs(insn, list);
        for (unsigned i = 0; i < n; i++)
            if (is_alive[list[i]]) is_alive[list[i]] = false, count--;
        n = ir_uses(insn, list);
        for (unsigned i = 0; i < n; i++)
            if (is_address(f->ir, list[i]) && !is_alive[list[i]]) is_alive[list[i]] = true, count++;
    }
    for (size_t i = 0; i < b->live_in_count; i++) is_alive[b->live_in[i]] = false;
}

static bool is_shared_load(const struct ir_insn *insn) {
    return insn->op == IR_MOV && insn->src[0].kind == IR_SHARED && insn->fdst == 0 && (insn->flags & IR_VOLATILE) == 0;
}

static bool is_constant_load(const struct ir_insn *insn) {
    return insn->op == IR_MVC && insn->src[0].kind == IR_CONST && insn->src[0].cell == IR_B32 && insn->fdst == 0;
}

static bool changes_shared(const struct ir_insn *insn) {
    return insn->op == IR_R2G || insn->op == IR_BAR || insn->call != NULL;
}

static bool writes(const struct ir_insn *insn, ir_reg reg) {
    ir_reg defs[IR_DEFS_MAX];
    const unsigned n = ir_defs(insn, defs);
    for (unsigned i = 0; i < n; i++)
        if (defs[i] == reg) return true;
    return false;
}

/* Returns the only reader of a loaded value, and in *operand its operand; NULL if the memory or the address may
 * change in between. */
static struct ir_insn *find_reader(const struct ir_insn *load, unsigned *operand) {
    unsigned steps = 0;
    const bool is_shared = load->src[0].kind == IR_SHARED;
    for (struct ir_insn *insn = load->next; insn != NULL && ++steps < FAR; insn = insn->next) {
        for (unsigned i = 0; i < 3; i++)
            if (insn->src[i].kind == IR_REG && insn->src[i].reg == load->dst) {
                *operand = i;
                return insn;
            }
        if ((is_shared && changes_shared(insn)) || (load->src[0].reg != 0 && writes(insn, load->src[0].reg)))
            return NULL;
    }
    return NULL;
}

/* Returns whether an A register is free for the load's address up to the reader; if so, counts it there. */
static bool has_room(const struct fold *f, const struct ir_insn *load, const struct ir_insn *reader) {
    const ir_reg a = load->src[0].reg;
    const struct ir_insn *last = load;
    if (a == 0) return true;
    for (const struct ir_insn *insn = load->next; insn != reader; insn = insn->next)
        for (unsigned i = 0; i < 3; i++)
            if (insn->src[i].reg == a) last = insn;
    for (const struct ir_insn *insn = last; insn != reader; insn = insn->next)
        if (f->alive[insn->order] >= MOST_A) return false;
    for (const struct ir_insn *insn = last; insn != reader; insn = insn->next) f->alive[insn->order]++;
    return true;
}

static bool fold_shared(const struct fold *f, struct ir_insn *load, struct ir_insn *reader, unsigned i) {
    struct ir_operand o = load->src[0];
    if (!select_takes_shared(reader, i, (enum ir_cell)o.cell) || !select_read_in_place(reader, i, &o) ||
        !has_room(f, load, reader))
        return false;
    reader->src[i] = o;
    select_shared_first(reader);
    return true;
}

/* Returns whether an instruction can read a word of constant memory as operand i, after an exchange of its sources
 * if needed. */
static bool takes_constant(const struct ir_insn *insn, unsigned i) {
    for (unsigned k = 0; k < 3; k++)
        if (insn->src[k].kind == IR_CONST || insn->src[k].kind == IR_IMM || (insn->src[k].kind == IR_SHARED))
            return false;
    if (insn->src[i].half != IR_WHOLE || insn->src[i].absolute) return false;
    switch (insn->op) {
    case IR_IADD: return insn->carry == 0 && i < 2;
    case IR_LOP: return insn->sub != IR_PASS && i < 2;
    case IR_IMIN:
    case IR_IMAX:
    case IR_FADD:
    case IR_FMUL:
    case IR_FMIN:
    case IR_FMAX: return i < 2;
    case IR_FMAD: return true;
    case IR_ISET:
    case IR_FSET: return i == 1;
    case IR_IMAD: return i == 2;
    default: return false;
    }
}

static bool fold_constant(const struct fold *f, struct ir_insn *load, struct ir_insn *reader, unsigned i) {
    struct ir_operand o = load->src[0];
    if (!takes_constant(reader, i) || o.value / 4 > MOST_CONSTANT || !has_room(f, load, reader)) return false;
    o.negative = reader->src[i].negative;
    reader->src[i] = o;
    if (i != 0) return true;
    reader->src[0] = reader->src[1];
    reader->src[1] = o;
    return true;
}

static bool same_guard(const struct ir_insn *load, const struct ir_insn *reader) {
    return load->guard == 0 || (reader->guard == load->guard && reader->cond == load->cond);
}

static void fold_loads(struct fold *f, const struct ir_block *b) {
    for (struct ir_insn *insn = b->first, *next; insn != NULL; insn = next) {
        unsigned i;
        next = insn->next;
        const bool is_shared = is_shared_load(insn), fresh = insn->guard != 0 && (insn->flags & IR_FRESH) != 0;
        if ((!is_shared && !is_constant_load(insn)) || f->ir->regs[insn->dst].uses != 1 ||
            f->ir->regs[insn->dst].defs != (fresh ? 2 : 1))
            continue;
        struct ir_insn *reader = find_reader(insn, &i);
        if (reader == NULL || !same_guard(insn, reader)) continue;
        if (is_shared ? fold_shared(f, insn, reader, i) : fold_constant(f, insn, reader, i)) ir_remove(insn);
    }
}

void select_fold_loads(struct ir *ir) {
    struct fold f = {.ir = ir};
    uint32_t last = 0;
    ir_count(ir);
    ir_find_live(ir);
    for (size_t b = 0; b < ir->order_count; b++)
        if (ir->order[b]->last != NULL) last = ir->order[b]->last->order;
    f.alive = CC_ARRAY(ir->cc, uint8_t, last + 1);
    bool *is_alive = CC_ARRAY(ir->cc, bool, ir->reg_count);
    for (size_t b = 0; b < ir->order_count; b++) {
        count_addresses(&f, ir->order[b], is_alive);
        fold_loads(&f, ir->order[b]);
    }
    ir_count(ir);
}
