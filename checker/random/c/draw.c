/* SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"

struct type draw_integer_type(struct draw *d) {
    static const enum base WORDS[] = {I32, U32};
    const unsigned way = draw_below(d, 10);
    if (way < 3 && draw_has(d, WITH_NARROW)) return type_of((enum base)draw_below(d, 4));
    if (way < 5 && draw_has(d, WITH_WIDE)) return type_of(draw_percent(d, 50) ? I64 : U64);
    return type_of(WORDS[draw_below(d, 2)]);
}

struct type draw_type(struct draw *d) {
    struct type type = draw_integer_type(d);
    if (draw_has(d, WITH_FLOATS) && draw_percent(d, 20)) return type_of(F32);
    if (draw_has(d, WITH_DOUBLES) && draw_percent(d, 20)) return type_of(F64);
    if (draw_has(d, WITH_VECTORS) && draw_percent(d, 20)) type.lanes = 2u << draw_below(d, 2);
    return type;
}

unsigned draw_variable(struct draw *d, draw_test *test) {
    const struct function *f = draw_function(d);
    unsigned found = VARIABLES, count = 0;
    for (unsigned i = 0; i < f->variables; i++)
        if (test(&f->variable[i]) && draw_below(d, ++count) == 0) found = i;
    return found;
}

/* ---- variables ---- */

static struct variable *add_variable(struct draw *d, enum shape shape) {
    struct function *f = draw_function(d);
    struct variable *v = &f->variable[f->variables++];
    *v = (struct variable){.shape = shape, .type = draw_integer_type(d), .length = 1};
    v->seed = (int64_t)(rng_next(&d->rng) >> 1);
    v->structure = d->p->structures > 0 ? draw_below(d, d->p->structures) : 0;
    return v;
}

static void add_scalars(struct draw *d, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const struct type type = draw_type(d);
        struct node *first = draw_value(d, type, draw_percent(d, 30) ? 2 : 1); /* of earlier ones */
        struct variable *v = add_variable(d, SCALAR);
        v->type = type;
        v->first = first;
    }
}

static void add_arrays(struct draw *d) {
    for (unsigned i = 0; i < 2 && draw_has(d, WITH_ARRAYS); i++)
        add_variable(d, ARRAY)->length = 4u << draw_below(d, 3);
    for (unsigned i = 0; i < 2 && draw_has(d, WITH_STRUCTURES); i++)
        add_variable(d, STRUCTURE)->length = draw_percent(d, 70) ? 1 : 4;
}

static bool is_array(const struct variable *v) { return v->shape == ARRAY; }

static void add_pointers(struct draw *d) {
    const struct function *f = draw_function(d);
    if (!draw_has(d, WITH_POINTERS)) return;
    const unsigned array = draw_variable(d, is_array);
    if (array < VARIABLES) {
        struct variable *v = add_variable(d, POINTER);
        v->target = array;
        v->type = f->variable[array].type;
        v->length = f->variable[array].length / 2;
    }
    struct variable *v = add_variable(d, POINTER);
    v->input = true;
    v->length = 64;
}

/* Arrays have a type of the kernel's arrays, so that it can call the function. */
static void add_parameters(struct draw *d) {
    struct function *f = draw_function(d);
    const unsigned count = 1 + draw_below(d, 4);
    for (unsigned i = 0; i < count; i++) {
        const unsigned way = draw_below(d, 8);
        if (way == 0 && draw_has(d, WITH_ARRAYS))
            add_variable(d, ARRAY)->length = 4;
        else if (way == 1 && draw_has(d, WITH_STRUCTURES))
            add_variable(d, STRUCTURE);
        else if (way == 2 && draw_has(d, WITH_STRUCTURES))
            add_variable(d, STRUCTURE_POINTER);
        else
            add_variable(d, SCALAR)->type = draw_type(d);
        f->variable[i].parameter = true;
    }
    f->parameters = count;
}

/* ---- functions ---- */

static void open_function(struct draw *d, unsigned number) {
    d->number = number;
    d->weight = 1;
    d->spent = 0;
    d->labels = 0;
    d->open = 0;
    d->may_return = false;
}

static void draw_function_body(struct draw *d, unsigned number) {
    struct function *f = &d->p->function[number];
    open_function(d, number);
    add_parameters(d);
    f->type = draw_type(d);
    f->apart = draw_percent(d, 30);
    add_arrays(d);
    add_scalars(d, 2);
    add_pointers(d);
    d->may_return = true;
    struct node *end = program_node(d->p, S_RETURN, f->type, 0, 0), *body = draw_block(d, 4, 2);
    program_add(end, draw_value(d, f->type, 3));
    struct node *all = program_node(d->p, S_BLOCK, f->type, 0, 0);
    program_add(all, body);
    program_add(all, end);
    f->body = all;
    f->cost = d->spent + 3;
}

/* Adds a variable to the work item's results: a word of them ^= value. */
static struct node *draw_result(struct draw *d, unsigned v) {
    const struct variable *variable = &draw_function(d)->variable[v];
    const struct type type = variable->type, word = type_of(base_bits(type.base) == 64 ? U64 : U32),
                      out = type_of(d->p->output);
    struct node *value = program_node(d->p, E_VARIABLE, type, 0, v);
    if (variable->shape != SCALAR) {
        value = program_node(d->p, E_ELEMENT, type, 0, v);
        program_add(value, program_node(d->p, E_CONST, type_of(I32), 0, draw_below(d, variable->length)));
    }
    if (type.lanes > 1) {
        struct node *lane = program_node(d->p, E_LANE, type_of(type.base), 0, draw_below(d, type.lanes));
        program_add(lane, value);
        value = lane;
    }
    struct node *bits = program_node(d->p, E_BITS, word, 0, 0);
    struct node *place = program_node(d->p, E_OUTPUT, out, 0, 0), *n = program_node(d->p, S_ASSIGN, out, 1 + XOR, 0);
    program_add(bits, value);
    program_add(place, program_node(d->p, E_CONST, type_of(I32), 0, draw_below(d, 16)));
    program_add(n, place);
    program_add(n, bits);
    return n;
}

static struct node *draw_results(struct draw *d) {
    const struct function *f = draw_function(d);
    struct node *all = program_node(d->p, S_BLOCK, type_of(I32), 0, 0), *part = NULL;
    for (unsigned v = 0; v < f->variables; v++) {
        const enum shape shape = f->variable[v].shape;
        if (shape == STRUCTURE || shape == STRUCTURE_POINTER) continue;
        if (part == NULL || part->count == CHILDREN) {
            part = program_node(d->p, S_BLOCK, type_of(I32), 0, 0);
            program_add(all, part);
        }
        program_add(part, draw_result(d, v));
    }
    return all;
}

static void draw_kernel(struct draw *d) {
    struct function *f = &d->p->function[KERNEL];
    open_function(d, KERNEL);
    add_arrays(d);
    add_scalars(d, 6);
    add_pointers(d);
    f->body = program_node(d->p, S_BLOCK, type_of(I32), 0, 0);
    program_add(f->body, draw_uniform_block(d));
    d->may_return = true;
    program_add(f->body, draw_block(d, 2, 2));
    d->may_return = false;
    program_add(f->body, draw_results(d));
}

/* ---- the program ---- */

static void draw_structures(struct draw *d) {
    struct program *p = d->p;
    p->structures = draw_has(d, WITH_STRUCTURES) ? 1 + draw_below(d, STRUCTURES) : 0;
    for (unsigned s = 0; s < p->structures; s++) {
        p->structure[s].fields = 1 + draw_below(d, FIELDS);
        for (unsigned f = 0; f < p->structure[s].fields; f++) {
            p->structure[s].type[f] = draw_integer_type(d);
            p->structure[s].length[f] = draw_percent(d, 75) ? 1 : 4;
        }
    }
}

/* Each cell of the atomic operations has one operation, so that their order has no effect. */
static void draw_cells(struct draw *d) {
    for (unsigned i = 0; i < ATOMICS; i++) {
        d->p->atomic_op[i] = draw_below(d, 9);
        d->p->atomic[i] = d->p->atomic_op[i] >= 5 && d->p->atomic_op[i] < 7 && draw_percent(d, 50) ? I32 : U32;
    }
}

static void draw_launch(struct draw *d) {
    static const unsigned THREADS[] = {1, 3, 16, 31, 32, 33, 40, 64};
    d->p->threads = THREADS[draw_below(d, sizeof THREADS / sizeof *THREADS)];
    d->p->blocks = 1 + draw_below(d, 3);
    d->p->level = draw_percent(d, 70) ? 2 : draw_below(d, 2);
    d->p->registers = draw_percent(d, 15) ? 8 + draw_below(d, 12) : 0;
}

void program_draw(struct program *p, uint64_t seed) {
    struct draw d = {.p = p, .rng = {seed * 0x2545f4914f6cdd1du}};
    *p = (struct program){.seed = seed};
    for (unsigned f = 0; f < FEATURES; f++)
        if (draw_percent(&d, f == WITH_DOUBLES ? 6 : 60)) d.features |= 1u << f;
    draw_launch(&d);
    draw_structures(&d);
    draw_cells(&d);
    p->shared = draw_integer_type(&d).base;
    p->output = draw_percent(&d, 50) ? U32 : draw_integer_type(&d).base;
    for (unsigned t = 0; t < TABLES; t++) {
        p->table[t] = draw_integer_type(&d);
        p->table_seed[t] = (int64_t)(rng_next(&d.rng) >> 1);
    }
    const unsigned functions = draw_has(&d, WITH_CALLS) ? 1 + draw_below(&d, FUNCTIONS - 1) : 0;
    for (unsigned f = 0; f < functions; f++) draw_function_body(&d, f);
    draw_kernel(&d);
}
