/* SPDX-License-Identifier: Apache-2.0 */
/* Where the address in a register comes from: followed through moves, sums, selections and conversions until nothing
 * changes. An address that comes from no variable is one of global memory. */
#include "lower.h"

static unsigned of_space(enum ptx_space space) {
    switch (space) {
    case PTX_SPACE_GLOBAL: return FROM_GLOBAL;
    case PTX_SPACE_CONST: return FROM_CONST;
    case PTX_SPACE_SHARED: return FROM_SHARED;
    case PTX_SPACE_LOCAL: return FROM_LOCAL;
    default: return 0;
    }
}

static unsigned of_parameter(const struct ptx_symbol *s) {
    return s->is_pointer && s->points_to == PTX_SPACE_SHARED ? FROM_SHARED : FROM_PARAMETER;
}

static unsigned of_operand(const struct frame *f, const struct ptx_operand *o) {
    if (o->kind == PTX_OPERAND_REGISTER && o->symbol->kind == PTX_REGISTER) return f->known[o->symbol->index].provenance;
    if (o->kind == PTX_OPERAND_SYMBOL && o->symbol->kind == PTX_VARIABLE) return of_space(o->symbol->space);
    if (o->kind == PTX_OPERAND_SYMBOL && o->symbol->kind == PTX_PARAMETER) return FROM_SHARED; /* where they are */
    return 0;
}

/* What ld.param gives: of a kernel's parameter, of a function's what the call has put there. */
static unsigned of_loaded_parameter(struct lower *l, const struct ptx_symbol *s) {
    for (size_t i = 0; i < l->kernel->parameter_count; i++)
        if (l->kernel->parameters[i] == s) return of_parameter(s);
    const struct cells *c = lower_find_cells(l, s);
    return c != NULL ? c->provenance : 0;
}

static unsigned of_result(struct lower *l, const struct frame *f, const struct ptx_insn *insn) {
    unsigned from = 0;
    switch (insn->op) {
    case PTX_mov:
    case PTX_add:
    case PTX_sub:
    case PTX_and:
    case PTX_or:
    case PTX_cvt:
    case PTX_selp:
    case PTX_slct:
    case PTX_min:
    case PTX_max:
        for (unsigned i = 1; i < insn->operand_count; i++) from |= of_operand(f, &insn->operand[i]);
        return from;
    case PTX_cvta: return of_space(insn->space) | of_operand(f, &insn->operand[1]);
    case PTX_mad: return insn->operand_count > 3 ? of_operand(f, &insn->operand[3]) : 0;
    case PTX_ld:
    case PTX_ldu: {
        const struct ptx_symbol *s = insn->operand[1].symbol;
        if (s != NULL && s->kind == PTX_PARAMETER) return of_loaded_parameter(l, s);
        return ptx_type_bytes(insn->type[0]) >= 4 ? FROM_MEMORY : 0;
    }
    default: return 0;
    }
}

static bool note(struct frame *f, const struct ptx_operand *o, unsigned from) {
    bool changed = false;
    if (o->kind == PTX_OPERAND_VECTOR)
        for (uint32_t i = 0; i < o->count; i++) changed |= note(f, &o->elements[i], from);
    if (o->kind != PTX_OPERAND_REGISTER || o->symbol->kind != PTX_REGISTER) return changed;
    struct known *known = &f->known[o->symbol->index];
    if ((known->provenance | from) == known->provenance) return changed;
    known->provenance |= from;
    return true;
}

/* st.param: what a call will find. */
static bool note_argument(struct lower *l, const struct frame *f, const struct ptx_insn *insn) {
    const struct ptx_symbol *s = insn->operand[0].symbol;
    if (insn->op != PTX_st || s == NULL || s->kind != PTX_PARAMETER) return false;
    struct cells *c = lower_find_cells(l, s);
    const unsigned from = of_operand(f, &insn->operand[1]);
    if (c == NULL || (c->provenance | from) == c->provenance) return false;
    c->provenance |= from;
    return true;
}

static bool needs_spaces(const struct ptx_insn *insn) {
    switch (insn->op) {
    case PTX_ld:
    case PTX_ldu:
    case PTX_st:
    case PTX_atom:
    case PTX_red: return insn->space == PTX_NO_SPACE || insn->space == PTX_SPACE_CONST;
    case PTX_call: return true;
    default: return false;
    }
}

void lower_find_spaces(struct lower *l, struct frame *f) {
    const struct ptx_function *function = f->function;
    bool needed = false, changed = true;
    for (size_t i = 0; i < function->insn_count && !needed; i++) needed = needs_spaces(&function->insns[i]);
    if (!needed && f->results == NULL) return;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < function->insn_count; i++) {
            const struct ptx_insn *insn = &function->insns[i];
            if (insn->operand_count < 2) continue;
            changed |= note_argument(l, f, insn);
            if (insn->op != PTX_st) changed |= note(f, &insn->operand[0], of_result(l, f, insn));
        }
    }
}

static enum ptx_space constant_space(struct lower *l, const char *name, unsigned from) {
    if ((from & ~(unsigned)FROM_CONST) != 0) {
        if ((from & (FROM_SHARED | FROM_LOCAL)) != 0)
            lower_fail(l, "it is not clear which memory '%s' points to", name);
        if ((from & FROM_CONST) != 0) l->wants_constants_in_global = true;
        return PTX_SPACE_GLOBAL;
    }
    return l->constants_in_global ? PTX_SPACE_GLOBAL : PTX_SPACE_CONST;
}

enum ptx_space lower_space(struct lower *l, const struct ptx_operand *o, enum ptx_space written) {
    if (written != PTX_NO_SPACE && written != PTX_SPACE_CONST) return written;
    const struct ptx_symbol *s = o->symbol;
    unsigned from = written == PTX_SPACE_CONST ? FROM_CONST : 0;
    if (s != NULL && s->kind == PTX_VARIABLE) from = of_space(s->space);
    if (s != NULL && s->kind == PTX_REGISTER) {
        const unsigned known = l->frame->known[s->index].provenance;
        if (written == PTX_NO_SPACE || known != 0) from = known;
    }
    const char *name = s != NULL ? s->name : "this address";
    if (from == FROM_LOCAL) return PTX_SPACE_LOCAL;
    if (from == FROM_SHARED) return PTX_SPACE_SHARED;
    if ((from & FROM_CONST) != 0 || written == PTX_SPACE_CONST) return constant_space(l, name, from);
    if ((from & (FROM_SHARED | FROM_LOCAL)) != 0) lower_fail(l, "it is not clear which memory '%s' points to", name);
    return PTX_SPACE_GLOBAL;
}
