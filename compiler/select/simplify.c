/* SPDX-License-Identifier: Apache-2.0 */
/* Propagates constants, copies and constant sums to their uses, and removes dead code. */
#include "select.h"

static bool is_plain_move(const struct ir_insn *insn) {
    return insn->op == IR_MOV && insn->guard == 0 && insn->fdst == 0 && insn->flags == 0;
}

static bool is_parameter(const struct ir_operand *o) { return o->kind == IR_SHARED && o->reg == 0; }

/* Returns the operand that `o` is a copy of, if it has the same value at all uses; else `o`. */
static struct ir_operand original(const struct ir *ir, struct ir_operand o) {
    for (unsigned steps = 0; steps < 64; steps++) {
        const struct ir_insn *def = ir_def_of(ir, &o);
        if (def == NULL || !is_plain_move(def) || o.half != IR_WHOLE) return o;
        const struct ir_operand *s = &def->src[0];
        if (s->half != IR_WHOLE || s->negative || s->absolute) return o;
        if (s->kind == IR_IMM) {
            if (o.negative || o.absolute) return o;
            return *s;
        }
        if (s->kind != IR_REG || ir->regs[s->reg].defs != 1) return o;
        o.reg = s->reg;
    }
    return o;
}

static void copy_operands(struct ir *ir, struct ir_insn *insn) {
    for (unsigned i = 0; i < 3; i++)
        if (insn->src[i].kind == IR_REG && (i != 1 || insn->more[0] == 0)) /* consecutive words stay together */
            insn->src[i] = original(ir, insn->src[i]);
}

static bool is_commutative(const struct ir_insn *insn) {
    switch (insn->op) {
    case IR_IADD:
    case IR_MUL:
    case IR_MULHI:
    case IR_IMIN:
    case IR_IMAX:
    case IR_FADD:
    case IR_FMUL:
    case IR_FMIN:
    case IR_FMAX: return true;
    case IR_LOP: return insn->sub != IR_PASS;
    default: return false;
    }
}

static void become_move(struct ir_insn *insn, struct ir_operand o) {
    insn->op = IR_MOV;
    insn->sub = 0;
    insn->flags = 0;
    insn->src[0] = o;
    insn->src[1] = insn->src[2] = (struct ir_operand){0};
}

/* x + k1 with x = y + k2 becomes y + (k1 + k2), if neither has flags. */
static void fold_sum(struct ir *ir, struct ir_insn *insn) {
    struct ir_operand *a = &insn->src[0], *b = &insn->src[1];
    if (b->kind != IR_IMM || a->kind != IR_REG || a->negative || insn->flags != 0 || insn->carry != 0 ||
        insn->fdst != 0)
        return;
    const struct ir_insn *def = ir_def_of(ir, a);
    if (def == NULL || def->op != IR_IADD || def->src[1].kind != IR_IMM || def->src[0].kind != IR_REG ||
        def->src[0].negative || def->flags != 0 || def->carry != 0 || ir->regs[def->src[0].reg].defs != 1)
        return;
    a->reg = def->src[0].reg;
    b->value += def->src[1].value;
}

/* Inserts x + y before an instruction, in a new register. */
static struct ir_operand put_sum(struct ir *ir, struct ir_insn *at, struct ir_operand x, struct ir_operand y) {
    struct ir_insn *sum = ir_insert(ir, at, IR_IADD);
    sum->src[0] = x;
    sum->src[1] = y;
    sum->dst = ir_new_reg(ir, IR_R);
    ir->regs[sum->dst].defs = ir->regs[sum->dst].uses = 1;
    ir->regs[sum->dst].def = sum;
    return ir_use(sum->dst);
}

/* (x + k) + y becomes (x + y) + k if x + k has no other reader, because k may then become an address offset. Uses
 * are counted before copies are propagated, so x + k may have another reader after all; it stays then, and otherwise
 * is removed as dead code. */
static void move_constant_out(struct ir *ir, struct ir_insn *insn) {
    for (unsigned i = 0; i < 2; i++) {
        const struct ir_insn *def = ir_def_of(ir, &insn->src[i]);
        const struct ir_operand y = insn->src[1 - i];
        if (def == NULL || def->op != IR_IADD || ir->regs[def->dst].uses != 1 || def->src[1].kind != IR_IMM ||
            def->src[0].kind != IR_REG || def->src[0].negative || def->flags != 0 || def->carry != 0 ||
            def->fdst != 0 || def->guard != 0 || def->block != insn->block || insn->src[i].negative ||
            y.kind != IR_REG || y.negative || y.reg == def->dst || ir->regs[y.reg].defs != 1 ||
            ir->regs[def->src[0].reg].defs != 1 || insn->guard != 0)
            continue;
        insn->src[0] = put_sum(ir, insn, def->src[0], y);
        insn->src[1] = def->src[1];
        return;
    }
}

bool select_same_at(const struct ir *ir, ir_reg reg, const struct ir_insn *from, const struct ir_insn *at) {
    enum { FAR = 100 };
    ir_reg defs[IR_DEFS_MAX];
    unsigned steps = 0;
    if (ir->regs[reg].defs == 1) return true;
    if (from->block != at->block) return false;
    for (const struct ir_insn *insn = from->next; insn != at; insn = insn->next) {
        if (insn == NULL || ++steps > FAR) return false;
        const unsigned n = ir_defs(insn, defs);
        for (unsigned i = 0; i < n; i++)
            if (defs[i] == reg) return false;
    }
    return true;
}

/* Returns the instruction that shifts the operand left by a constant, or NULL. */
static struct ir_insn *shift_of(const struct ir *ir, const struct ir_operand *o, const struct ir_insn *at) {
    struct ir_insn *def = ir_def_of(ir, o);
    const bool good = def != NULL && def->op == IR_SHL && def->guard == 0 && def->fdst == 0 && !o->negative &&
                      o->half == IR_WHOLE && def->src[1].kind == IR_IMM && def->src[0].kind == IR_REG &&
                      def->src[0].half == IR_WHOLE && select_same_at(ir, def->src[0].reg, def, at);
    return good ? def : NULL;
}

/* (x << n) + (y << n) becomes (x + y) << n if one of the shifts has no other reader, because R2A can shift. */
static bool move_shift_out(struct ir *ir, struct ir_insn *insn) {
    const struct ir_insn *x = shift_of(ir, &insn->src[0], insn), *y = shift_of(ir, &insn->src[1], insn);
    if (x == NULL || y == NULL || x == y || x->src[1].value != y->src[1].value || insn->guard != 0) return false;
    if (ir->regs[x->dst].uses != 1 && ir->regs[y->dst].uses != 1) return false;
    const struct ir_operand count = x->src[1];
    const struct ir_operand sum = put_sum(ir, insn, x->src[0], y->src[0]);
    insn->op = IR_SHL;
    insn->src[0] = sum;
    insn->src[1] = count;
    return true;
}

static bool folds(const struct ir_insn *insn) { return insn->fdst == 0 && insn->carry == 0 && insn->flags == 0; }

static uint32_t logic(uint8_t op, uint32_t a, uint32_t b) {
    return op == IR_AND ? a & b : op == IR_OR ? a | b : op == IR_XOR ? a ^ b : b;
}

static void simplify_logic(struct ir_insn *insn) {
    struct ir_operand *a = &insn->src[0], *b = &insn->src[1];
    if (!folds(insn) || a->negative || b->negative) return;
    if (insn->sub == IR_PASS) {
        if (b->kind == IR_IMM) become_move(insn, *b);
    } else if (a->kind == IR_IMM && b->kind == IR_IMM) {
        become_move(insn, ir_imm(logic(insn->sub, a->value, b->value)));
    } else if (ir_is_imm(b, 0)) {
        become_move(insn, insn->sub == IR_AND ? ir_imm(0) : *a);
    } else if (ir_is_imm(b, UINT32_MAX) && insn->sub == IR_AND) {
        become_move(insn, *a);
    }
}

/* The field of a constant shift amount has seven bits. */
static void simplify_shift(struct ir_insn *insn) {
    const struct ir_operand *a = &insn->src[0];
    struct ir_operand *b = &insn->src[1];
    const bool is_signed = (insn->flags & IR_SIGN_A) != 0;
    if (b->kind != IR_IMM) return;
    if (b->value > 32) b->value = 32;
    if (insn->fdst != 0) return;
    if (b->value == 0) {
        become_move(insn, *a);
    } else if (b->value > 31 && !is_signed) {
        become_move(insn, ir_imm(0));
    } else if (a->kind == IR_IMM) {
        const uint32_t n = b->value > 31 ? 31 : b->value;
        become_move(insn, ir_imm(insn->op == IR_SHL ? a->value << n
                                 : is_signed        ? (uint32_t)((int32_t)a->value >> n)
                                                    : a->value >> n));
    }
}

static void simplify_sum(struct ir *ir, struct ir_insn *insn) {
    struct ir_operand *a = &insn->src[0], *b = &insn->src[1];
    if (b->kind == IR_IMM && b->negative && insn->fdst == 0 && insn->carry == 0) {
        b->value = 0 - b->value;
        b->negative = false;
    }
    if (!folds(insn)) return;
    if (a->kind == IR_IMM && b->kind == IR_IMM)
        become_move(insn, ir_imm((a->negative ? 0 - a->value : a->value) + b->value));
    else if (ir_is_imm(b, 0) && !a->negative)
        become_move(insn, *a);
    else if (ir_is_imm(a, 0) && !b->negative)
        become_move(insn, *b);
    else if (b->kind == IR_IMM)
        fold_sum(ir, insn);
    else if (!move_shift_out(ir, insn))
        move_constant_out(ir, insn);
}

static void simplify_product(struct ir_insn *insn) {
    const struct ir_operand *a = &insn->src[0], *b = &insn->src[1];
    if (a->kind == IR_IMM && b->kind == IR_IMM) {
        const uint64_t u = (uint64_t)a->value * b->value;
        const uint64_t s = (uint64_t)((int64_t)(int32_t)a->value * (int32_t)b->value);
        const uint64_t p = (insn->flags & IR_SIGN_A) != 0 ? s : u;
        become_move(insn, ir_imm((uint32_t)(insn->op == IR_MUL ? u : p >> 32)));
    } else if (ir_is_imm(b, 0)) {
        become_move(insn, ir_imm(0));
    } else if (ir_is_imm(b, 1) && insn->op == IR_MUL) {
        become_move(insn, *a);
    } else if (ir_is_imm(b, 1) && (insn->flags & IR_SIGN_A) == 0) {
        become_move(insn, ir_imm(0));
    }
}

/* Folds constants into the offset of an address. */
static void simplify_address(struct ir *ir, struct ir_insn *insn) {
    struct ir_operand *base = &insn->src[0];
    for (unsigned steps = 0; steps < 64; steps++) {
        const struct ir_insn *def = ir_def_of(ir, base);
        if (def == NULL || def->op != IR_IADD || def->src[1].kind != IR_IMM || def->src[0].kind != IR_REG ||
            def->src[0].negative || def->src[0].half != IR_WHOLE || def->flags != 0 || def->carry != 0 ||
            ir->regs[def->src[0].reg].defs != 1)
            break;
        base->reg = def->src[0].reg;
        insn->offset += (int32_t)def->src[1].value;
    }
    if (base->kind == IR_IMM) {
        base->value += (uint32_t)insn->offset;
        insn->offset = 0;
    }
}

static uint8_t mirrored(uint8_t compare) {
    /* exchanges bit 0 (less) and bit 2 (greater) of a comparison of ISET or FSET */
    return (uint8_t)((compare & ~5u) | ((compare & 1u) << 2) | ((compare >> 2) & 1u));
}

/* Moves a constant to source b of a comparison. */
static void simplify_comparison(struct ir_insn *insn) {
    if (insn->src[0].kind != IR_IMM || insn->src[1].kind == IR_IMM) return;
    const struct ir_operand swap = insn->src[0];
    insn->src[0] = insn->src[1];
    insn->src[1] = swap;
    insn->sub = mirrored(insn->sub);
}

static void simplify(struct ir *ir, struct ir_insn *insn) {
    copy_operands(ir, insn);
    if (is_commutative(insn) && insn->src[0].kind == IR_IMM && insn->src[1].kind != IR_IMM && insn->carry == 0) {
        const struct ir_operand swap = insn->src[0];
        insn->src[0] = insn->src[1];
        insn->src[1] = swap;
    }
    switch (insn->op) {
    case IR_IADD: simplify_sum(ir, insn); break;
    case IR_LOP: simplify_logic(insn); break;
    case IR_ISET:
    case IR_FSET: simplify_comparison(insn); break;
    case IR_SHL:
    case IR_SHR: simplify_shift(insn); break;
    case IR_MUL:
    case IR_MULHI: simplify_product(insn); break;
    case IR_LDS:
    case IR_STS:
    case IR_LDC:
    case IR_LLD:
    case IR_LST: simplify_address(ir, insn); break;
    default: break;
    }
}

/* ---- parameters ---- */

enum { MOST_CELL = 31 }; /* highest cell that an operand can address */

static uint32_t cell_bytes(const struct ir_operand *o) { return o->cell == IR_U8 ? 1 : o->cell == IR_B32 ? 4 : 2; }

/* Returns whether an instruction can read a shared cell as operand i, after an exchange of its operands if needed. */
bool select_takes_shared(const struct ir_insn *insn, unsigned i, enum ir_cell cell) {
    const struct ir_operand *o = &insn->src[i];
    if (insn->src[0].kind == IR_SHARED || insn->src[1].kind == IR_SHARED || insn->src[0].kind == IR_CONST) return false;
    const bool is_product = (insn->op == IR_IMUL || insn->op == IR_IMAD) && (insn->flags & IR_M24) == 0;
    if (is_product) {
        const bool same_signs = ((insn->flags & IR_SIGN_A) != 0) == ((insn->flags & IR_SIGN_B) != 0);
        const bool is_half = cell == IR_B32 ? o->half != IR_WHOLE : o->half == IR_LOW && cell != IR_U8;
        return is_half && (i == 0 || (i == 1 && same_signs));
    }
    if (o->half != IR_WHOLE) return false;
    switch (insn->op) {
    case IR_MOV: return i == 0;
    case IR_IADD: return i == 0 || (insn->carry == 0 && i == 1);
    case IR_LOP: return i < 2 && insn->sub != IR_PASS;
    case IR_IMIN:
    case IR_IMAX:
    case IR_ISET: return i < 2;
    case IR_SHL:
    case IR_SHR: return i == 0 && insn->src[1].kind != IR_REG;
    case IR_FADD:
    case IR_FMUL:
    case IR_FMIN:
    case IR_FMAX:
    case IR_FSET:
    case IR_FMAD: return i < 2 && cell == IR_B32;
    default: return false;
    }
}

/* Sets the cell to the form that operand i reads: products read halves of words. Returns false if it is out of reach
 * without an A register. */
bool select_read_in_place(const struct ir_insn *insn, unsigned i, struct ir_operand *cell) {
    const struct ir_operand *o = &insn->src[i];
    cell->negative = o->negative;
    cell->absolute = o->absolute;
    if (o->half != IR_WHOLE && cell->cell == IR_B32) {
        cell->cell = IR_U16;
        cell->value += o->half == IR_HIGH ? 2 : 0;
    }
    return cell->value / cell_bytes(cell) <= MOST_CELL;
}

/* Moves the shared operand to source a. */
void select_shared_first(struct ir_insn *insn) {
    insn->src[0].half = insn->src[0].kind == IR_SHARED ? IR_WHOLE : insn->src[0].half;
    if (insn->src[1].kind != IR_SHARED) return;
    insn->src[1].half = IR_WHOLE;
    const struct ir_operand swap = insn->src[0];
    insn->src[0] = insn->src[1];
    insn->src[1] = swap;
    if (insn->op == IR_ISET || insn->op == IR_FSET) insn->sub = mirrored(insn->sub);
}

/* Replaces a parameter by its cell in shared memory if all its readers can read it there. */
static void place_parameters(struct ir *ir) {
    uint8_t *refused = CC_ARRAY(ir->cc, uint8_t, ir->reg_count);
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next)
            for (unsigned i = 0; i < 3; i++) {
                const struct ir_insn *def = ir_def_of(ir, &insn->src[i]);
                if (def == NULL || !is_plain_move(def) || !is_parameter(&def->src[0])) continue;
                const bool same_twice =
                    insn->src[i].reg == insn->src[(i + 1) % 3].reg || insn->src[i].reg == insn->src[(i + 2) % 3].reg;
                struct ir_operand o = def->src[0];
                if (same_twice || !select_takes_shared(insn, i, (enum ir_cell)o.cell) ||
                    !select_read_in_place(insn, i, &o))
                    refused[insn->src[i].reg] = 1;
            }
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next)
            for (unsigned i = 0; i < 2; i++) {
                const struct ir_insn *def = ir_def_of(ir, &insn->src[i]);
                if (def == NULL || !is_plain_move(def) || !is_parameter(&def->src[0]) || refused[insn->src[i].reg] ||
                    !select_takes_shared(insn, i, (enum ir_cell)def->src[0].cell))
                    continue;
                struct ir_operand o = def->src[0];
                if (!select_read_in_place(insn, i, &o)) continue;
                insn->src[i] = o;
                select_shared_first(insn);
            }
}

/* ---- dead code ---- */

static bool is_dead(const struct ir *ir, const struct ir_insn *insn) {
    ir_reg defs[IR_DEFS_MAX];
    if (ir_has_effect(insn)) return false;
    const unsigned n = ir_defs(insn, defs);
    for (unsigned i = 0; i < n; i++)
        if (ir->regs[defs[i]].uses > 0) return false;
    return true;
}

/* A guarded instruction reads its own destination; this does not count as a use. */
static void discount_own_use(struct ir *ir, const struct ir_insn *insn, int sign) {
    if (insn->guard == 0 || insn->op == IR_SELECT || (insn->flags & IR_FRESH) != 0) return;
    if (insn->dst != 0) ir->regs[insn->dst].uses += (uint32_t)sign;
    if (insn->fdst != 0) ir->regs[insn->fdst].uses += (uint32_t)sign;
}

void select_remove_dead(struct ir *ir) {
    ir_reg uses[IR_USES_MAX];
    bool changed = true;
    ir_count(ir);
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next)
            discount_own_use(ir, insn, -1);
    while (changed) {
        changed = false;
        for (size_t b = ir->order_count; b-- > 0;)
            for (struct ir_insn *insn = ir->order[b]->last, *before; insn != NULL; insn = before) {
                before = insn->prev;
                if (!is_dead(ir, insn)) continue;
                discount_own_use(ir, insn, 1);
                const unsigned n = ir_uses(insn, uses);
                for (unsigned i = 0; i < n; i++) ir->regs[uses[i]].uses--;
                ir_remove(insn);
                changed = true;
            }
    }
    for (size_t b = 0; b < ir->order_count; b++) /* one of two results may be unused */
        for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next) {
            if (insn->fdst != 0 && ir->regs[insn->fdst].uses == 0) insn->fdst = 0;
            const bool is_alu = !ir_has_effect(insn) && !ir_is_load(insn);
            if (is_alu && insn->fdst != 0 && insn->dst != 0 && ir->regs[insn->dst].uses == 0) insn->dst = 0;
        }
    ir_count(ir);
}

void select_simplify(struct ir *ir) {
    ir_count(ir);
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next) simplify(ir, insn);
    select_remove_dead(ir);
    for (size_t b = 0; b < ir->order_count; b++)
        for (struct ir_insn *insn = ir->order[b]->first; insn != NULL; insn = insn->next) simplify(ir, insn);
    place_parameters(ir);
    select_remove_dead(ir);
}
