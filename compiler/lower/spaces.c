/* SPDX-License-Identifier: Apache-2.0 */
/* Provenance of addresses in registers, propagated through moves, sums, selections and conversions up to a fixed
 * point. An address that derives from no variable is in global memory. */
#include "lower.h"
#include "origin.h"

unsigned origin_of_space(enum ptx_space space) {
    switch (space) {
    case PTX_SPACE_GLOBAL: return FROM_GLOBAL;
    case PTX_SPACE_CONST: return FROM_CONST;
    case PTX_SPACE_SHARED: return FROM_SHARED;
    case PTX_SPACE_LOCAL: return FROM_LOCAL;
    default: return 0;
    }
}

static unsigned origin_of_parameter(const struct ptx_symbol *s) {
    return s->is_pointer && s->points_to == PTX_SPACE_SHARED ? FROM_SHARED : FROM_PARAMETER;
}

void origin_merge(struct origin *a, struct origin b) {
    a->from |= b.from;
    a->parameters |= b.parameters;
}

struct origin origin_of_operand(const struct frame *f, const struct ptx_operand *o) {
    struct origin origin = {0};
    if (o->kind == PTX_OPERAND_REGISTER && o->symbol->kind == PTX_REGISTER) {
        const struct register_facts *facts = &f->facts[o->symbol->index];
        origin = (struct origin){facts->provenance, facts->parameters};
    } else if (o->kind == PTX_OPERAND_SYMBOL && o->symbol->kind == PTX_VARIABLE) {
        origin.from = origin_of_space(o->symbol->space);
    } else if (o->kind == PTX_OPERAND_SYMBOL && o->symbol->kind == PTX_PARAMETER) {
        const struct cells *c = lower_parameter_cells(f, o->symbol);
        /* the operand is the parameter's address */
        origin.from = c != NULL && c->local != 0 ? FROM_LOCAL : FROM_SHARED;
    }
    return origin;
}

/* Returns the provenance of a parameter's value: that of a kernel's parameter, or that which the function's instance
 * has. */
static struct origin origin_of_loaded_parameter(struct lower *l, const struct ptx_symbol *s) {
    for (size_t i = 0; l->routine == NULL && i < l->kernel->parameter_count; i++)
        if (l->kernel->parameters[i] == s)
            return (struct origin){origin_of_parameter(s), i < 64 && !s->is_array ? UINT64_C(1) << i : 0};
    const struct cells *c = lower_find_cells(l, s);
    return c != NULL ? (struct origin){c->provenance, c->parameters} : (struct origin){0};
}

enum { STRONG = FROM_CONST | FROM_SHARED | FROM_LOCAL };

/* Returns which operand of a sum is the address; 0 if unclear. */
static unsigned address_operand(const struct frame *f, const struct ptx_insn *insn) {
    if ((insn->op != PTX_add && insn->op != PTX_sub) || insn->operand_count != 3) return 0;
    const bool first = (origin_of_operand(f, &insn->operand[1]).from & STRONG) != 0;
    const bool second = (origin_of_operand(f, &insn->operand[2]).from & STRONG) != 0;
    return first == second ? 0 : first ? 1 : 2;
}

/* Returns whether a mask keeps at most 16 bits of an address; the result is an index. */
static bool is_masked(const struct ptx_insn *insn) {
    const struct ptx_operand *mask = &insn->operand[2];
    return insn->op == PTX_and && mask->kind == PTX_OPERAND_NUMBER && mask->value < 0x10000;
}

bool origin_propagates(const struct frame *f, const struct ptx_insn *insn, unsigned *first, unsigned *last) {
    const unsigned address = address_operand(f, insn);
    *first = 1;
    *last = PTX_OPERANDS_MAX;
    if (address != 0) *first = *last = address;
    if (is_masked(insn)) *last = 0;
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
    case PTX_max: return true;
    case PTX_cvta: *last = 1; return true;
    case PTX_mad: *first = *last = 3; return true;
    default: return false;
    }
}

struct origin origin_of_result(struct lower *l, const struct frame *f, const struct ptx_insn *insn) {
    struct origin origin = {0};
    unsigned first, last;
    if (origin_propagates(f, insn, &first, &last)) {
        if (insn->op == PTX_cvta) origin.from = origin_of_space(insn->space);
        for (unsigned i = first; i <= last && i < insn->operand_count; i++)
            origin_merge(&origin, origin_of_operand(f, &insn->operand[i]));
    } else if (insn->op == PTX_ld || insn->op == PTX_ldu) {
        const struct ptx_symbol *s = insn->operand[1].symbol;
        if (s != NULL && s->kind == PTX_PARAMETER) return origin_of_loaded_parameter(l, s);
        if (ptx_type_bytes(insn->type[0]) >= 4) origin.from = FROM_MEMORY;
    }
    return origin;
}

static bool record_origin(struct frame *f, const struct ptx_operand *o, struct origin origin) {
    bool changed = false;
    if (o->kind == PTX_OPERAND_VECTOR)
        for (uint32_t i = 0; i < o->count; i++) changed |= record_origin(f, &o->elements[i], origin);
    if (o->kind != PTX_OPERAND_REGISTER || o->symbol->kind != PTX_REGISTER) return changed;
    struct register_facts *facts = &f->facts[o->symbol->index];
    if ((facts->provenance | origin.from) == facts->provenance &&
        (facts->parameters | origin.parameters) == facts->parameters)
        return changed;
    facts->provenance |= origin.from;
    facts->parameters |= origin.parameters;
    return true;
}

/* Notes the provenance of an argument stored by st.param. */
static bool record_argument_origin(struct lower *l, const struct frame *f, const struct ptx_insn *insn) {
    const struct ptx_symbol *s = insn->operand[0].symbol;
    if (insn->op != PTX_st || s == NULL || s->kind != PTX_PARAMETER) return false;
    struct cells *c = lower_find_cells(l, s);
    const struct origin origin = origin_of_operand(f, &insn->operand[1]);
    if (c == NULL ||
        ((c->provenance | origin.from) == c->provenance && (c->parameters | origin.parameters) == c->parameters))
        return false;
    c->provenance |= origin.from;
    c->parameters |= origin.parameters;
    return true;
}

static void mark_buffer(struct ptx_symbol *parameter, enum ptx_space space) {
    parameter->is_buffer = true;
    if (!parameter->is_pointer && (space == PTX_SPACE_SHARED || space == PTX_SPACE_CONST)) parameter->points_to = space;
}

/* Marks all parameters that an address derives from as buffers, unless one of them is known to be one. */
void lower_mark_buffers(const struct frame *f, uint64_t mask, enum ptx_space space) {
    struct ptx_symbol *const *parameters = f->function->parameters;
    bool is_said = false;
    for (size_t i = 0; i < f->function->parameter_count && i < 64; i++)
        is_said |= (mask >> i & 1) != 0 && (parameters[i]->is_buffer || parameters[i]->is_pointer);
    for (size_t i = 0; i < f->function->parameter_count && i < 64; i++)
        if ((mask >> i & 1) != 0 && !is_said) mark_buffer(parameters[i], space);
}

static void mark_accessed_buffers(const struct frame *f, const struct ptx_insn *insn) {
    const bool is_store = insn->op == PTX_st || insn->op == PTX_red;
    const bool is_access = is_store || insn->op == PTX_ld || insn->op == PTX_ldu || insn->op == PTX_atom;
    const bool is_cast = insn->op == PTX_cvta && (insn->modifiers & PTX_MOD_TO) != 0;
    if ((!is_access && !is_cast) || insn->operand_count < 2) return;
    const struct ptx_symbol *s = insn->operand[is_store ? 0 : 1].symbol;
    if (s == NULL || s->kind != PTX_REGISTER) return;
    if (is_access && (insn->space == PTX_SPACE_LOCAL || insn->space == PTX_SPACE_PARAM)) return;
    const bool of_variable = insn->space != PTX_SPACE_GLOBAL && insn->space != PTX_NO_SPACE &&
                             (f->facts[s->index].provenance & origin_of_space(insn->space)) != 0;
    if (of_variable) return; /* the register points to a parameter's buffer at another place in the code */
    lower_mark_buffers(f, f->facts[s->index].parameters, insn->space);
}

/* A constant's address that is stored may be loaded as any generic address. */
static void record_stored_constant(struct lower *l, const struct frame *f, const struct ptx_insn *insn) {
    const struct ptx_operand *to = &insn->operand[0], *value = &insn->operand[1];
    if (insn->op != PTX_st || (to->symbol != NULL && to->symbol->kind == PTX_PARAMETER)) return;
    if (ptx_type_bytes(insn->type[0]) < 4) return;
    unsigned from = origin_of_operand(f, value).from;
    for (uint32_t i = 0; value->kind == PTX_OPERAND_VECTOR && i < value->count; i++)
        from |= origin_of_operand(f, &value->elements[i]).from;
    l->wants_constants_in_global |= (from & FROM_CONST) != 0;
}

void lower_find_spaces(struct lower *l, struct frame *f) {
    const struct ptx_function *function = f->function;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < function->insn_count; i++) {
            const struct ptx_insn *insn = &function->insns[i];
            if (insn->operand_count < 2) continue;
            changed |= record_argument_origin(l, f, insn);
            if (insn->op != PTX_st) changed |= record_origin(f, &insn->operand[0], origin_of_result(l, f, insn));
        }
    }
    for (size_t i = 0; i < function->insn_count; i++)
        if (function->insns[i].operand_count >= 2) record_stored_constant(l, f, &function->insns[i]);
    for (unsigned pass = 0; pass < 2; pass++) /* casts first */
        for (size_t i = 0; i < function->insn_count; i++)
            if ((function->insns[i].op == PTX_cvta) == (pass == 0)) mark_accessed_buffers(f, &function->insns[i]);
}

/* Notes that an address is stored, so that it may be loaded again. */
void lower_record_store(struct lower *l, const struct ptx_operand *value, enum ptx_type type) {
    if (ptx_type_bytes(type) >= 4 && (origin_of_operand(l->frame, value).from & (FROM_SHARED | FROM_LOCAL)) != 0)
        l->address_escapes = true;
}

static enum ptx_space resolve_ambiguous_space(struct lower *l, const char *name, enum ptx_space written) {
    if (written != PTX_NO_SPACE) lower_fail(l, "cannot tell which memory '%s' points to", name);
    l->wants_tags = true; /* the kernel is compiled again with tags */
    return PTX_SPACE_GLOBAL;
}

static enum ptx_space constant_space(struct lower *l, const char *name, unsigned from, enum ptx_space written) {
    if ((from & ~(unsigned)FROM_CONST) != 0) {
        if ((from & (FROM_SHARED | FROM_LOCAL)) != 0) return resolve_ambiguous_space(l, name, written);
        if ((from & FROM_CONST) != 0) l->wants_constants_in_global = true;
        return PTX_SPACE_GLOBAL;
    }
    return l->constants_in_global ? PTX_SPACE_GLOBAL : PTX_SPACE_CONST;
}

static unsigned origin_of_address(struct lower *l, const struct ptx_symbol *s, enum ptx_space written) {
    unsigned from = written == PTX_SPACE_CONST ? FROM_CONST : 0;
    if (s != NULL && s->kind == PTX_VARIABLE) from = origin_of_space(s->space);
    if (s == NULL || s->kind != PTX_REGISTER) return from;
    const unsigned facts = l->frame->facts[s->index].provenance;
    if (written == PTX_NO_SPACE || facts != 0) from = facts;
    if ((from & (from - 1)) != 0 && (from & (FROM_SHARED | FROM_LOCAL | FROM_CONST)) != 0)
        from = lower_provenance_at(l, s);
    return from;
}

static enum ptx_space tagged_space(unsigned from) {
    if (from == FROM_LOCAL) return PTX_SPACE_LOCAL;
    if (from == FROM_SHARED) return PTX_SPACE_SHARED;
    const bool is_global = from != 0 && (from & (FROM_LOCAL | FROM_SHARED | FROM_MEMORY)) == 0;
    return is_global ? PTX_SPACE_GLOBAL : PTX_NO_SPACE;
}

enum ptx_space lower_space_from(struct lower *l, unsigned from, const char *name, enum ptx_space written) {
    if (l->tags && written == PTX_NO_SPACE) return tagged_space(from);
    if (from == 0 || (from & FROM_MEMORY) != 0 || l->routine != NULL) l->uses_generic = true;
    /* In a sum of global addresses a loaded value is an index; otherwise a pointer that may have been selected. */
    const bool is_sum = written != PTX_NO_SPACE || (from & STRONG) == 0;
    if (is_sum && (from & ~(unsigned)FROM_MEMORY) != 0) from &= ~(unsigned)FROM_MEMORY;
    if (from == FROM_LOCAL) return PTX_SPACE_LOCAL;
    if (from == FROM_SHARED) return PTX_SPACE_SHARED;
    if ((from & FROM_CONST) != 0 || written == PTX_SPACE_CONST) return constant_space(l, name, from, written);
    if ((from & (FROM_SHARED | FROM_LOCAL)) != 0) return resolve_ambiguous_space(l, name, written);
    return PTX_SPACE_GLOBAL;
}

enum ptx_space lower_space(struct lower *l, const struct ptx_operand *o, enum ptx_space written) {
    if (written != PTX_NO_SPACE && written != PTX_SPACE_CONST) return written;
    const struct ptx_symbol *s = o->symbol;
    return lower_space_from(l, origin_of_address(l, s, written), s != NULL ? s->name : "this address", written);
}
