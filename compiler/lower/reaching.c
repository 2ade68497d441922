/* SPDX-License-Identifier: Apache-2.0 */
/* Reaching definitions: finds the provenance of a register at one instruction if the register holds several
 * addresses in its life. Searches backward for the definitions that reach it, and for those of their sources. */
#include "lower.h"
#include "origin.h"

struct query {
    const struct ptx_symbol *reg;
    size_t at; /* searches backward from this instruction */
};

/* State shared by all searches in a function. */
struct reaching {
    size_t *first, *branches; /* branches to instruction i: from branches[first[i]] up to first[i + 1] */
    uint32_t *done;           /* by instruction: the last search that followed its sources */
    uint32_t *passed;         /* by instruction: the last query that visited it */
    uint32_t searches, queries;
    size_t *places;
};

struct search {
    struct lower *l;
    const struct frame *f;
    struct reaching *r;
    struct query *work;
    size_t count, capacity;
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

static void push_query(struct search *s, const struct ptx_operand *o, size_t at) {
    if (o->kind == PTX_OPERAND_REGISTER && o->symbol->kind == PTX_REGISTER) {
        const struct query q = {o->symbol, at};
        CC_PUSH(s->l->cc, s->work, s->count, s->capacity, q);
    } else {
        origin_merge(&s->origin, origin_of_operand(s->f, o));
    }
}

/* Follows a definition to its sources, or adds its provenance to the result. */
static void follow_definition(struct search *s, size_t at) {
    const struct ptx_insn *insn = &s->f->function->insns[at];
    if (s->r->done[at] == s->r->searches) return;
    s->r->done[at] = s->r->searches;
    unsigned first, last;
    if (!origin_propagates(s->f, insn, &first, &last)) {
        origin_merge(&s->origin, origin_of_result(s->l, s->f, insn));
        return;
    }
    if (insn->op == PTX_cvta) s->origin.from |= origin_of_space(insn->space);
    for (unsigned i = first; i <= last && i < insn->operand_count; i++) push_query(s, &insn->operand[i], at);
}

/* ---- branches ---- */

static void record_target(struct reaching *r, const struct ptx_symbol *label, size_t from, bool counts) {
    if (counts)
        r->first[label->index + 1]++;
    else
        r->branches[r->first[label->index]++] = from;
}

static void record_branch(struct reaching *r, const struct ptx_insn *insn, size_t from, bool counts) {
    if (insn->op != PTX_bra && insn->op != PTX_brx) return;
    for (unsigned i = 0; i < insn->operand_count; i++) {
        const struct ptx_symbol *label = insn->operand[i].symbol;
        if (label != NULL && label->kind == PTX_LABEL) record_target(r, label, from, counts);
        for (size_t k = 0; label != NULL && label->kind == PTX_TARGETS && k < label->target_count; k++)
            if (label->targets[k]->kind == PTX_LABEL) record_target(r, label->targets[k], from, counts);
    }
}

static struct reaching *create_reaching(struct cc *cc, const struct ptx_function *f) {
    const size_t n = f->insn_count + 2;
    struct reaching *r = CC_NEW(cc, struct reaching);
    *r = (struct reaching){.first = CC_ARRAY(cc, size_t, n),
                           .done = CC_ARRAY(cc, uint32_t, n),
                           .passed = CC_ARRAY(cc, uint32_t, n),
                           .places = CC_ARRAY(cc, size_t, n)};
    for (size_t i = 0; i < f->insn_count; i++) record_branch(r, &f->insns[i], i, true);
    for (size_t i = 0; i + 1 < n; i++) r->first[i + 1] += r->first[i];
    r->branches = CC_ARRAY(cc, size_t, r->first[n - 1]);
    for (size_t i = 0; i < f->insn_count; i++) record_branch(r, &f->insns[i], i, false);
    /* undoes the increments: each is now the start of the next */
    for (size_t i = n - 1; i > 0; i--) r->first[i] = r->first[i - 1];
    r->first[0] = 0;
    return r;
}

static void push_predecessor(struct search *s, size_t *count, size_t at) {
    if (s->r->passed[at] == s->r->queries) return;
    s->r->passed[at] = s->r->queries;
    s->r->places[(*count)++] = at;
}

/* Searches backward from an instruction, visiting each at most once. */
static void search_backward(struct search *s, const struct query *q) {
    const struct ptx_function *function = s->f->function;
    size_t count = 0;
    s->r->queries++;
    push_predecessor(s, &count, q->at);
    while (count > 0) {
        const size_t at = s->r->places[--count]; /* before this one */
        for (size_t i = s->r->first[at]; i < s->r->first[at + 1]; i++) push_predecessor(s, &count, s->r->branches[i]);
        if (at == 0 || !falls_through(&function->insns[at - 1])) continue;
        const struct ptx_insn *insn = &function->insns[at - 1];
        const bool is_store = insn->op == PTX_st || insn->op == PTX_red;
        if (insn->operand_count > 0 && !is_store && defines(&insn->operand[0], q->reg)) {
            follow_definition(s, at - 1);
            if (insn->guard == NULL) continue;
        }
        push_predecessor(s, &count, at - 1);
    }
}

unsigned lower_provenance_at(struct lower *l, const struct ptx_symbol *reg) {
    struct frame *f = l->frame;
    if (f->reaching == NULL) f->reaching = create_reaching(l->cc, f->function);
    struct search s = {.l = l, .f = f, .r = f->reaching};
    const struct query start = {reg, (size_t)(l->insn - f->function->insns)};
    s.r->searches++;
    CC_PUSH(l->cc, s.work, s.count, s.capacity, start);
    while (s.count > 0) {
        const struct query q = s.work[--s.count];
        search_backward(&s, &q);
    }
    return s.origin.from;
}
