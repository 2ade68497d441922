/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes operands of PTX instructions, see lower.h. */
#include <string.h>

#include "lower.h"

static bool is_wide(enum ptx_type type) { return ptx_type_bytes(type) == 8; }

static unsigned slot_index(const struct ptx_operand *o) {
    return o->symbol->index + (o->component > 0 ? o->component - 1u : 0);
}

struct slot *lower_slot(struct lower *l, const struct ptx_operand *o) {
    struct slot *slot = &l->frame->slots[slot_index(o)];
    const enum ptx_type type = o->symbol->type;
    if (slot->r[0] != 0) return slot;
    slot->r[0] = ir_new_reg(l->ir, IR_R);
    if (is_wide(type)) slot->r[1] = ir_new_reg(l->ir, IR_R);
    if (type == PTX_TYPE_pred) slot->flags = ir_new_reg(l->ir, IR_C);
    return slot;
}

/* ---- numbers ---- */

static uint64_t float_bits(const struct ptx_operand *o, enum ptx_type type) {
    double number;
    float single;
    if (type == PTX_TYPE_f32 || ptx_type_bytes(type) == 4) {
        if (o->exact_single) return o->value;
        memcpy(&number, &o->value, sizeof number);
        single = (float)number;
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        return bits;
    }
    if (!o->exact_single) return o->value;
    const uint32_t bits = (uint32_t)o->value;
    memcpy(&single, &bits, sizeof single);
    number = (double)single;
    uint64_t wide;
    memcpy(&wide, &number, sizeof wide);
    return wide;
}

/* Converts an integer constant to a float if the type is one. */
static uint64_t integer_bits(const struct ptx_operand *o, enum ptx_type type) {
    if (ptx_type_kind(type) != 'f') return o->value;
    struct ptx_operand as_float = *o;
    const double number = (double)(int64_t)o->value;
    memcpy(&as_float.value, &number, sizeof number);
    as_float.exact_single = false;
    return float_bits(&as_float, type);
}

/* ---- addresses ---- */

static uint32_t shared_address(struct lower *l, const struct ptx_symbol *s) {
    if (s->open_ended || (s->is_extern && s->size == 0)) {
        l->uses_dynamic_shared = true;
        return l->dynamic_shared;
    }
    return l->shared_address[s->index];
}

static uint32_t local_address(struct lower *l, const struct ptx_symbol *s) {
    const struct frame *f = l->frame;
    if (s->index < f->function->local_count && f->function->locals[s->index] == s) return f->local_address[s->index];
    lower_fail(l, "'%s' is not a variable of this function", s->name);
}

bool lower_is_spilled(const struct lower *l, size_t parameter) {
    return l->parameter_limit > 0 && l->parameter_offset[parameter] >= l->parameter_limit;
}

uint32_t lower_address_of(struct lower *l, const struct ptx_symbol *s) {
    if (s->kind == PTX_FUNCTION)
        lower_fail(l, "the address of a function is used: calls through pointers are not supported");
    if (s->kind == PTX_PARAMETER) {
        for (size_t i = 0; i < l->kernel->parameter_count; i++)
            if (l->kernel->parameters[i] == s && !lower_is_spilled(l, i)) return 16 + l->parameter_offset[i];
        const struct cells *c = lower_parameter_cells(l->frame, s);
        if (c != NULL && c->local != 0) return c->local;
        lower_fail(l, "'%s' is not a parameter of this function", s->name);
    }
    if (s->kind != PTX_VARIABLE) lower_fail(l, "'%s' has no address", s->name);
    if (s->holds_functions)
        lower_fail(l, "'%s' holds addresses of functions: calls through pointers are not supported", s->name);
    if (s->space == PTX_SPACE_SHARED) return shared_address(l, s);
    if (s->space == PTX_SPACE_LOCAL) return local_address(l, s);
    return s->address;
}

/* ---- special registers ---- */

static struct ir_operand load_header(struct lower *l, uint32_t byte) { return build_move(l, ir_shared(byte, IR_U16)); }

static struct ir_operand thread_id(struct lower *l, char dimension) {
    const struct ir_operand r0 = ir_use(l->ir->r0);
    l->ir->reads_r0 = true;
    if (dimension == 'x') return build_extend(l, r0, 16, false);
    if (dimension == 'z') return build_shr(l, r0, ir_imm(26), false);
    return build_logic(l, IR_AND, build_shr(l, r0, ir_imm(16), false), ir_imm(0x3ff));
}

/* Linear thread number: x + y * blockDim.x + z * blockDim.x * blockDim.y. */
static struct ir_operand linear_thread_id(struct lower *l) {
    const struct ir_operand z = build_mul(l, thread_id(l, 'z'), load_header(l, 4));
    const struct ir_operand yz = build_add(l, thread_id(l, 'y'), z);
    return build_add(l, thread_id(l, 'x'), build_mul(l, yz, load_header(l, 2)));
}

static struct ir_operand lane_id(struct lower *l) { return build_logic(l, IR_AND, linear_thread_id(l), ir_imm(31)); }

static struct ir_operand read_clock(struct lower *l) {
    struct ir_insn *insn = build(l, IR_S2R);
    insn->sub = 1;
    insn->flags = IR_VOLATILE;
    insn->dst = ir_new_reg(l->ir, IR_R);
    return build_shl(l, ir_use(insn->dst), ir_imm(1)); /* the counter counts every second cycle */
}

static struct ir_operand lane_mask(struct lower *l, const char *relation) {
    const struct ir_operand bit = build_shl(l, ir_imm(1), lane_id(l));
    const struct ir_operand below = build_add(l, bit, ir_imm(UINT32_MAX));
    if (strcmp(relation, "eq") == 0) return bit;
    if (strcmp(relation, "lt") == 0) return below;
    if (strcmp(relation, "le") == 0) return build_logic(l, IR_OR, below, bit);
    if (strcmp(relation, "ge") == 0) return build_neg(l, bit);
    return build_not(l, build_logic(l, IR_OR, below, bit));
}

static struct ir_operand count_warps(struct lower *l) {
    const struct ir_operand yz = build_mul(l, load_header(l, 4), load_header(l, 6));
    const struct ir_operand threads = build_mul(l, yz, load_header(l, 2));
    return build_shr(l, build_add(l, threads, ir_imm(31)), ir_imm(5), false);
}

static struct ir_operand special_register(struct lower *l, const char *name) {
    const char dimension = name[strlen(name) - 1];
    const uint32_t column = (uint32_t)(dimension - 'x');
    if (strncmp(name, "%tid.", 5) == 0) return thread_id(l, dimension);
    if (strncmp(name, "%ntid.", 6) == 0) return load_header(l, 2 + 2 * column);
    if (strncmp(name, "%ctaid.", 7) == 0) return dimension == 'z' ? ir_imm(0) : load_header(l, 12 + 2 * column);
    if (strncmp(name, "%nctaid.", 8) == 0) return dimension == 'z' ? ir_imm(1) : load_header(l, 8 + 2 * column);
    if (strncmp(name, "%lanemask_", 10) == 0) return lane_mask(l, name + 10);
    if (strcmp(name, "%laneid") == 0) return lane_id(l);
    if (strcmp(name, "%warpid") == 0) return build_shr(l, linear_thread_id(l), ir_imm(5), false);
    if (strcmp(name, "%nwarpid") == 0) return count_warps(l);
    if (strncmp(name, "%clock", 6) == 0) return read_clock(l);
    if (strcmp(name, "%gridid") == 0) return ir_imm(0);
    lower_fail(l, "'%s' is not supported", name);
}

/* ---- values ---- */

static struct value number(uint64_t bits) { return wide_number(bits); }

static struct value register_value(struct lower *l, const struct ptx_operand *o) {
    struct value v = {0};
    if (o->symbol->kind == PTX_SPECIAL) {
        v.w[0] = special_register(l, o->symbol->name);
        v.w[1] = ir_imm(0);
        return v;
    }
    const struct register_facts *facts = &l->frame->facts[slot_index(o)];
    if (facts->is_constant) return number(facts->value);
    const struct slot *slot = lower_slot(l, o);
    v.w[0] = ir_use(slot->r[0]);
    v.w[1] = slot->r[1] != 0 ? ir_use(slot->r[1]) : ir_imm(0);
    return v;
}

struct value lower_operand(struct lower *l, const struct ptx_operand *o, enum ptx_type type) {
    switch (o->kind) {
    case PTX_OPERAND_NUMBER: return number(integer_bits(o, type));
    case PTX_OPERAND_FLOAT: return number(float_bits(o, type));
    case PTX_OPERAND_SYMBOL: return number(lower_address_of(l, o->symbol) + (uint32_t)o->value);
    case PTX_OPERAND_REGISTER: break;
    default: lower_fail(l, "an operand of '%s' is of the wrong kind", ptx_op_name(l->insn->op));
    }
    const bool is_predicate = o->symbol->type == PTX_TYPE_pred;
    if (is_predicate != (type == PTX_TYPE_pred)) lower_fail(l, "'%s' is of the wrong type here", o->symbol->name);
    if (o->symbol->vector > 1 && o->component == 0)
        lower_fail(l, "'%s' is a vector; name a component, as in %s.x", o->symbol->name, o->symbol->name);
    if (is_wide(type) && o->symbol->kind == PTX_REGISTER && ptx_type_bytes(o->symbol->type) < 8)
        lower_fail(l, "'%s' is narrower than the 64 bits of the instruction", o->symbol->name);
    return register_value(l, o);
}

static const struct ptx_operand *operand_at(const struct lower *l, unsigned index) {
    if (index >= l->insn->operand_count) lower_fail(l, "'%s' has too few operands", ptx_op_name(l->insn->op));
    return &l->insn->operand[index];
}

struct value lower_value(struct lower *l, unsigned operand, enum ptx_type type) {
    return lower_operand(l, operand_at(l, operand), type);
}

struct ir_operand lower_word(struct lower *l, unsigned operand, enum ptx_type type) {
    return lower_value(l, operand, type).w[0];
}

struct ir_operand lower_extended(struct lower *l, unsigned operand, enum ptx_type type) {
    return build_extend(l, lower_word(l, operand, type), ptx_type_bytes(type) * 8, ptx_type_kind(type) == 's');
}

struct ir_operand lower_mask(struct lower *l, const struct ptx_operand *o) {
    const struct ir_operand mask = lower_operand(l, o, PTX_TYPE_pred).w[0];
    if (mask.kind == IR_IMM) return ir_imm((mask.value != 0) != o->inverted ? UINT32_MAX : 0);
    return o->inverted ? build_not(l, mask) : mask;
}

ir_reg lower_flags(struct lower *l, const struct ptx_operand *o, uint8_t *cond) {
    if (o->kind != PTX_OPERAND_REGISTER || o->symbol->type != PTX_TYPE_pred) lower_fail(l, "expected a predicate");
    *cond = o->inverted ? IR_EQ : IR_NE;
    return lower_slot(l, o)->flags;
}

/* ---- results ---- */

/* Makes the last instruction write to `to` if it was built for this result only. */
static bool retarget(struct lower *l, ir_reg to, const struct ir_operand *word) {
    struct ir_insn *last = l->block->last;
    if (last == NULL || word->kind != IR_REG || word->half != IR_WHOLE || word->negative || word->absolute)
        return false;
    if (last->dst != word->reg || word->reg < l->first_new_reg || last->more[0] != 0) return false;
    if (last->guard != 0 && last->op != IR_SELECT) return false;
    if (l->guard != 0 && (last->guard != 0 || last->carry != 0 || last->fdst != 0)) return false;
    last->dst = to;
    if (l->guard != 0) {
        last->guard = l->guard;
        last->cond = l->cond;
    }
    return true;
}

static void assign_register(struct lower *l, ir_reg to, struct ir_operand word) {
    if (retarget(l, to, &word)) return;
    struct ir_insn *insn = build(l, IR_MOV);
    insn->src[0] = word;
    insn->dst = to;
    insn->guard = l->guard;
    if (l->guard != 0) insn->cond = l->cond;
}

void lower_set(struct lower *l, const struct ptx_operand *o, struct value v, enum ptx_type type) {
    if (o->kind == PTX_OPERAND_SINK) return;
    if (o->kind != PTX_OPERAND_REGISTER || o->symbol->kind != PTX_REGISTER)
        lower_fail(l, "the result of '%s' must be a register", ptx_op_name(l->insn->op));
    if (o->symbol->type == PTX_TYPE_pred) lower_fail(l, "'%s' is a predicate", o->symbol->name);
    if (o->symbol->vector > 1 && o->component == 0)
        lower_fail(l, "'%s' is a vector; name a component", o->symbol->name);
    const struct slot *slot = lower_slot(l, o);
    if (is_wide(type) && slot->r[1] == 0) lower_fail(l, "'%s' is too narrow for 64 bits", o->symbol->name);
    struct ir_operand high = v.w[1];
    if (slot->r[1] != 0 && !is_wide(type)) /* the register is wider than the type */
        high = ptx_type_kind(type) == 's' ? build_shr(l, v.w[0], ir_imm(31), true) : ir_imm(0);
    const bool is_in_way =
        high.kind == IR_REG && (high.reg == slot->r[0] || (v.w[0].kind == IR_REG && high.reg == v.w[0].reg));
    if (slot->r[1] != 0 && is_in_way) high = build_move(l, high);
    const bool low_is_old_high = v.w[0].kind == IR_REG && v.w[0].reg == slot->r[1];
    if (slot->r[1] != 0 && l->block->last != NULL && high.kind == IR_REG && l->block->last->dst == high.reg &&
        !low_is_old_high) {
        assign_register(l, slot->r[1], high);
        assign_register(l, slot->r[0], v.w[0]);
        return;
    }
    assign_register(l, slot->r[0], v.w[0]);
    if (slot->r[1] != 0) assign_register(l, slot->r[1], high);
}

void lower_set_word(struct lower *l, unsigned operand, struct ir_operand word, enum ptx_type type) {
    const struct value v = {
        {word, ir_imm(0)}
    };
    lower_set(l, operand_at(l, operand), v, type);
}

struct ir_insn *lower_set_predicate(struct lower *l, const struct ptx_operand *o, enum ir_op op) {
    struct ir_insn *insn = build(l, op);
    if (o->kind == PTX_OPERAND_SINK) return insn;
    if (o->kind != PTX_OPERAND_REGISTER || o->symbol->type != PTX_TYPE_pred)
        lower_fail(l, "the result of '%s' must be a predicate", ptx_op_name(l->insn->op));
    const struct slot *slot = lower_slot(l, o);
    insn->dst = slot->r[0];
    insn->fdst = slot->flags;
    insn->guard = l->guard;
    if (l->guard != 0) insn->cond = l->cond;
    return insn;
}
