/* SPDX-License-Identifier: Apache-2.0 */
/* Where the address in a register comes from at one instruction, when it has held others elsewhere: back from there to
 * all definitions that reach it, and on to what these read. */
#include "lower.h"
#include "origin.h"

struct query {
    const struct ptx_symbol *reg;
    size_t at; /* before this instruction */
};

struct search {
    struct lower *l;
    const struct frame *f;
    struct query *work;
    size_t count, capacity;
    bool *done;       /* by instruction: its sources have been followed */
    uint32_t *passed; /* by instruction: the last query that has come by */
    uint32_t stamp;
    size_t *places;
    struct origin origin;
};

static bool falls_through(const struct ptx_insn *insn) {
    const bool leaves = insn->op == PTX_bra || insn->op == PTX_brx || insn->op == PTX_ret || insn->op == PTX_exit;
    return !leaves || insn->guard != NULL;
}

static bool defines(const struct ptx_operand *o, const struct ptx_symbol *reg) {
    if (o->kind == PTX_OPERAND_VECTOR || o->kind == PTX_OPERAND_PAIR)
        for (uint32_t i = 0; i < o->count; i++)
            if (defines(&o->elements[i], reg)) return true;
    return o->kind == PTX_OPERAND_REGISTER && o->symbol == reg;
}

static void ask(struct search *s, const struct ptx_operand *o, size_t at) {
    if (o->kind == PTX_OPERAND_REGISTER && o->symbol->kind == PTX_REGISTER) {
        const struct query q = {o->symbol, at};
        CC_PUSH(s->l->cc, s->work, s->count, s->capacity, q);
    } else {
        origin_join(&s->origin, origin_of_operand(s->f, o));
    }
}

/* A definition: what it reads, or what it is. */
static void follow(struct search *s, size_t at) {
    const struct ptx_insn *insn = &s->f->function->insns[at];
    if (s->done[at]) return;
    s->done[at] = true;
    unsigned first, last;
    if (!origin_passes_on(s->f, insn, &first, &last)) {
        origin_join(&s->origin, origin_of_result(s->l, s->f, insn));
        return;
    }
    if (insn->op == PTX_cvta) s->origin.from |= origin_of_space(insn->space);
    for (unsigned i = first; i <= last && i < insn->operand_count; i++) ask(s, &insn->operand[i], at);
}

/* The branches that lead to an instruction. */
static bool leads_to(const struct ptx_insn *insn, size_t at) {
    for (unsigned i = 0; i < insn->operand_count; i++) {
        const struct ptx_symbol *label = insn->operand[i].symbol;
        if (label == NULL) continue;
        if (label->kind == PTX_LABEL && label->index == at) return true;
        for (size_t k = 0; label->kind == PTX_TARGETS && k < label->target_count; k++)
            if (label->targets[k]->index == at) return true;
    }
    return false;
}

static void come_from(struct search *s, size_t *count, size_t at) {
    if (s->passed[at] == s->stamp) return;
    s->passed[at] = s->stamp;
    s->places[(*count)++] = at;
}

/* Goes back from before an instruction, over each one once. */
static void search_back(struct search *s, const struct query *q) {
    const struct ptx_function *function = s->f->function;
    size_t count = 0;
    s->stamp++;
    come_from(s, &count, q->at);
    while (count > 0) {
        const size_t at = s->places[--count]; /* before this one */
        for (size_t i = 0; s->f->at[at] != NULL && i < function->insn_count; i++) {
            const struct ptx_insn *branch = &function->insns[i];
            if ((branch->op == PTX_bra || branch->op == PTX_brx) && leads_to(branch, at)) come_from(s, &count, i);
        }
        if (at == 0 || !falls_through(&function->insns[at - 1])) continue;
        const struct ptx_insn *insn = &function->insns[at - 1];
        const bool is_store = insn->op == PTX_st || insn->op == PTX_red;
        if (insn->operand_count > 0 && !is_store && defines(&insn->operand[0], q->reg)) {
            follow(s, at - 1);
            if (insn->guard == NULL) continue;
        }
        come_from(s, &count, at - 1);
    }
}

unsigned lower_provenance_at(struct lower *l, const struct ptx_symbol *reg) {
    const struct ptx_function *function = l->frame->function;
    const size_t n = function->insn_count + 1;
    struct search s = {.l = l,
                       .f = l->frame,
                       .done = CC_ARRAY(l->cc, bool, n),
                       .passed = CC_ARRAY(l->cc, uint32_t, n),
                       .places = CC_ARRAY(l->cc, size_t, n)};
    const struct query start = {reg, (size_t)(l->insn - function->insns)};
    CC_PUSH(l->cc, s.work, s.count, s.capacity, start);
    while (s.count > 0) {
        const struct query q = s.work[--s.count];
        search_back(&s, &q);
    }
    return s.origin.from;
}
