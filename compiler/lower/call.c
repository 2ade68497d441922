/* SPDX-License-Identifier: Apache-2.0 */
/* Calls: the function's body in place of the call. */
#include <string.h>

#include "lower.h"
#include "support.h"

enum { DEEPEST_CALL = 200 };

static ir_reg cell(struct lower *l, struct cells *c, uint32_t byte) {
    if (c->reg[byte] == 0) c->reg[byte] = ir_new_reg(l->ir, IR_R);
    return c->reg[byte];
}

/* ld.param and st.param of a function's parameters and of a call's. */
static struct cells *find_cells(struct lower *l, const struct ptx_symbol *s) {
    const struct frame *f = l->frame;
    for (size_t i = 0; i < f->function->parameter_count; i++)
        if (f->function->parameters[i] == s) return f->parameters != NULL ? f->parameters[i] : NULL;
    for (size_t i = 0; i < f->function->result_count; i++)
        if (f->function->results[i] == s) return f->results != NULL ? f->results[i] : NULL;
    if (s->space == PTX_SPACE_PARAM && s->index < f->function->local_count && f->function->locals[s->index] == s)
        return f->cells[s->index];
    return NULL;
}

struct cells *lower_find_cells(struct lower *l, const struct ptx_symbol *s) {
    return find_cells(l, s);
}

ir_reg lower_cell(struct lower *l, struct cells *c, uint32_t byte, uint32_t bytes) {
    if (byte >= c->size || c->size - byte < bytes) lower_fail(l, "access beyond the end of a parameter");
    return cell(l, c, byte);
}

static struct cells *new_cells(struct lower *l, uint32_t size) {
    struct cells *c = CC_NEW(l->cc, struct cells);
    c->size = size;
    c->reg = CC_ARRAY(l->cc, ir_reg, size);
    return c;
}

/* An argument: a .param variable of the caller, or a value. */
static struct cells *argument_cells(struct lower *l, const struct ptx_operand *o, const struct ptx_symbol *parameter) {
    if (o->kind == PTX_OPERAND_SYMBOL && o->symbol->kind == PTX_PARAMETER) {
        struct cells *c = find_cells(l, o->symbol);
        if (c == NULL) lower_fail(l, "'%s' is no variable for arguments", o->symbol->name);
        if (c->size < parameter->size) lower_fail(l, "argument '%s' is too small", o->symbol->name);
        return c;
    }
    struct cells *c = new_cells(l, parameter->size > 4 ? parameter->size : 4);
    const struct value v = lower_operand(l, o, parameter->type);
    for (unsigned i = 0; i < (ptx_type_bytes(parameter->type) == 8 ? 2u : 1u); i++) {
        struct ir_insn *move = build(l, IR_MOV);
        move->src[0] = v.w[i];
        move->dst = cell(l, c, 4 * i);
    }
    return c;
}

/* A parameter in a register gets its value at the start. */
static void fill_register(struct lower *l, struct frame *f, const struct ptx_symbol *parameter, struct cells *c) {
    struct slot *slot = &f->slots[parameter->index];
    for (unsigned i = 0; i < (ptx_type_bytes(parameter->type) == 8 ? 2u : 1u); i++) {
        slot->r[i] = ir_new_reg(l->ir, IR_R);
        struct ir_insn *move = build(l, IR_MOV);
        move->src[0] = ir_use(cell(l, c, 4 * i));
        move->dst = slot->r[i];
    }
}

static bool is_image_function(const char *name) {
    return strstr(name, "ocl_image") != NULL || strstr(name, "ocl_sampler") != NULL ||
           strcmp(name, "__translate_sampler_initializer") == 0;
}

static void check_call(struct lower *l, const struct ptx_function *f, uint32_t arguments, uint32_t results) {
    if (!f->has_body && is_image_function(f->name)) lower_fail(l, "there are no images and no samplers");
    if (!f->has_body)
        lower_fail(l, "function '%s' is called, but has no body here%s", f->name,
                   strncmp(f->name, "_Z", 2) == 0 ? "; those of OpenCL are in libclc, of the version of clang" : "");
    if (f->in_work) lower_fail(l, "function '%s' calls itself; recursion is not supported", f->name);
    if (f->is_kernel) lower_fail(l, "kernel '%s' is called", f->name);
    if (f->parameter_count != arguments || f->result_count != results)
        lower_fail(l, "function '%s' has %u parameters and %u results, the call %u and %u", f->name,
                   (unsigned)f->parameter_count, (unsigned)f->result_count, (unsigned)arguments, (unsigned)results);
    if (l->depth >= DEEPEST_CALL) lower_fail(l, "calls nest too deep");
}

/* The body, with control behind it afterwards. */
static void enter(struct lower *l, struct frame *f) {
    struct ir_block *after = ir_new_block(l->ir);
    const struct ptx_insn *call = l->insn;
    const ir_reg guard = l->guard, fresh = l->fresh;
    const uint8_t cond = l->cond;
    f->after = after;
    f->caller = l->frame;
    ((struct ptx_function *)f->function)->in_work = true;
    l->depth++;
    lower_function(l, f);
    l->depth--;
    ((struct ptx_function *)f->function)->in_work = false;
    l->block = after;
    l->insn = call;
    l->ir->place = l->place != NULL ? l->place : &call->place;
    l->guard = guard;
    l->cond = cond;
    l->fresh = fresh;
}

static const struct ptx_operand *call_lists(struct lower *l, const struct ptx_insn *insn,
                                            const struct ptx_operand **results, const struct ptx_operand **arguments) {
    unsigned at = 0;
    *results = *arguments = NULL;
    if (insn->operand[0].kind == PTX_OPERAND_VECTOR) *results = &insn->operand[at++];
    const struct ptx_operand *callee = &insn->operand[at++];
    if (at < insn->operand_count && insn->operand[at].kind == PTX_OPERAND_VECTOR) *arguments = &insn->operand[at];
    if (callee->kind != PTX_OPERAND_SYMBOL || callee->symbol->kind != PTX_FUNCTION)
        lower_fail(l, "calls through pointers are not supported");
    return callee;
}

/* OpenCL's, and what clang makes of CUDA's: nothing is printed, and the result is 0. */
static bool drop_printf(struct lower *l, const struct ptx_function *f, const struct ptx_operand *results) {
    if (f->has_body || (strcmp(f->name, "printf") != 0 && strcmp(f->name, "vprintf") != 0)) return false;
    if ((l->cc->notes_given & NOTE_PRINTF) == 0) cc_note(l->cc, &l->insn->place, "printf does nothing here");
    l->cc->notes_given |= NOTE_PRINTF;
    for (size_t i = 0; results != NULL && i < results->count; i++) {
        const struct ptx_operand *o = &results->elements[i];
        const struct value zero = {
            {ir_imm(0), ir_imm(0)}
        };
        if (o->kind == PTX_OPERAND_REGISTER) {
            lower_set(l, o, zero, f->results[i]->type);
            continue;
        }
        struct cells *c = o->kind == PTX_OPERAND_SYMBOL ? find_cells(l, o->symbol) : NULL;
        if (c == NULL) lower_fail(l, "the result of '%s' has no place", f->name);
        struct ir_insn *move = build(l, IR_MOV);
        move->src[0] = ir_imm(0);
        move->dst = cell(l, c, 0);
    }
    return true;
}

void lower_call(struct lower *l, const struct ptx_insn *insn) {
    const struct ptx_operand *results, *arguments;
    const struct ptx_function *function = call_lists(l, insn, &results, &arguments)->symbol->function;
    if (drop_printf(l, function, results)) return;
    check_call(l, function, arguments != NULL ? arguments->count : 0, results != NULL ? results->count : 0);
    struct ir_block *skipped = NULL;
    if (insn->guard != NULL) {
        struct ir_block *body = ir_new_block(l->ir);
        skipped = ir_new_block(l->ir);
        l->block->end = IR_BRANCH;
        l->block->guard = l->guard;
        l->block->cond = l->cond;
        l->block->next[0] = body;
        l->block->next[1] = skipped;
        l->block = body;
        l->guard = 0;
    }
    struct frame *f = CC_NEW(l->cc, struct frame);
    f->function = function;
    f->slots = CC_ARRAY(l->cc, struct slot, function->register_count);
    f->parameters = CC_ARRAY(l->cc, struct cells *, function->parameter_count);
    f->results = CC_ARRAY(l->cc, struct cells *, function->result_count);
    for (size_t i = 0; i < function->parameter_count && arguments != NULL; i++) {
        f->parameters[i] = argument_cells(l, &arguments->elements[i], function->parameters[i]);
        if (function->parameters[i]->kind == PTX_REGISTER)
            fill_register(l, f, function->parameters[i], f->parameters[i]);
    }
    for (size_t i = 0; i < function->result_count && results != NULL; i++) {
        const struct ptx_operand *o = &results->elements[i];
        const bool is_variable = o->kind == PTX_OPERAND_SYMBOL && o->symbol->kind == PTX_PARAMETER;
        const uint32_t size = function->results[i]->size;
        f->results[i] = is_variable ? find_cells(l, o->symbol) : new_cells(l, size > 4 ? size : 4);
        if (f->results[i] == NULL || f->results[i]->size < size) lower_fail(l, "the place of a result is too small");
    }
    enter(l, f);
    for (size_t i = 0; i < function->result_count && results != NULL; i++) {
        const struct ptx_operand *o = &results->elements[i];
        const struct ptx_symbol *result = function->results[i];
        if (o->kind != PTX_OPERAND_REGISTER) continue;
        struct value v = {
            {ir_imm(0), ir_imm(0)}
        };
        for (unsigned k = 0; k < (ptx_type_bytes(result->type) == 8 ? 2u : 1u); k++)
            v.w[k] = result->kind == PTX_REGISTER ? ir_use(f->slots[result->index].r[k])
                                                  : ir_use(cell(l, f->results[i], 4 * k));
        l->guard = 0;
        lower_set(l, o, v, result->type);
    }
    if (skipped != NULL) {
        l->block->end = IR_JUMP;
        l->block->next[0] = skipped;
        l->block = skipped;
    }
}

/* ---- routines ---- */

static void read_support(struct lower *l) {
    size_t size = 0;
    for (const char *const *line = lower_routines; *line != NULL; line++) size += strlen(*line);
    char *text = cc_alloc(l->cc, size + 1), *at = text;
    for (const char *const *line = lower_routines; *line != NULL; line++) {
        const size_t length = strlen(*line);
        memcpy(at, *line, length);
        at += length;
    }
    l->support = CC_NEW(l->cc, struct ptx_module);
    ptx_read(l->cc, text, size, l->support);
    if (l->cc->options->support != NULL)
        ptx_read(l->cc, l->cc->options->support, l->cc->options->support_size, l->support);
}

static const struct ptx_function *find_support(struct lower *l, const char *name) {
    if (l->support == NULL) read_support(l);
    for (size_t i = 0; i < l->support->function_count; i++)
        if (strcmp(l->support->functions[i]->name, name) == 0 && l->support->functions[i]->has_body)
            return l->support->functions[i];
    lower_fail(l, "'%s' needs a routine that is not there: %s", ptx_op_name(l->insn->op), name);
}

static unsigned words_of(const struct ptx_symbol *parameter) { return parameter->size > 4 ? parameter->size / 4 : 1; }

static unsigned count_words(struct ptx_symbol *const *list, size_t count) {
    unsigned words = 0;
    for (size_t i = 0; i < count; i++) words += words_of(list[i]);
    return words;
}

/* Registers for the words of a parameter or result. */
static struct cells *place_words(struct lower *l, struct frame *f, const struct ptx_symbol *parameter, ir_reg *words) {
    struct cells *c = new_cells(l, 4 * words_of(parameter));
    for (unsigned k = 0; k < words_of(parameter); k++) {
        words[k] = ir_new_reg(l->ir, IR_R);
        if (parameter->kind == PTX_REGISTER)
            f->slots[parameter->index].r[k] = words[k];
        else
            c->reg[4 * k] = words[k];
    }
    return c;
}

void lower_support(struct lower *l, const char *name, const struct ir_operand *arguments, unsigned count,
                   struct ir_operand *results, unsigned result_count) {
    const struct ptx_function *function = find_support(l, name);
    struct frame *f = CC_NEW(l->cc, struct frame);
    ir_reg words[16];
    unsigned at = 0;
    check_call(l, function, (uint32_t)function->parameter_count, (uint32_t)function->result_count);
    if (count_words(function->parameters, function->parameter_count) != count || count > 16 || result_count > 16 ||
        count_words(function->results, function->result_count) != result_count)
        lower_fail(l, "routine '%s' has other parameters than '%s' needs", name, ptx_op_name(l->insn->op));
    f->function = function;
    f->slots = CC_ARRAY(l->cc, struct slot, function->register_count);
    f->parameters = CC_ARRAY(l->cc, struct cells *, function->parameter_count);
    f->results = CC_ARRAY(l->cc, struct cells *, function->result_count);
    for (size_t i = 0; i < function->parameter_count; i++) {
        f->parameters[i] = place_words(l, f, function->parameters[i], words + at);
        at += words_of(function->parameters[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        struct ir_insn *move = build(l, IR_MOV);
        move->src[0] = arguments[i];
        move->dst = words[i];
    }
    at = 0;
    for (size_t i = 0; i < function->result_count; i++) {
        f->results[i] = place_words(l, f, function->results[i], words + at);
        at += words_of(function->results[i]);
    }
    const struct cc_place *outer = l->place;
    if (outer == NULL) l->place = &l->insn->place;
    enter(l, f);
    l->place = outer;
    for (unsigned i = 0; i < result_count; i++) results[i] = ir_use(words[i]);
}
