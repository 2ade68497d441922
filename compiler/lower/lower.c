/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers a kernel, its functions and their instructions, see lower.h. */
#include "lower.h"

#include <stdarg.h>
#include <string.h>

void lower_fail(const struct lower *l, const char *format, ...) {
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cc_fail(l->cc, l->insn != NULL ? &l->insn->place : &l->kernel->place, "%s", text);
}

void lower_bad_types(const struct lower *l) {
    const struct ptx_insn *i = l->insn;
    char types[48] = "";
    for (unsigned k = 0; k < i->type_count; k++)
        snprintf(types + strlen(types), sizeof types - strlen(types), ".%s", ptx_type_name(i->type[k]));
    lower_fail(l, "'%s' is not supported with the types '%s'", ptx_op_name(i->op), types);
}

/* ---- registers that hold a constant ---- */

static void record_definition(struct frame *f, const struct ptx_insn *insn, const struct ptx_operand *o) {
    if (o->kind == PTX_OPERAND_VECTOR || o->kind == PTX_OPERAND_PAIR) {
        for (uint32_t i = 0; i < o->count; i++) record_definition(f, insn, &o->elements[i]);
        return;
    }
    if (o->kind != PTX_OPERAND_REGISTER || o->symbol->kind != PTX_REGISTER) return;
    for (unsigned i = 0; i < o->symbol->vector; i++) {
        struct register_facts *facts = &f->facts[o->symbol->index + i];
        facts->defs++;
        facts->definition = insn;
    }
}

static bool writes_operand(const struct ptx_insn *insn, unsigned operand) {
    switch (insn->op) {
    case PTX_st:
    case PTX_red:
    case PTX_bra:
    case PTX_brx:
    case PTX_bar:
    case PTX_membar:
    case PTX_ret:
    case PTX_exit:
    case PTX_trap: return false;
    case PTX_call: return operand == 0 && insn->operand_count > 1;
    default: return operand == 0;
    }
}

static void find_constants(struct lower *l, struct frame *f) {
    const struct ptx_function *function = f->function;
    for (size_t i = 0; i < function->parameter_count; i++)
        if (function->parameters[i]->kind == PTX_REGISTER) f->facts[function->parameters[i]->index].defs++;
    for (size_t i = 0; i < function->insn_count; i++)
        if (function->insns[i].operand_count > 0 && writes_operand(&function->insns[i], 0))
            record_definition(f, &function->insns[i], &function->insns[i].operand[0]);
    for (size_t i = 0; i < function->insn_count; i++) {
        const struct ptx_insn *insn = &function->insns[i];
        const struct ptx_operand *d = &insn->operand[0], *s = &insn->operand[1];
        if (insn->op != PTX_mov || insn->guard != NULL || insn->operand_count != 2 || d->kind != PTX_OPERAND_REGISTER ||
            d->symbol->kind != PTX_REGISTER || d->symbol->vector > 1)
            continue;
        struct register_facts *facts = &f->facts[d->symbol->index];
        const bool is_number = s->kind == PTX_OPERAND_NUMBER || s->kind == PTX_OPERAND_FLOAT ||
                               (s->kind == PTX_OPERAND_SYMBOL && s->symbol->kind == PTX_VARIABLE);
        if (facts->defs != 1 || !is_number || d->symbol->type == PTX_TYPE_pred || insn->type_count == 0) continue;
        l->insn = insn;
        const struct value v = lower_operand(l, s, insn->type[0]);
        facts->is_constant = true;
        facts->value = v.w[0].value | (uint64_t)v.w[1].value << 32;
    }
    l->insn = NULL;
}

/* ---- frames ---- */

uint32_t lower_align(uint32_t value, uint32_t align) { return align > 0 ? (value + align - 1) / align * align : value; }

uint32_t lower_new_local(struct lower *l, const struct ptx_symbol *s) {
    if (l->local_used == 0) l->local_used = 4; /* address 0 is the null pointer */
    const uint32_t address = lower_align(l->local_used, s->align);
    l->local_used = address + s->size;
    if (l->local_used > 0x10000) cc_fail(l->cc, &s->place, "more than 64 KB of local memory");
    return address;
}

static void place_locals(struct lower *l, struct frame *f) {
    const struct ptx_function *function = f->function;
    f->local_address = CC_ARRAY(l->cc, uint32_t, function->local_count);
    f->cells = CC_ARRAY(l->cc, struct cells *, function->local_count);
    for (size_t i = 0; i < function->local_count; i++) {
        const struct ptx_symbol *s = function->locals[i];
        if (s->space == PTX_SPACE_PARAM)
            f->cells[i] = lower_new_cells(l, s->size, CELLS_LOCAL);
        else
            f->local_address[i] = lower_new_local(l, s);
    }
}

static void create_label_blocks(struct lower *l, struct frame *f) {
    const struct ptx_function *function = f->function;
    f->at = CC_ARRAY(l->cc, struct ir_block *, function->insn_count + 1);
    for (size_t i = 0; i < function->label_count; i++) {
        const struct ptx_symbol *label = function->labels[i];
        if (label->kind == PTX_LABEL && f->at[label->index] == NULL) f->at[label->index] = ir_new_block(l->ir);
    }
}

static struct ir_block *label_block(struct lower *l, const struct ptx_symbol *label) {
    if (label->kind != PTX_LABEL) lower_fail(l, "'%s' is not a label", label->name);
    return l->frame->at[label->index];
}

static void lower_branch(struct lower *l, const struct ptx_insn *insn) {
    if (insn->operand_count != 1 || insn->operand[0].kind != PTX_OPERAND_SYMBOL) lower_fail(l, "expected a label");
    struct ir_block *to = label_block(l, insn->operand[0].symbol), *after = ir_new_block(l->ir);
    if (insn->guard != NULL)
        build_branch(l, l->guard, l->cond, to, after);
    else
        build_jump(l, to);
    l->block = after;
}

/* Lowers brx.idx index, targets: binary search of the table by comparisons. */
static void lower_branch_table(struct lower *l, ir_reg index, const struct ptx_symbol *table, size_t first,
                               size_t count) {
    if (count == 1) {
        build_jump(l, label_block(l, table->targets[first]));
        return;
    }
    struct ir_block *low = ir_new_block(l->ir), *high = ir_new_block(l->ir);
    build_set(l, IR_LT, false, ir_use(index), ir_imm((uint32_t)(first + count / 2)));
    l->block->last->fdst = ir_new_reg(l->ir, IR_C);
    build_branch(l, l->block->last->fdst, IR_NE, low, high);
    l->block = low;
    lower_branch_table(l, index, table, first, count / 2);
    l->block = high;
    lower_branch_table(l, index, table, first + count / 2, count - count / 2);
}

static void lower_indexed_branch(struct lower *l, const struct ptx_insn *insn) {
    const struct ptx_symbol *table = insn->operand_count > 1 ? insn->operand[1].symbol : NULL;
    if (table == NULL || table->kind != PTX_TARGETS || table->target_count == 0)
        lower_fail(l, "brx needs a list of .branchtargets");
    const struct ir_operand index = build_move(l, lower_word(l, 0, PTX_TYPE_u32));
    struct ir_block *after = ir_new_block(l->ir);
    if (insn->guard != NULL) {
        struct ir_block *jump = ir_new_block(l->ir);
        build_branch(l, l->guard, l->cond, jump, after);
        l->block = jump;
    }
    lower_branch_table(l, index.reg, table, 0, table->target_count);
    l->block = after;
}

/* Lowers ret, which leaves the function, and exit, which ends the thread. */
static void lower_return(struct lower *l, const struct ptx_insn *insn) {
    struct ir_block *after = ir_new_block(l->ir), *to = l->frame->after;
    if (insn->op == PTX_exit || to == NULL) {
        to = ir_new_block(l->ir);
        to->end = IR_RETURN;
        if (l->routine != NULL) l->routine->ends_threads = true;
    }
    if (insn->guard != NULL)
        build_branch(l, l->guard, l->cond, to, after);
    else
        build_jump(l, to);
    l->block = after;
}

/* Builds an operation that cannot have a guard: in a block of its own if the instruction is guarded. */
static struct ir_insn *build_unguarded(struct lower *l, enum ir_op op) {
    if (l->insn->guard == NULL) return build(l, op);
    struct ir_block *body = ir_new_block(l->ir), *after = ir_new_block(l->ir);
    build_branch(l, l->guard, l->cond, body, after);
    l->block = body;
    struct ir_insn *insn = build(l, op);
    build_jump(l, after);
    l->block = after;
    return insn;
}

static void lower_barrier(struct lower *l, const struct ptx_insn *insn) {
    if (insn->op == PTX_membar) return; /* stores of a thread are in order, see docs/c.md */
    if ((insn->modifiers & (PTX_MOD_ARRIVE | PTX_MOD_RED)) != 0)
        lower_fail(l, "the only supported barrier is bar.sync");
    uint32_t number = 0;
    if (insn->operand_count > 0) {
        const struct ir_operand id = lower_word(l, 0, PTX_TYPE_u32);
        if (id.kind != IR_IMM || id.value > 15) lower_fail(l, "the barrier number must be a constant from 0 to 15");
        number = id.value;
    }
    if (insn->operand_count > 1) lower_fail(l, "barriers with a thread count are not supported");
    build_unguarded(l, IR_BAR)->sub = (uint8_t)number; /* a guard that is not uniform is an error of the program */
}

static void lower_trap(struct lower *l, const struct ptx_insn *insn) {
    if (insn->op != PTX_pmevent) build_unguarded(l, IR_TRAP);
}

/* ---- instructions ---- */

typedef void lower_handler(struct lower *l, const struct ptx_insn *insn);

static lower_handler *const LOWER[PTX_OP_COUNT] = {
    [PTX_add] = lower_arithmetic,   [PTX_addc] = lower_arithmetic,
    [PTX_sub] = lower_arithmetic,   [PTX_subc] = lower_arithmetic,
    [PTX_min] = lower_arithmetic,   [PTX_max] = lower_arithmetic,
    [PTX_abs] = lower_arithmetic,   [PTX_neg] = lower_arithmetic,
    [PTX_mul] = lower_product,      [PTX_mad] = lower_product,
    [PTX_mul24] = lower_product,    [PTX_mad24] = lower_product,
    [PTX_madc] = lower_product,     [PTX_sad] = lower_product,
    [PTX_div] = lower_product,      [PTX_rem] = lower_product,
    [PTX_and] = lower_logic,        [PTX_or] = lower_logic,
    [PTX_xor] = lower_logic,        [PTX_not] = lower_logic,
    [PTX_cnot] = lower_logic,       [PTX_shl] = lower_logic,
    [PTX_shr] = lower_logic,        [PTX_bfe] = lower_bits,
    [PTX_bfi] = lower_bits,         [PTX_bfind] = lower_bits,
    [PTX_brev] = lower_bits,        [PTX_clz] = lower_bits,
    [PTX_popc] = lower_bits,        [PTX_prmt] = lower_bits,
    [PTX_shf] = lower_bits,         [PTX_fns] = NULL,
    [PTX_set] = lower_compare,      [PTX_setp] = lower_compare,
    [PTX_selp] = lower_compare,     [PTX_slct] = lower_compare,
    [PTX_fma] = lower_float,        [PTX_rcp] = lower_float,
    [PTX_sqrt] = lower_float,       [PTX_rsqrt] = lower_float,
    [PTX_sin] = lower_float,        [PTX_cos] = lower_float,
    [PTX_lg2] = lower_float,        [PTX_ex2] = lower_float,
    [PTX_copysign] = lower_float,   [PTX_testp] = lower_compare,
    [PTX_isspacep] = lower_compare, [PTX_cvt] = lower_convert,
    [PTX_cvta] = lower_convert,     [PTX_mov] = lower_move,
    [PTX_ld] = lower_memory,        [PTX_ldu] = lower_memory,
    [PTX_st] = lower_memory,        [PTX_atom] = lower_memory,
    [PTX_red] = lower_memory,       [PTX_call] = lower_call,
    [PTX_bra] = lower_branch,       [PTX_brx] = lower_indexed_branch,
    [PTX_ret] = lower_return,       [PTX_exit] = lower_return,
    [PTX_bar] = lower_barrier,      [PTX_membar] = lower_barrier,
    [PTX_trap] = lower_trap,        [PTX_brkpt] = lower_trap,
    [PTX_pmevent] = lower_trap,
};

static void lower_unsupported(struct lower *l, const struct ptx_insn *insn) {
    switch (insn->op) {
    case PTX_prefetch:
    case PTX_prefetchu: return;
    case PTX_tex:
    case PTX_tld4:
    case PTX_txq:
    case PTX_suld:
    case PTX_sust:
    case PTX_sured:
    case PTX_suq: lower_fail(l, "textures, images and surfaces are not supported");
    case PTX_vote: lower_fail(l, "vote needs sm_12");
    default: lower_fail(l, "'%s' is not supported", ptx_op_name(insn->op));
    }
}

/* Opens a block for a guarded instruction that writes the carry. Returns the block behind it. */
static struct ir_block *open_guarded_block(struct lower *l) {
    struct ir_block *body = ir_new_block(l->ir), *after = ir_new_block(l->ir);
    build_branch(l, l->guard, l->cond, body, after);
    l->block = body;
    l->guard = 0;
    l->cond = IR_ALWAYS;
    return after;
}

void lower_insn(struct lower *l, const struct ptx_insn *insn) {
    struct ir_block *after = NULL;
    l->insn = insn;
    l->ir->place = l->place != NULL ? l->place : &insn->place;
    l->first_new_reg = (ir_reg)l->ir->reg_count;
    l->guard = 0;
    l->cond = IR_ALWAYS;
    const struct register_facts *result = insn->operand_count > 0 ? lower_facts(l->frame, &insn->operand[0]) : NULL;
    if (result != NULL && result->parameter != NULL && insn->op != PTX_ld && insn->op != PTX_st) return;
    if (insn->guard != NULL) {
        const struct ptx_operand o = {
            .kind = PTX_OPERAND_REGISTER, .symbol = insn->guard, .inverted = insn->guard_inverted};
        l->guard = lower_flags(l, &o, &l->cond);
        l->first_new_reg = (ir_reg)l->ir->reg_count;
        if ((insn->modifiers & PTX_MOD_CC) != 0) after = open_guarded_block(l);
    }
    lower_handler *const lower = LOWER[insn->op];
    if (lower != NULL)
        lower(l, insn);
    else
        lower_unsupported(l, insn);
    if (after == NULL) return;
    build_jump(l, after);
    l->block = after;
}

void lower_function(struct lower *l, struct frame *f) {
    const struct ptx_function *function = f->function;
    struct frame *caller = l->frame;
    l->frame = f;
    if (f->slots == NULL) f->slots = CC_ARRAY(l->cc, struct slot, function->register_count);
    f->facts = CC_ARRAY(l->cc, struct register_facts, function->register_count);
    f->carry = ir_new_reg(l->ir, IR_C);
    for (size_t i = 0; i < function->parameter_count && f->parameters != NULL; i++) {
        if (function->parameters[i]->kind != PTX_REGISTER) continue;
        f->facts[function->parameters[i]->index].provenance = f->parameters[i]->provenance;
        f->facts[function->parameters[i]->index].parameters = f->parameters[i]->parameters;
    }
    place_locals(l, f);
    create_label_blocks(l, f);
    find_constants(l, f);
    lower_find_parameters(l, f);
    lower_find_spaces(l, f);
    lower_store_parameters(l, f);
    for (size_t i = 0; i < function->insn_count; i++) {
        if (f->at[i] != NULL) {
            build_jump(l, f->at[i]);
            l->block = f->at[i];
        }
        lower_insn(l, &function->insns[i]);
    }
    if (f->at[function->insn_count] != NULL) {
        build_jump(l, f->at[function->insn_count]);
        l->block = f->at[function->insn_count];
    }
    if (f->after != NULL)
        build_jump(l, f->after);
    else
        l->block->end = IR_RETURN;
    if (f->origins_changed) lower_find_spaces(l, f);
    l->frame = caller;
}

/* ---- the kernel ---- */

/* Finds the shared variables that a function or its callees name. */
static void find_shared(struct lower *l, const struct ptx_function *f, bool *seen);

static void mark_shared(struct lower *l, const struct ptx_symbol *s, bool *seen) {
    if (s == NULL) return;
    if (s->kind == PTX_FUNCTION && s->function->has_body && !s->function->being_lowered)
        find_shared(l, s->function, seen);
    if (s->kind == PTX_VARIABLE && s->space == PTX_SPACE_SHARED) seen[s->index] = true;
}

static void find_shared(struct lower *l, const struct ptx_function *f, bool *seen) {
    ((struct ptx_function *)f)->being_lowered = true;
    for (size_t i = 0; i < f->insn_count; i++)
        for (unsigned k = 0; k < f->insns[i].operand_count; k++) {
            const struct ptx_operand *o = &f->insns[i].operand[k];
            mark_shared(l, o->symbol, seen);
            for (uint32_t e = 0; e < o->count; e++) mark_shared(l, o->elements[e].symbol, seen);
        }
}

static void place_shared(struct lower *l) {
    bool *seen = CC_ARRAY(l->cc, bool, l->module->variable_count);
    find_shared(l, l->kernel, seen);
    for (size_t i = 0; i < l->module->function_count; i++) l->module->functions[i]->being_lowered = false;
    l->shared_address = CC_ARRAY(l->cc, uint32_t, l->module->variable_count);
    for (size_t i = 0; i < l->module->variable_count; i++) {
        const struct ptx_symbol *s = l->module->variables[i];
        if (!seen[i] || s->open_ended) continue;
        l->shared_address[i] = lower_align(l->shared_end, s->align);
        if (l->ir->first_shared == 0) l->ir->first_shared = l->shared_address[i];
        l->shared_end = l->shared_address[i] + s->size;
        if (l->shared_end > 0x4000)
            cc_fail(l->cc, &s->place, "more than 16 KB of shared memory in kernel '%s'", l->kernel->name);
    }
    l->dynamic_shared = lower_align(l->shared_end, 16);
    if (l->ir->first_shared == 0) l->ir->first_shared = l->dynamic_shared;
}

void lower_kernel(struct lower *l) {
    struct frame *f = CC_NEW(l->cc, struct frame);
    f->function = l->kernel;
    l->ir->place = &l->kernel->place;
    place_shared(l);
    l->ir->r0 = ir_new_reg(l->ir, IR_R);
    l->ir->regs[l->ir->r0].fixed = 0;
    l->ir->regs[l->ir->r0].low = true;
    l->ir->entry = l->block = ir_new_block(l->ir);
    for (size_t i = 0; i < l->module->function_count; i++) l->module->functions[i]->instances = NULL;
    for (size_t i = 0; i < l->support->function_count; i++) l->support->functions[i]->instances = NULL;
    ((struct ptx_function *)l->kernel)->being_lowered = true;
    lower_function(l, f);
    ((struct ptx_function *)l->kernel)->being_lowered = false;
    l->ir->local_bytes = l->local_used;
    l->wants_tags |= !l->tags && l->address_escapes && l->uses_generic;
}
