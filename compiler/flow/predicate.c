/* SPDX-License-Identifier: Apache-2.0 */
/* If-conversion: short sides of branches become guarded instructions. If the warp may diverge, this saves SSY,
 * branch and join. Arithmetic whose result is used only within the side keeps no guard. The result of a guarded load
 * is read only under the same guard. */
#include "../ir/live.h"
#include "cfg.h"

enum { MOST_DIVERGENT = 4, MOST_UNIFORM = 2 };

struct side {
    struct ir_block *block; /* NULL if absent */
    ir_reg guard;
    uint8_t cond;
};

static bool is_arithmetic(const struct ir_insn *insn) { return !ir_has_effect(insn) && !ir_is_load(insn); }

/* Returns whether all uses of a register are in its block, behind its only definition. */
static bool is_inner(const struct ir *ir, const struct ir_block *block, ir_reg reg, const uint32_t *uses_in) {
    return ir->regs[reg].defs == 1 && ir->regs[reg].def->block == block && uses_in[reg] == ir->regs[reg].uses;
}

static bool can_guard(const struct ir_insn *insn, const struct side *s) {
    switch (insn->op) {
    case IR_BAR:
    case IR_SSY:
    case IR_PBK:
    case IR_CAL:
    case IR_KEEP:
    case IR_NOP:
    case IR_SELECT:
    case IR_TRAP:
    case IR_UDIV:
    case IR_UREM:
    case IR_MUL:
    case IR_MULHI: return false;
    default: break;
    }
    if (insn->guard != 0 || insn->carry != 0 || insn->more[0] != 0 || insn->fdst == s->guard) return false;
    return (insn->flags & (IR_JOIN | IR_EXIT)) == 0;
}

static unsigned count_insns(const struct ir_block *b) {
    unsigned count = 0;
    for (const struct ir_insn *insn = b->first; insn != NULL && count < 100; insn = insn->next) count++;
    return count;
}

static bool is_side(const struct ir_block *b, const struct ir_block *side, const struct ir_block *join) {
    return side != b && side->previous_count == 1 && side->end == IR_JUMP && side->next[0] == join && side != join;
}

static bool can_convert(const struct side *s, unsigned most) {
    if (s->block == NULL) return true;
    if (count_insns(s->block) > most) return false;
    for (const struct ir_insn *insn = s->block->first; insn != NULL; insn = insn->next)
        if (!can_guard(insn, s)) return false;
    return true;
}

static void count_uses(const struct ir_block *b, uint32_t *uses_in, int sign) {
    ir_reg uses[IR_USES_MAX];
    for (const struct ir_insn *insn = b->first; insn != NULL; insn = insn->next) {
        const unsigned n = ir_uses(insn, uses);
        for (unsigned i = 0; i < n; i++) uses_in[uses[i]] += (uint32_t)sign;
    }
}

/* Returns whether the instruction reads the result of a guarded load of this side, or a register that may be
 * undefined in threads that skip the side. */
static bool reads_guarded(const struct ir *ir, const struct ir_insn *insn, const bool *guarded) {
    ir_reg uses[IR_USES_MAX];
    const unsigned n = ir_uses(insn, uses);
    for (unsigned i = 0; i < n; i++)
        if (guarded[uses[i]] || (ir->regs[uses[i]].defs != 1 && uses[i] != ir->r0)) return true;
    return false;
}

static void guard_side(struct ir *ir, struct ir_block *to, const struct side *s, uint32_t *uses_in, bool *guarded) {
    ir_reg defs[IR_DEFS_MAX];
    if (s->block == NULL) return;
    count_uses(s->block, uses_in, 1);
    for (struct ir_insn *insn = s->block->first; insn != NULL; insn = insn->next) {
        const unsigned n = ir_defs(insn, defs);
        bool inner = true;
        for (unsigned i = 0; i < n; i++) inner &= is_inner(ir, s->block, defs[i], uses_in);
        if (inner && n > 0 && is_arithmetic(insn) && !reads_guarded(ir, insn, guarded)) continue;
        insn->guard = s->guard;
        insn->cond = s->cond;
        if (inner) insn->flags |= IR_FRESH;
        for (unsigned i = 0; i < n; i++) guarded[defs[i]] = inner;
    }
    for (struct ir_insn *insn = s->block->first; insn != NULL; insn = insn->next) {
        const unsigned n = ir_defs(insn, defs);
        for (unsigned i = 0; i < n; i++) guarded[defs[i]] = false;
    }
    for (struct ir_insn *insn = s->block->first; insn != NULL; insn = insn->next) insn->block = to;
    if (s->block->first == NULL) return;
    s->block->first->prev = to->last;
    if (to->last != NULL)
        to->last->next = s->block->first;
    else
        to->first = s->block->first;
    to->last = s->block->last;
    s->block->first = s->block->last = NULL;
}

static void clear_uses(const struct ir_block *b, uint32_t *uses_in) {
    ir_reg uses[IR_USES_MAX];
    for (const struct ir_insn *insn = b->first; insn != NULL; insn = insn->next) {
        const unsigned n = ir_uses(insn, uses);
        for (unsigned i = 0; i < n; i++) uses_in[uses[i]] = 0;
    }
}

/* Converts a branch with one or two sides that meet at the next block. */
static bool convert(struct ir *ir, struct ir_block *b, uint32_t *uses_in, bool *guarded) {
    if (b->end != IR_BRANCH || b->next[0] == b->next[1]) return false;
    struct ir_block *x = b->next[0], *y = b->next[1], *join;
    struct side sides[2] = {
        {NULL, b->guard, b->cond             },
        {NULL, b->guard, ir_opposite(b->cond)}
    };
    if (is_side(b, x, y)) {
        join = y;
        sides[0].block = x;
    } else if (is_side(b, y, x)) {
        join = x;
        sides[1].block = y;
    } else if (x->end == IR_JUMP && is_side(b, x, x->next[0]) && is_side(b, y, x->next[0])) {
        join = x->next[0];
        sides[0].block = x;
        sides[1].block = y;
    } else {
        return false;
    }
    const unsigned most = cfg_is_divergent(ir, b) ? MOST_DIVERGENT : MOST_UNIFORM;
    if (!can_convert(&sides[0], most) || !can_convert(&sides[1], most)) return false;
    for (unsigned i = 0; i < 2; i++) {
        struct ir_insn *first = sides[i].block != NULL ? sides[i].block->first : NULL;
        guard_side(ir, b, &sides[i], uses_in, guarded);
        struct ir_block rest = {.first = first};
        clear_uses(&rest, uses_in);
    }
    b->end = IR_JUMP;
    b->next[0] = join;
    return true;
}

void cfg_predicate(struct ir *ir) {
    uint32_t *uses_in = CC_ARRAY(ir->cc, uint32_t, ir->reg_count);
    bool *guarded = CC_ARRAY(ir->cc, bool, ir->reg_count);
    struct cfg_loops loops = {0};
    cfg_find_loops(ir, &loops);
    ir_find_live(ir);
    cfg_find_divergence(ir, &loops);
    ir_count(ir);
    for (size_t i = ir->order_count; i-- > 0;) convert(ir, ir->order[i], uses_in, guarded);
    cfg_clean(ir);
}
