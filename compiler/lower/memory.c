/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers ld, st, atom and red. */
#include "lower.h"

struct place {
    enum ptx_space space;
    struct ir_operand base;
    int32_t offset;
    const struct ptx_symbol *parameter; /* parameter of a kernel, else see cells */
    struct cells *cells;
};

static unsigned type_words(enum ptx_type type) { return ptx_type_bytes(type) == 8 ? 2 : 1; }

static uint8_t access_size(enum ptx_type type) {
    const bool is_signed = ptx_type_kind(type) == 's';
    switch (ptx_type_bytes(type)) {
    case 1: return is_signed ? IR_SIZE_S8 : IR_SIZE_U8;
    case 2: return is_signed ? IR_SIZE_S16 : IR_SIZE_U16;
    default: return IR_SIZE_U32;
    }
}

/* Finds the index of a kernel's parameter; returns false if the kernel has no such parameter. */
static bool find_parameter(const struct lower *l, const struct ptx_symbol *s, size_t *index) {
    for (*index = 0; *index < l->kernel->parameter_count; ++*index)
        if (l->kernel->parameters[*index] == s) return true;
    return false;
}

static struct place spilled_place(const struct lower *l, size_t parameter, int32_t offset) {
    const uint32_t at = l->parameter_offset[parameter] - l->parameter_limit + (uint32_t)offset;
    return (struct place){.space = PTX_SPACE_CONST, .base = ir_imm(l->spilled_at + at)};
}

/* Replaces [register + number] by [parameter + number] if the register holds the address of a parameter. */
static struct ptx_operand resolve_parameter_address(const struct lower *l, const struct ptx_operand *o) {
    struct ptx_operand named = *o;
    if (o->symbol == NULL || o->symbol->kind != PTX_REGISTER) return named;
    const struct register_facts *facts = &l->frame->facts[o->symbol->index];
    if (facts->parameter == NULL) return named;
    named.symbol = facts->parameter;
    named.value += facts->value;
    return named;
}

static bool is_in_local(struct lower *l, const struct ptx_symbol *s) {
    const struct cells *c = s != NULL && s->kind == PTX_PARAMETER ? lower_find_cells(l, s) : NULL;
    return c != NULL && c->local != 0;
}

static struct place find_place(struct lower *l, const struct ptx_operand *operand, enum ptx_space written) {
    const struct ptx_operand named = resolve_parameter_address(l, operand), *o = &named;
    struct place p = {.offset = (int32_t)o->value};
    if (o->kind != PTX_OPERAND_ADDRESS) lower_fail(l, "expected an address in brackets");
    if (o->symbol != NULL && o->symbol->kind == PTX_PARAMETER && !is_in_local(l, o->symbol)) {
        size_t index;
        const bool is_kernels = find_parameter(l, o->symbol, &index);
        if (is_kernels && lower_is_spilled(l, index)) return spilled_place(l, index, p.offset);
        p.space = PTX_SPACE_PARAM;
        p.parameter = is_kernels ? o->symbol : NULL;
        p.cells = lower_find_cells(l, o->symbol);
        if (p.parameter == NULL && p.cells == NULL)
            lower_fail(l, "'%s' is not a parameter of this function", o->symbol->name);
        return p;
    }
    /* A parameter of a function has an address only if it is in local memory. */
    if (written == PTX_SPACE_PARAM && l->routine != NULL) written = PTX_SPACE_LOCAL;
    p.space = lower_space(l, o, written);
    if (o->symbol == NULL) {
        p.base = ir_imm((uint32_t)o->value);
    } else {
        struct ptx_operand base = *o;
        base.kind = o->symbol->kind == PTX_REGISTER ? PTX_OPERAND_REGISTER : PTX_OPERAND_SYMBOL;
        base.value = 0;
        p.base = lower_operand(l, &base, PTX_TYPE_u32).w[0];
    }
    if (o->symbol == NULL || p.base.kind == IR_IMM) {
        p.base = ir_imm(o->symbol == NULL ? (uint32_t)o->value : p.base.value + (uint32_t)p.offset);
        p.offset = 0;
    }
    return p;
}

static void set_guard(const struct lower *l, struct ir_insn *insn) {
    insn->guard = l->guard;
    if (l->guard != 0) insn->cond = l->cond;
}

/* ---- loads ---- */

static void load_word(struct lower *l, const struct place *p, uint32_t at, enum ptx_type type, ir_reg to) {
    static const enum ir_op OP[] = {
        [PTX_NO_SPACE] = IR_GLD,    [PTX_SPACE_PARAM] = IR_LDS,  [PTX_SPACE_GLOBAL] = IR_GLD,
        [PTX_SPACE_CONST] = IR_LDC, [PTX_SPACE_SHARED] = IR_LDS, [PTX_SPACE_LOCAL] = IR_LLD};
    struct ir_insn *insn = build(l, OP[p->space]);
    insn->src[0] = p->base;
    insn->offset = p->offset + (int32_t)at;
    insn->size = access_size(type);
    insn->dst = to;
    if ((l->insn->modifiers & PTX_MOD_VOLATILE) != 0) insn->flags |= IR_VOLATILE;
    set_guard(l, insn);
}

/* Loads a parameter of two bytes, a char2, by 32 bits: LLVM 19 does so, and takes the halves for the two bytes. */
static void load_two_bytes(struct lower *l, uint32_t address, ir_reg to) {
    struct ir_operand bytes[2];
    for (unsigned i = 0; i < 2; i++) {
        struct ir_insn *byte = build(l, IR_MOV);
        byte->src[0] = ir_shared(address + i, IR_U8);
        byte->dst = ir_new_reg(l->ir, IR_R);
        bytes[i] = ir_use(byte->dst);
    }
    const struct ir_operand word = build_logic(l, IR_OR, build_shl(l, bytes[1], ir_imm(16)), bytes[0]);
    struct ir_insn *insn = build(l, IR_MOV);
    insn->src[0] = word;
    insn->dst = to;
    set_guard(l, insn);
}

/* Loads a parameter of the kernel. Its cell in shared memory never changes, so it may be read at any time. */
static void load_parameter(struct lower *l, const struct place *p, uint32_t at, enum ptx_type type, ir_reg to) {
    const uint32_t bytes = ptx_type_bytes(type) < 4 ? ptx_type_bytes(type) : 4;
    const uint64_t end = (uint64_t)(uint32_t)p->offset + at + bytes;
    const bool is_bytes = p->parameter->size == 2 && p->parameter->type == PTX_TYPE_b8;
    if (bytes == 4 && end == 4 && is_bytes && l->module->is_of_llvm) {
        load_two_bytes(l, lower_address_of(l, p->parameter), to);
        return;
    }
    if (end > p->parameter->size) lower_fail(l, "access beyond the end of parameter '%s'", p->parameter->name);
    const uint32_t address = lower_address_of(l, p->parameter) + (uint32_t)p->offset + at;
    if (address % bytes != 0) lower_fail(l, "access to parameter '%s' is not aligned", p->parameter->name);
    const bool is_signed = ptx_type_kind(type) == 's';
    struct ir_insn *insn = build(l, IR_MOV);
    insn->src[0] = ir_shared(address, bytes == 1 ? IR_U8 : bytes == 2 ? (is_signed ? IR_S16 : IR_U16) : IR_B32);
    insn->dst = to;
    if (bytes == 1 && is_signed) {
        insn->dst = ir_new_reg(l->ir, IR_R);
        struct ir_insn *extend = build(l, IR_I2I);
        extend->src[0] = ir_use(insn->dst);
        extend->flags = IR_BYTE | IR_SIGN_A | IR_SIGN_D;
        extend->dst = to;
        insn = extend;
    }
    set_guard(l, insn);
}

static void load_cell(struct lower *l, const struct place *p, uint32_t at, enum ptx_type type, ir_reg to) {
    const uint32_t bytes = ptx_type_bytes(type) < 4 ? ptx_type_bytes(type) : 4;
    const struct ir_operand cell = lower_load_cell(l, p->cells, (uint32_t)p->offset + at, bytes);
    const struct ir_operand word = build_extend(l, cell, bytes * 8, ptx_type_kind(type) == 's');
    struct ir_insn *insn = build(l, IR_MOV);
    insn->src[0] = word;
    insn->dst = to;
    set_guard(l, insn);
}

static void load_value(struct lower *l, const struct place *p, uint32_t at, enum ptx_type type,
                       const struct ptx_operand *o) {
    struct slot discarded = {
        {ir_new_reg(l->ir, IR_R), ir_new_reg(l->ir, IR_R)},
        0
    };
    const struct slot *slot = &discarded;
    if (o->kind != PTX_OPERAND_SINK) {
        if (o->kind != PTX_OPERAND_REGISTER || o->symbol->kind != PTX_REGISTER || o->symbol->type == PTX_TYPE_pred)
            lower_fail(l, "the destination of a load must be a register");
        slot = lower_slot(l, o);
    }
    const unsigned words = type_words(type);
    if (words == 2 && slot->r[1] == 0) lower_fail(l, "'%s' is too narrow for 64 bits", o->symbol->name);
    for (unsigned i = 0; i < words; i++)
        if (p->parameter != NULL)
            load_parameter(l, p, at + 4 * i, type, slot->r[i]);
        else if (p->cells != NULL)
            load_cell(l, p, at + 4 * i, type, slot->r[i]);
        else
            load_word(l, p, at + 4 * i, type, slot->r[i]);
    if (words == 1 && slot->r[1] != 0 && o->kind != PTX_OPERAND_SINK) {
        struct ir_insn *insn = ptx_type_kind(type) == 's' ? build(l, IR_SHR) : build(l, IR_MOV);
        insn->src[0] = insn->op == IR_SHR ? ir_use(slot->r[0]) : ir_imm(0);
        if (insn->op == IR_SHR) insn->src[1] = ir_imm(31);
        insn->flags = insn->op == IR_SHR ? IR_SIGN_A : 0;
        insn->dst = slot->r[1];
        set_guard(l, insn);
    }
}

/* ---- wide accesses ---- */

/* Returns the number of words of a global access that one instruction can transfer: 2, 4, or 0 for single words. The
 * kernel must have enough registers. */
static unsigned vector_words(const struct lower *l, const struct ptx_insn *insn, const struct place *p) {
    const struct compile_options *o = l->cc->options;
    const unsigned bytes = ptx_type_bytes(insn->type[0]), words = insn->vector * type_words(insn->type[0]);
    const bool may = o->level > 0 && (o->max_registers == 0 || o->max_registers >= 32) &&
                     (l->kernel->max_registers == 0 || l->kernel->max_registers >= 32);
    const bool is_global = p->space == PTX_SPACE_GLOBAL && p->parameter == NULL && p->cells == NULL;
    return may && is_global && bytes >= 4 && (words == 2 || words == 4) && l->guard == 0 &&
                   (insn->modifiers & PTX_MOD_VOLATILE) == 0
               ? words
               : 0;
}

static struct ptx_operand vector_element(struct lower *l, const struct ptx_operand *o, unsigned i);

static void load_vector(struct lower *l, const struct ptx_insn *insn, const struct place *p, unsigned words) {
    ir_reg word[4] = {0};
    for (unsigned i = 0; i < words; i++) word[i] = ir_new_reg(l->ir, IR_R);
    struct ir_insn *load = build(l, IR_GLD);
    load->src[0] = p->base;
    load->offset = p->offset;
    load->size = words == 2 ? IR_SIZE_64 : IR_SIZE_128;
    load->dst = word[0];
    for (unsigned i = 1; i < words; i++) load->more[i - 1] = word[i];
    const unsigned each = type_words(insn->type[0]);
    for (unsigned i = 0; i < insn->vector; i++) {
        const struct ptx_operand o = vector_element(l, &insn->operand[0], i);
        const struct value v = {
            {ir_use(word[i * each]), each == 2 ? ir_use(word[i * each + 1]) : ir_imm(0)}
        };
        lower_set(l, &o, v, insn->type[0]);
    }
}

static void store_vector(struct lower *l, const struct ptx_insn *insn, const struct place *p, unsigned words) {
    ir_reg word[4] = {0};
    const unsigned each = type_words(insn->type[0]);
    for (unsigned i = 0; i < insn->vector; i++) {
        const struct ptx_operand o = vector_element(l, &insn->operand[1], i);
        const struct value v = lower_operand(l, &o, insn->type[0]);
        for (unsigned k = 0; k < each; k++) word[i * each + k] = build_move(l, v.w[k]).reg;
    }
    struct ir_insn *store = build(l, IR_GST);
    store->src[0] = p->base;
    store->src[1] = ir_use(word[0]);
    store->offset = p->offset;
    store->size = words == 2 ? IR_SIZE_64 : IR_SIZE_128;
    for (unsigned i = 1; i < words; i++) store->more[i - 1] = word[i];
}

static struct ptx_operand vector_element(struct lower *l, const struct ptx_operand *o, unsigned i) {
    if (o->kind == PTX_OPERAND_VECTOR) {
        if (i >= o->count) lower_fail(l, "too few elements in braces");
        return o->elements[i];
    }
    struct ptx_operand element = *o;
    if (l->insn->vector > 1) element.component = (uint8_t)(i + 1);
    if (l->insn->vector > 1 && (o->symbol == NULL || o->symbol->vector <= i)) lower_fail(l, "expected a vector");
    return element;
}

static void lower_load(struct lower *l, const struct ptx_insn *insn, struct place p) {
    const unsigned bytes = ptx_type_bytes(insn->type[0]);
    const unsigned at_once = vector_words(l, insn, &p);
    if (at_once != 0) {
        load_vector(l, insn, &p, at_once);
        return;
    }
    const bool many = insn->vector > 1 || bytes == 8;
    if (many && p.base.kind == IR_REG) p.base = build_move(l, p.base); /* a result may overwrite the address */
    for (unsigned i = 0; i < insn->vector; i++) {
        const struct ptx_operand o = vector_element(l, &insn->operand[0], i);
        load_value(l, &p, i * bytes, insn->type[0], &o);
    }
}

/* ---- stores ---- */

static void store_word(struct lower *l, const struct place *p, uint32_t at, enum ptx_type type,
                       struct ir_operand word) {
    static const enum ir_op OP[] = {
        [PTX_NO_SPACE] = IR_GST, [PTX_SPACE_GLOBAL] = IR_GST, [PTX_SPACE_SHARED] = IR_STS, [PTX_SPACE_LOCAL] = IR_LST};
    struct ir_insn *insn = build(l, OP[p->space]);
    insn->src[0] = p->base;
    insn->src[1] = word;
    insn->offset = p->offset + (int32_t)at;
    insn->size = access_size(type);
    set_guard(l, insn);
}

static void store_cell(struct lower *l, const struct place *p, uint32_t at, enum ptx_type type,
                       struct ir_operand word) {
    const uint32_t bytes = ptx_type_bytes(type) < 4 ? ptx_type_bytes(type) : 4;
    const ir_reg to = lower_store_cell(l, p->cells, (uint32_t)p->offset + at, bytes);
    struct ir_insn *insn = build(l, IR_MOV);
    insn->dst = to;
    insn->src[0] = word;
    set_guard(l, insn);
}

static void lower_store(struct lower *l, const struct ptx_insn *insn, struct place p) {
    const enum ptx_type type = insn->type[0];
    const unsigned bytes = ptx_type_bytes(type);
    if (p.parameter != NULL || p.space == PTX_SPACE_CONST) lower_fail(l, "constants and parameters cannot be written");
    const unsigned at_once = vector_words(l, insn, &p);
    if (at_once != 0) {
        store_vector(l, insn, &p, at_once);
        return;
    }
    for (unsigned i = 0; i < insn->vector; i++) {
        const struct ptx_operand o = vector_element(l, &insn->operand[1], i);
        const struct value v = lower_operand(l, &o, type);
        if (p.cells == NULL) lower_record_store(l, &o, type);
        for (unsigned k = 0; k < type_words(type); k++)
            if (p.cells != NULL)
                store_cell(l, &p, i * bytes + 4 * k, type, v.w[k]);
            else
                store_word(l, &p, i * bytes + 4 * k, type, v.w[k]);
    }
}

/* ---- tagged addresses ---- */

typedef void access_function(struct lower *l, const struct ptx_insn *insn, struct place p);

/* Builds the access to one memory for threads whose address has its tag, and continues with the others. */
static void access_tagged(struct lower *l, const struct ptx_insn *insn, struct place p, uint32_t tag,
                          access_function *access, struct ir_block *after) {
    struct ir_block *here = ir_new_block(l->ir), *others = ir_new_block(l->ir);
    build_set(l, IR_EQ, false, build_shr(l, p.base, ir_imm(TAG_SHIFT), false), ir_imm(tag));
    l->block->last->fdst = ir_new_reg(l->ir, IR_C);
    build_branch(l, l->block->last->fdst, IR_NE, here, others);
    l->block = here;
    p.space = tag == TAG_LOCAL ? PTX_SPACE_LOCAL : PTX_SPACE_SHARED;
    access(l, insn, p);
    build_jump(l, after);
    l->block = others;
}

static void access_generic(struct lower *l, const struct ptx_insn *insn, struct place p, access_function *access) {
    struct ir_block *after = ir_new_block(l->ir);
    if (l->guard != 0) {
        struct ir_block *all = ir_new_block(l->ir);
        build_branch(l, l->guard, l->cond, all, after);
        l->block = all;
        l->guard = 0;
    }
    p.base = build_move(l, build_add(l, p.base, ir_imm((uint32_t)p.offset)));
    p.offset = 0;
    access_tagged(l, insn, p, TAG_LOCAL, access, after);
    access_tagged(l, insn, p, TAG_SHARED, access, after);
    p.space = PTX_SPACE_GLOBAL;
    access(l, insn, p);
    build_jump(l, after);
    l->block = after;
}

static void lower_access(struct lower *l, const struct ptx_insn *insn, unsigned address, access_function *access) {
    if (insn->operand_count != 2 || insn->type_count != 1 || ptx_type_bytes(insn->type[0]) == 0) lower_bad_types(l);
    const struct place p = find_place(l, &insn->operand[address], insn->space);
    if (p.space == PTX_NO_SPACE)
        access_generic(l, insn, p, access);
    else
        access(l, insn, p);
}

/* ---- atomics ---- */

static void check_atomic(struct lower *l, const struct ptx_insn *insn, const struct place *p) {
    const unsigned arch = l->cc->options->arch;
    if (p->space == PTX_SPACE_SHARED)
        lower_fail(l, "atomic operations on shared memory are not supported by any --arch; "
                      "OpenCL's driver has them, by locks");
    if (p->space != PTX_SPACE_GLOBAL) lower_fail(l, "atomic operations are supported on global memory only");
    if (arch < 11 && l->place == NULL) lower_fail(l, "atomic operations need --arch sm_11");
    if (insn->type[0] == PTX_TYPE_f32 && insn->atomic != PTX_ATOMIC_EXCH)
        lower_fail(l, "atomic operations on floats are not supported");
    if (ptx_type_bytes(insn->type[0]) != 4) lower_fail(l, "atomic operations are supported for 32 bits only");
}

static void lower_atomic(struct lower *l, const struct ptx_insn *insn) {
    static const uint8_t CODE[] = {
        [PTX_ATOMIC_ADD] = 0, [PTX_ATOMIC_EXCH] = 1, [PTX_ATOMIC_CAS] = 2, [PTX_ATOMIC_INC] = 4,
        [PTX_ATOMIC_DEC] = 5, [PTX_ATOMIC_MAX] = 6,  [PTX_ATOMIC_MIN] = 7, [PTX_ATOMIC_AND] = 10,
        [PTX_ATOMIC_OR] = 11, [PTX_ATOMIC_XOR] = 12};
    const unsigned first = insn->op == PTX_atom ? 1 : 0;
    const bool is_cas = insn->atomic == PTX_ATOMIC_CAS;
    if (insn->operand_count != first + (is_cas ? 3 : 2) || insn->atomic == PTX_NO_ATOMIC || insn->type_count != 1)
        lower_bad_types(l);
    struct place p = find_place(l, &insn->operand[first], insn->space);
    if (p.space == PTX_NO_SPACE) p.space = PTX_SPACE_GLOBAL; /* other memories have no atomic operations */
    check_atomic(l, insn, &p);
    const struct ir_operand address = build_add(l, p.base, ir_imm((uint32_t)p.offset));
    const struct ir_operand a = build_register(l, lower_word(l, first + 1, insn->type[0]));
    struct ir_operand b = {0};
    if (is_cas) b = build_register(l, lower_word(l, first + 2, insn->type[0]));
    const struct ir_operand at = build_register(l, address);
    struct ir_insn *atomic =
        build(l, insn->op == PTX_atom || is_cas || insn->atomic == PTX_ATOMIC_EXCH ? IR_GATOM : IR_GRED);
    atomic->src[0] = at;
    atomic->src[1] = a;
    atomic->src[2] = b;
    atomic->sub = CODE[insn->atomic];
    atomic->size = ptx_type_kind(insn->type[0]) == 's' ? IR_SIZE_U32 + 1 : IR_SIZE_U32;
    set_guard(l, atomic);
    if (atomic->op != IR_GATOM) return;
    atomic->dst = ir_new_reg(l->ir, IR_R);
    if (insn->op == PTX_atom && insn->operand[0].kind == PTX_OPERAND_REGISTER)
        atomic->dst = lower_slot(l, &insn->operand[0])->r[0];
}

void lower_memory(struct lower *l, const struct ptx_insn *insn) {
    switch (insn->op) {
    case PTX_st: lower_access(l, insn, 0, lower_store); break;
    case PTX_atom:
    case PTX_red: lower_atomic(l, insn); break;
    default: lower_access(l, insn, 1, lower_load); break;
    }
}
