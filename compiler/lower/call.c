/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers calls to CAL of a routine, which calls/ may inline. A function has one routine for each combination of
 * memories that its parameters point to. */
#include <string.h>

#include "lower.h"
#include "origin.h"
#include "support.h"

enum { DEEPEST_CALL = 200 };

/* Returns the cells of a .param variable of the function or of a call, for ld.param and st.param. */
struct cells *lower_find_cells(struct lower *l, const struct ptx_symbol *s) {
    const struct frame *f = l->frame;
    struct cells *parameter = lower_parameter_cells(f, s);
    if (parameter != NULL) return parameter;
    for (size_t i = 0; i < f->function->result_count; i++)
        if (f->function->results[i] == s) return f->results != NULL ? f->results[i] : NULL;
    if (s->space == PTX_SPACE_PARAM && s->index < f->function->local_count && f->function->locals[s->index] == s)
        return f->cells[s->index];
    return NULL;
}

static uint32_t cells_size(const struct ptx_symbol *s) { return s->size > 4 ? s->size : 4; }

/* Returns the cells of an argument: a .param variable of the caller, or a value. */
static struct cells *argument_cells(struct lower *l, const struct ptx_operand *o, const struct ptx_symbol *parameter) {
    if (o->kind == PTX_OPERAND_SYMBOL && o->symbol->kind == PTX_PARAMETER) {
        struct cells *c = lower_find_cells(l, o->symbol);
        if (c == NULL) lower_fail(l, "'%s' is not a .param variable", o->symbol->name);
        if (c->size < parameter->size) lower_fail(l, "argument '%s' is too small", o->symbol->name);
        return c;
    }
    struct cells *c = lower_new_cells(l, cells_size(parameter), CELLS_LOCAL);
    const struct origin origin = origin_of_operand(l->frame, o);
    c->provenance = origin.from;
    c->parameters = origin.parameters;
    const struct value v = lower_operand(l, o, parameter->type);
    for (unsigned i = 0; i < (ptx_type_bytes(parameter->type) == 8 ? 2u : 1u); i++) {
        struct ir_insn *move = build(l, IR_MOV);
        move->src[0] = v.w[i];
        move->dst = lower_store_cell(l, c, 4 * i, 4);
    }
    return c;
}

/* Reports the chain of calls by which a function calls itself. */
static void fail_recursion(struct lower *l, const struct ptx_function *f) {
    char chain[200];
    size_t from = sizeof chain;
    chain[--from] = '\0';
    for (const struct frame *at = l->frame; at != NULL && at->function != f; at = at->caller) {
        const size_t length = strlen(at->function->name) + strlen(", which calls ''");
        char link[sizeof chain];
        if (length >= from) break;
        snprintf(link, sizeof link, ", which calls '%s'", at->function->name);
        from -= length;
        memcpy(chain + from, link, length);
    }
    lower_fail(l, "recursion is not supported: function '%s' calls %s%s", f->name,
               chain[from] == '\0' ? "itself" : chain + from + strlen(", which calls "),
               chain[from] == '\0' ? "" : ", which calls it");
}

static bool is_image_function(const char *name) {
    return strstr(name, "ocl_image") != NULL || strstr(name, "ocl_sampler") != NULL ||
           strcmp(name, "__translate_sampler_initializer") == 0;
}

static void check_call(struct lower *l, const struct ptx_function *f, uint32_t arguments, uint32_t results) {
    if (!f->has_body && is_image_function(f->name)) lower_fail(l, "images and samplers are not supported");
    if (!f->has_body)
        lower_fail(l, "function '%s' is called but not defined%s", f->name,
                   strncmp(f->name, "_Z", 2) == 0 ? "; OpenCL's functions come from libclc, of clang's version" : "");
    if (f->being_lowered) fail_recursion(l, f);
    if (f->parameter_count != arguments || f->result_count != results)
        lower_fail(l, "function '%s' has %u parameters and %u results, the call %u and %u", f->name,
                   (unsigned)f->parameter_count, (unsigned)f->result_count, (unsigned)arguments, (unsigned)results);
    if (l->depth >= DEEPEST_CALL) lower_fail(l, "calls nest too deep");
}

/* ---- instances ---- */

enum { STRONG = FROM_CONST | FROM_SHARED | FROM_LOCAL };

/* Returns the part of an argument's provenance that selects the instance: constant, shared or local memory, and,
 * with tags, whether it is unknown. */
static unsigned instance_key(const struct lower *l, const struct cells *c) {
    const bool is_unknown = l->tags && (c->provenance == 0 || (c->provenance & FROM_MEMORY) != 0);
    return (c->provenance & STRONG) | (is_unknown ? FROM_MEMORY : 0) |
           (l->tags && (c->provenance & STRONG) != 0 ? c->provenance : FROM_PARAMETER);
}

static struct instance *find_instance(const struct lower *l, const struct ptx_function *f,
                                      struct cells *const *arguments) {
    for (struct instance *i = f->instances; i != NULL; i = i->next) {
        bool same = true;
        for (size_t k = 0; k < f->parameter_count && arguments != NULL; k++)
            same &= i->from[k] == instance_key(l, arguments[k]);
        if (same) return i;
    }
    return NULL;
}

static void add_input(struct lower *l, struct instance *i, struct piece piece, ir_reg reg) {
    struct ir_routine *r = &i->routine;
    CC_PUSH(l->cc, i->inputs, i->input_count, i->input_capacity, piece);
    CC_PUSH(l->cc, r->inputs, r->input_count, r->input_capacity, reg);
}

static void add_output(struct lower *l, struct instance *i, struct piece piece, ir_reg reg) {
    struct ir_routine *r = &i->routine;
    struct ir_insn *keep = ir_append(l->ir, r->exit, IR_KEEP);
    keep->src[0] = ir_use(reg);
    CC_PUSH(l->cc, i->outputs, i->output_count, i->output_capacity, piece);
    CC_PUSH_POINTER(l->cc, r->outputs, r->output_count, r->output_capacity, keep);
}

static unsigned slot_words(const struct ptx_symbol *s) { return ptx_type_bytes(s->type) == 8 ? 2 : 1; }

/* Creates the registers of a parameter or result that is a register. */
static void create_slot(struct lower *l, struct frame *f, const struct ptx_symbol *s) {
    for (unsigned k = 0; k < slot_words(s); k++) f->slots[s->index].r[k] = ir_new_reg(l->ir, IR_R);
}

static struct frame *create_frame(struct lower *l, struct instance *i) {
    const struct ptx_function *function = i->function;
    struct frame *f = CC_NEW(l->cc, struct frame);
    f->function = function;
    f->slots = CC_ARRAY(l->cc, struct slot, function->register_count);
    f->parameters = CC_ARRAY(l->cc, struct cells *, function->parameter_count);
    f->results = CC_ARRAY(l->cc, struct cells *, function->result_count);
    for (size_t k = 0; k < function->parameter_count; k++) {
        const struct ptx_symbol *s = function->parameters[k];
        f->parameters[k] = lower_new_cells(l, cells_size(s), CELLS_INPUT);
        f->parameters[k]->provenance = i->from[k];
        f->parameters[k]->parameters = k < 64 && !s->is_array ? UINT64_C(1) << k : 0;
        if (s->kind == PTX_REGISTER) create_slot(l, f, s);
    }
    for (size_t k = 0; k < function->result_count; k++) {
        const struct ptx_symbol *s = function->results[k];
        f->results[k] = lower_new_cells(l, cells_size(s), CELLS_OUTPUT);
        if (s->kind == PTX_REGISTER) create_slot(l, f, s);
    }
    return f;
}

/* Lists the inputs and outputs: pieces of parameters that the body reads, and of results that it writes. */
static void list_inputs_and_outputs(struct lower *l, struct instance *i, const struct frame *f) {
    const struct ptx_function *function = i->function;
    for (uint32_t k = 0; k < function->parameter_count; k++) {
        const struct ptx_symbol *s = function->parameters[k];
        for (unsigned w = 0; s->kind == PTX_REGISTER && w < slot_words(s); w++)
            add_input(l, i, (struct piece){k, 4 * w, 4}, f->slots[s->index].r[w]);
        const struct cells *c = f->parameters[k];
        for (uint32_t byte = 0; byte < c->size; byte++)
            if (c->reg[byte] != 0) add_input(l, i, (struct piece){k, byte, c->bytes[byte]}, c->reg[byte]);
    }
    if (l->ir->reads_r0) add_input(l, i, (struct piece){THREAD_ID, 0, 4}, l->ir->r0);
    for (uint32_t k = 0; k < function->result_count; k++) {
        const struct ptx_symbol *s = function->results[k];
        for (unsigned w = 0; s->kind == PTX_REGISTER && w < slot_words(s); w++)
            add_output(l, i, (struct piece){k, 4 * w, 4}, f->slots[s->index].r[w]);
        const struct cells *c = f->results[k];
        for (uint32_t byte = 0; byte < c->size; byte++)
            if (c->reg[byte] != 0) add_output(l, i, (struct piece){k, byte, c->bytes[byte]}, c->reg[byte]);
        i->result_from[k] = f->results[k]->provenance;
        i->result_parameters[k] = f->results[k]->parameters;
    }
}

/* Lowers the body of a function as a routine. */
static void lower_routine(struct lower *l, struct instance *i, struct cells *const *arguments) {
    const struct lower caller = *l;
    struct ir *ir = CC_NEW(l->cc, struct ir);
    ir->cc = l->cc;
    ir->literals = caller.ir->literals;
    ir->place = caller.ir->place;
    l->ir = i->routine.ir = ir;
    ir->r0 = ir_new_reg(ir, IR_R);
    ir->regs[ir->r0].low = true;
    ir->entry = l->block = ir_new_block(ir);
    l->routine = &i->routine;
    struct frame *f = create_frame(l, i);
    f->caller = caller.frame;
    f->given = arguments;
    f->after = i->routine.exit = ir_new_block(ir);
    f->after->end = IR_RETURN;
    ((struct ptx_function *)i->function)->being_lowered = true;
    l->depth++;
    lower_function(l, f);
    l->depth--;
    ((struct ptx_function *)i->function)->being_lowered = false;
    list_inputs_and_outputs(l, i, f);
    l->ir = caller.ir;
    l->routine = caller.routine;
    l->block = caller.block;
    l->insn = caller.insn;
    l->guard = caller.guard;
    l->cond = caller.cond;
    l->first_new_reg = caller.first_new_reg;
}

/* Returns the instance of a function for these arguments, created if needed. `arguments` is NULL for a routine of
 * support.c. */
static struct instance *get_instance(struct lower *l, const struct ptx_function *function,
                                     struct cells *const *arguments) {
    struct instance *i = find_instance(l, function, arguments);
    if (i != NULL) return i;
    i = CC_NEW(l->cc, struct instance);
    i->function = function;
    i->from = CC_ARRAY(l->cc, unsigned, function->parameter_count);
    i->result_from = CC_ARRAY(l->cc, unsigned, function->result_count);
    i->result_parameters = CC_ARRAY(l->cc, uint64_t, function->result_count);
    for (size_t k = 0; k < function->parameter_count; k++)
        i->from[k] = arguments != NULL ? instance_key(l, arguments[k]) : FROM_PARAMETER;
    i->routine.name = function->name;
    i->routine.has_no_lines = l->place != NULL;
    lower_routine(l, i, arguments);
    i->next = function->instances;
    ((struct ptx_function *)function)->instances = i;
    CC_PUSH_POINTER(l->cc, l->routines, l->routine_count, l->routine_capacity, &i->routine);
    return i;
}

static struct ir_insn *append_call(struct lower *l, struct instance *i) {
    struct ir_insn *insn = build(l, IR_CAL);
    insn->call = CC_NEW(l->cc, struct ir_call);
    insn->call->routine = &i->routine;
    insn->call->arguments = CC_ARRAY(l->cc, ir_reg, i->input_count);
    insn->call->results = CC_ARRAY(l->cc, ir_reg, i->output_count);
    i->routine.sites++;
    return insn;
}

/* ---- call ---- */

static const struct ptx_operand *parse_call_operands(struct lower *l, const struct ptx_insn *insn,
                                                     const struct ptx_operand **results,
                                                     const struct ptx_operand **arguments) {
    unsigned at = 0;
    *results = *arguments = NULL;
    if (insn->operand[0].kind == PTX_OPERAND_VECTOR) *results = &insn->operand[at++];
    const struct ptx_operand *callee = &insn->operand[at++];
    if (at < insn->operand_count && insn->operand[at].kind == PTX_OPERAND_VECTOR) *arguments = &insn->operand[at];
    if (callee->kind != PTX_OPERAND_SYMBOL || callee->symbol->kind != PTX_FUNCTION)
        lower_fail(l, "calls through pointers are not supported");
    return callee;
}

static ir_reg thread_id(struct lower *l) {
    l->ir->reads_r0 = true;
    return l->ir->r0;
}

/* Returns a register with a piece of the arguments; zero if the caller has not written it. */
static ir_reg load_argument(struct lower *l, struct cells *const *arguments, struct piece p) {
    if (p.symbol == THREAD_ID) return thread_id(l);
    struct ir_operand value = ir_imm(0);
    if (lower_cell_is_written(arguments[p.symbol], p.byte, p.bytes))
        value = lower_load_cell(l, arguments[p.symbol], p.byte, p.bytes);
    return build_register(l, value).reg;
}

/* Propagates the facts of the callee: its parameters that are buffers make the arguments buffers, and its
 * results have the provenance of the arguments that they derive from. */
static void propagate_origins(struct lower *l, const struct instance *i, struct cells *const *arguments,
                              struct cells *const *results) {
    const struct ptx_function *function = i->function;
    bool news = false;
    for (size_t k = 0; k < function->parameter_count; k++) {
        const struct ptx_symbol *s = function->parameters[k];
        if (s->is_buffer) lower_mark_buffers(l->frame, arguments[k]->parameters, s->points_to);
    }
    for (size_t k = 0; k < function->result_count; k++) {
        struct cells *c = results[k];
        uint64_t parameters = 0;
        for (size_t p = 0; p < function->parameter_count && p < 64; p++)
            if ((i->result_parameters[k] >> p & 1) != 0) parameters |= arguments[p]->parameters;
        l->frame->origins_changed |= (i->result_from[k] & ~c->provenance) != 0 || (parameters & ~c->parameters) != 0;
        news |= (i->result_from[k] & ~c->provenance & STRONG) != 0;
        c->provenance |= i->result_from[k];
        c->parameters |= parameters;
    }
    if (news) lower_find_spaces(l, l->frame);
}

static void set_result(struct lower *l, const struct ptx_operand *o, const struct ptx_symbol *result, struct cells *c) {
    struct value v = {
        {ir_imm(0), ir_imm(0)}
    };
    if (o->kind != PTX_OPERAND_REGISTER) return;
    const uint32_t bytes = ptx_type_bytes(result->type) < 4 ? ptx_type_bytes(result->type) : 4;
    for (unsigned k = 0; k < slot_words(result); k++) v.w[k] = lower_load_cell(l, c, 4 * k, bytes);
    l->guard = 0;
    lower_set(l, o, v, result->type);
}

static struct cells *result_cells(struct lower *l, const struct ptx_operand *o, const struct ptx_symbol *result) {
    const bool is_variable = o->kind == PTX_OPERAND_SYMBOL && o->symbol->kind == PTX_PARAMETER;
    struct cells *c =
        is_variable ? lower_find_cells(l, o->symbol) : lower_new_cells(l, cells_size(result), CELLS_LOCAL);
    if (c == NULL || c->size < result->size) lower_fail(l, "the variable for a result is too small");
    return c;
}

static void build_call(struct lower *l, const struct ptx_function *function, const struct ptx_operand *results,
                       const struct ptx_operand *arguments) {
    struct cells **in = CC_ARRAY(l->cc, struct cells *, function->parameter_count);
    struct cells **out = CC_ARRAY(l->cc, struct cells *, function->result_count);
    for (size_t k = 0; k < function->parameter_count; k++)
        in[k] = argument_cells(l, &arguments->elements[k], function->parameters[k]);
    for (size_t k = 0; results != NULL && k < function->result_count; k++)
        out[k] = result_cells(l, &results->elements[k], function->results[k]);
    struct instance *i = get_instance(l, function, in);
    ir_reg *given = CC_ARRAY(l->cc, ir_reg, i->input_count);
    for (size_t k = 0; k < i->input_count; k++) given[k] = load_argument(l, in, i->inputs[k]);
    ir_reg *taken = CC_ARRAY(l->cc, ir_reg, i->output_count);
    for (size_t k = 0; k < i->output_count; k++)
        taken[k] = lower_store_cell(l, out[i->outputs[k].symbol], i->outputs[k].byte, i->outputs[k].bytes);
    struct ir_insn *insn = append_call(l, i);
    insn->call->arguments = given;
    insn->call->results = taken;
    propagate_origins(l, i, in, out);
    for (size_t k = 0; results != NULL && k < function->result_count; k++)
        set_result(l, &results->elements[k], function->results[k], out[k]);
}

/* Returns the memory that OpenCL's to_global, to_local or to_private casts to, by clang's names. The result is the
 * address, or 0 if it belongs to another memory. */
static enum ptx_space cast_target(const struct ptx_function *f) {
    if (f->has_body || f->parameter_count != 1 || f->result_count != 1) return PTX_NO_SPACE;
    if (strcmp(f->name, "__to_global") == 0) return PTX_SPACE_GLOBAL;
    if (strcmp(f->name, "__to_local") == 0) return PTX_SPACE_SHARED;
    return strcmp(f->name, "__to_private") == 0 ? PTX_SPACE_LOCAL : PTX_NO_SPACE;
}

static bool lower_cast(struct lower *l, const struct ptx_function *f, const struct ptx_operand *results,
                       const struct ptx_operand *arguments) {
    const enum ptx_space to = cast_target(f);
    if (to == PTX_NO_SPACE || results == NULL || arguments == NULL) return false;
    struct cells *in = argument_cells(l, &arguments->elements[0], f->parameters[0]);
    struct cells *out = result_cells(l, &results->elements[0], f->results[0]);
    const enum ptx_space space = lower_space_from(l, in->provenance, f->name, PTX_NO_SPACE);
    struct ir_operand address = build_register(l, lower_load_cell(l, in, 0, 4));
    const struct ir_operand mask = lower_is_in_space(l, address, space, to);
    if (l->tags && to == PTX_SPACE_SHARED) /* private memory is accessed by generic addresses */
        address = build_logic(l, IR_AND, address, ir_imm((UINT32_C(1) << TAG_SHIFT) - 1));
    address = build_logic(l, IR_AND, address, mask);
    struct ir_insn *move = build(l, IR_MOV);
    move->src[0] = address;
    move->dst = lower_store_cell(l, out, 0, 4);
    const unsigned news = origin_of_space(to) & ~out->provenance;
    out->provenance |= news;
    if (news != 0) lower_find_spaces(l, l->frame);
    set_result(l, &results->elements[0], f->results[0], out);
    return true;
}

void lower_call(struct lower *l, const struct ptx_insn *insn) {
    const struct ptx_operand *results, *arguments;
    const struct ptx_function *function = parse_call_operands(l, insn, &results, &arguments)->symbol->function;
    const bool is_print = lower_is_print(function);
    if (lower_cast(l, function, results, arguments)) return;
    if (!is_print)
        check_call(l, function, arguments != NULL ? arguments->count : 0, results != NULL ? results->count : 0);
    struct ir_block *skipped = NULL;
    if (insn->guard != NULL) {
        struct ir_block *body = ir_new_block(l->ir);
        skipped = ir_new_block(l->ir);
        build_branch(l, l->guard, l->cond, body, skipped);
        l->block = body;
        l->guard = 0;
    }
    if (is_print)
        lower_print(l, function, results, arguments);
    else
        build_call(l, function, results, arguments);
    if (skipped == NULL) return;
    build_jump(l, skipped);
    l->block = skipped;
}

/* ---- routines ---- */

static void read_support_routines(struct lower *l) {
    size_t size = 0;
    for (const char *const *line = lower_routines; *line != NULL; line++) size += strlen(*line);
    char *text = cc_alloc(l->cc, size + 1), *at = text;
    for (const char *const *line = lower_routines; *line != NULL; line++) {
        const size_t length = strlen(*line);
        memcpy(at, *line, length);
        at += length;
    }
    ptx_read(l->cc, text, size, l->support);
    if (l->cc->options->support != NULL)
        ptx_read(l->cc, l->cc->options->support, l->cc->options->support_size, l->support);
}

static const struct ptx_function *find_support_routine(struct lower *l, const char *name) {
    if (l->support->function_count == 0) read_support_routines(l);
    for (size_t i = 0; i < l->support->function_count; i++)
        if (strcmp(l->support->functions[i]->name, name) == 0 && l->support->functions[i]->has_body)
            return l->support->functions[i];
    lower_fail(l, "'%s' needs the missing routine '%s'", ptx_op_name(l->insn->op), name);
}

static unsigned parameter_words(const struct ptx_symbol *parameter) {
    return parameter->size > 4 ? parameter->size / 4 : 1;
}

static unsigned count_words(struct ptx_symbol *const *list, size_t count) {
    unsigned words = 0;
    for (size_t i = 0; i < count; i++) words += parameter_words(list[i]);
    return words;
}

static unsigned word_index(struct ptx_symbol *const *list, struct piece p) {
    return count_words(list, p.symbol) + p.byte / 4;
}

void lower_support_call(struct lower *l, const char *name, const struct ir_operand *arguments, unsigned count,
                        struct ir_operand *results, unsigned result_count) {
    const struct ptx_function *function = find_support_routine(l, name);
    check_call(l, function, (uint32_t)function->parameter_count, (uint32_t)function->result_count);
    if (count_words(function->parameters, function->parameter_count) != count ||
        count_words(function->results, function->result_count) != result_count)
        lower_fail(l, "routine '%s' does not take the arguments of '%s'", name, ptx_op_name(l->insn->op));
    const struct cc_place *outer = l->place;
    if (outer == NULL) l->place = &l->insn->place;
    struct instance *i = get_instance(l, function, NULL);
    l->place = outer;
    l->ir->place = outer != NULL ? outer : &l->insn->place;
    ir_reg *given = CC_ARRAY(l->cc, ir_reg, i->input_count);
    for (size_t k = 0; k < i->input_count; k++) {
        struct ir_insn *move = build(l, IR_MOV);
        const struct piece p = i->inputs[k];
        move->src[0] = p.symbol == THREAD_ID ? ir_use(thread_id(l)) : arguments[word_index(function->parameters, p)];
        move->dst = given[k] = ir_new_reg(l->ir, IR_R);
    }
    struct ir_insn *insn = append_call(l, i);
    insn->call->arguments = given;
    for (unsigned k = 0; k < result_count; k++) results[k] = ir_imm(0);
    for (size_t k = 0; k < i->output_count; k++) {
        insn->call->results[k] = ir_new_reg(l->ir, IR_R);
        results[word_index(function->results, i->outputs[k])] = ir_use(insn->call->results[k]);
    }
}
