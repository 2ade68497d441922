/* SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"

static struct node *value_node(struct draw *d, enum kind kind, struct type type, unsigned op, int64_t value) {
    return program_node(d->p, kind, type, op, value);
}

static struct node *integer(struct draw *d, unsigned depth) { return draw_value(d, draw_integer_type(d), depth); }

/* ---- leaves ---- */

static struct node *constant(struct draw *d, struct type type) {
    static const int64_t CORNERS[] = {0,          1,           -1,        2,        3,          7,
                                      10,         100,         127,       128,      255,        256,
                                      0x7fff,     0x8000,      0xffff,    0x10000,  0x7fffffff, -0x80000000LL,
                                      0xffffffff, 0x100000000, INT64_MAX, INT64_MIN};
    const int64_t any = (int64_t)rng_next(&d->rng);
    int64_t value = CORNERS[draw_below(d, sizeof CORNERS / sizeof *CORNERS)];
    if (draw_percent(d, 30)) value = any >> draw_below(d, 64);
    if (draw_percent(d, 30)) value = any & 15;
    if (base_is_float(type.base)) value = any % 256;
    return value_node(d, E_CONST, type, 0, value);
}

static struct node *splat(struct draw *d, struct type type) {
    struct node *n = value_node(d, E_VECTOR, type, 0, 0);
    for (unsigned i = 0; i < type.lanes; i++) program_add(n, constant(d, type_of(type.base)));
    return n;
}

static struct node *variable_node(struct draw *d, unsigned v) {
    return value_node(d, E_VARIABLE, draw_function(d)->variable[v].type, 0, v);
}

/* A variable of the type, or a part or conversion of another one; NULL: none. */
static struct node *variable_of(struct draw *d, struct type type) {
    const struct function *f = draw_function(d);
    unsigned found = VARIABLES, count = 0;
    for (unsigned i = 0; i < f->variables; i++) {
        const struct variable *v = &f->variable[i];
        if (v->shape != SCALAR || v->type.lanes != type.lanes) continue;
        if (type.lanes > 1 && base_is_float(v->type.base) != base_is_float(type.base)) continue;
        if (draw_below(d, ++count) == 0) found = i;
    }
    return found < VARIABLES ? variable_node(d, found) : NULL;
}

static struct node *cast(struct draw *d, struct node *n, struct type type) {
    if (n->type.base == type.base) return n;
    struct node *c = value_node(d, E_CAST, type, 0, 0);
    program_add(c, n);
    return c;
}

static struct node *leaf(struct draw *d, struct type type) {
    struct node *n = draw_percent(d, 70) ? variable_of(d, type) : NULL;
    if (n == NULL && type.lanes > 1) return splat(d, type);
    if (n == NULL && draw_percent(d, 30)) n = value_node(d, E_ID, type_of(U32), draw_below(d, 4), 0);
    return n != NULL ? cast(d, n, type) : constant(d, type);
}

/* ---- memory ---- */

static struct node *with_child(struct node *n, struct node *child) {
    program_add(n, child);
    return n;
}

static struct node *index_value(struct draw *d, unsigned depth) { return integer(d, depth > 2 ? 2 : depth); }

static bool is_array(const struct variable *v) { return v->shape == ARRAY || v->shape == POINTER; }

static bool is_structure(const struct variable *v) { return v->shape == STRUCTURE || v->shape == STRUCTURE_POINTER; }

static struct node *element(struct draw *d, unsigned v, unsigned depth) {
    struct node *n = value_node(d, E_ELEMENT, draw_function(d)->variable[v].type, 0, v);
    return with_child(n, index_value(d, depth));
}

static struct node *field(struct draw *d, unsigned v, unsigned depth) {
    const struct structure *s = &d->p->structure[draw_function(d)->variable[v].structure];
    const unsigned f = draw_below(d, s->fields);
    struct node *n = value_node(d, E_FIELD, s->type[f], f, v);
    return with_child(with_child(n, index_value(d, depth)), index_value(d, depth));
}

static struct node *from_memory(struct draw *d, struct type type, unsigned depth) {
    const unsigned array = draw_variable(d, is_array), structure = draw_variable(d, is_structure);
    switch (draw_below(d, 6)) {
    case 0:
    case 1:
        if (array < VARIABLES) return element(d, array, depth);
        break;
    case 2:
        if (structure < VARIABLES) return field(d, structure, depth);
        break;
    case 3:
        if (draw_has(d, WITH_TABLES)) {
            const unsigned t = draw_below(d, TABLES);
            return with_child(value_node(d, E_TABLE, d->p->table[t], 0, t), index_value(d, depth));
        }
        break;
    case 4:
        if (d->may_share)
            return with_child(value_node(d, E_SHARED, type_of(d->p->shared), 0, 0), index_value(d, depth));
        if (d->number == KERNEL)
            return with_child(value_node(d, E_OUTPUT, type_of(d->p->output), 0, 0), index_value(d, depth));
        break;
    default: break;
    }
    if (base_is_float(type.base)) type = draw_integer_type(d);
    return with_child(value_node(d, E_INPUT, type, 0, 0), index_value(d, depth));
}

/* ---- calls ---- */

static struct node *argument(struct draw *d, const struct variable *parameter, unsigned depth) {
    const struct function *f = draw_function(d);
    unsigned found = VARIABLES, count = 0;
    if (parameter->shape == SCALAR) return draw_value(d, parameter->type, depth);
    for (unsigned i = 0; i < f->variables; i++) {
        const struct variable *v = &f->variable[i];
        const bool fits = parameter->shape == ARRAY ? v->shape == ARRAY && v->type.base == parameter->type.base &&
                                                          v->length >= parameter->length
                                                    : is_structure(v) && v->structure == parameter->structure;
        if (fits && draw_below(d, ++count) == 0) found = i;
    }
    return found < VARIABLES ? value_node(d, E_ARRAY, parameter->type, 0, found) : NULL;
}

/* NULL: no function can be called. */
static struct node *call(struct draw *d, unsigned depth) {
    const unsigned to = draw_below(d, FUNCTIONS);
    const struct function *f = &d->p->function[to];
    if (to >= d->number || to == KERNEL || f->body == NULL) return NULL;
    if (d->spent + d->weight * f->cost > SPENT_MOST / (d->number == KERNEL ? 1 : 5)) return NULL;
    struct node *n = value_node(d, E_CALL, f->type, 0, to);
    for (unsigned i = 0; i < f->parameters; i++) {
        struct node *a = argument(d, &f->variable[i], depth > 2 ? 2 : depth);
        if (a == NULL) return NULL;
        program_add(n, a);
    }
    d->spent += d->weight * f->cost;
    return n;
}

/* ---- operations ---- */

static unsigned binary_op(struct draw *d) {
    static const unsigned char OPS[] = {ADD, ADD, SUB, MUL, AND, OR, XOR, SHL, SHR, SHR, HALF_ADD, HALF_SUB, HALF_MUL};
    if (draw_has(d, WITH_DIVISIONS) && draw_percent(d, 15)) return draw_percent(d, 50) ? DIV : REM;
    return OPS[draw_below(d, sizeof OPS)];
}

static struct node *binary(struct draw *d, struct type type, unsigned depth) {
    const unsigned op = base_is_float(type.base) ? draw_below(d, 3) : binary_op(d);
    struct node *n = value_node(d, E_BINARY, type, op, 0);
    const bool is_amount = (op == SHL || op == SHR || op == DIV || op == REM) && type.lanes == 1;
    if (type.base == F64 && draw_percent(d, 25)) n->op = DIV;
    program_add(n, draw_value(d, type, depth - 1));
    return with_child(n, is_amount && draw_percent(d, 50) ? constant(d, type) : draw_value(d, type, depth - 1));
}

static struct node *unary(struct draw *d, struct type type, unsigned depth) {
    static const unsigned char FLOATS[] = {NEGATE, ABSOLUTE};
    const unsigned op = base_is_float(type.base) ? FLOATS[draw_below(d, 2)] : draw_below(d, 3);
    return with_child(value_node(d, E_UNARY, type, op, 0), draw_value(d, type, depth - 1));
}

static struct node *relation(struct draw *d, unsigned depth) {
    const struct type by = draw_has(d, WITH_FLOATS) && draw_percent(d, 20) ? type_of(F32) : draw_integer_type(d);
    struct node *n = value_node(d, E_COMPARE, type_of(I32), draw_below(d, COMPARES), 0);
    return with_child(with_child(n, draw_value(d, by, depth - 1)), draw_value(d, by, depth - 1));
}

static struct node *vector_relation(struct draw *d, struct type type, unsigned depth) {
    const struct type by = {draw_percent(d, 50) ? base_unsigned(type.base) : type.base, type.lanes};
    struct node *n = value_node(d, E_COMPARE, type, draw_below(d, COMPARES), 0);
    return with_child(with_child(n, draw_value(d, by, depth - 1)), draw_value(d, by, depth - 1));
}

static struct node *choice(struct draw *d, struct type type, unsigned depth) {
    struct node *n = value_node(d, E_CHOICE, type, 0, 0);
    const struct type by = {base_signed(type.base), type.lanes};
    program_add(n, type.lanes > 1 ? vector_relation(d, by, depth) : relation(d, depth));
    program_add(n, draw_value(d, type, depth - 1));
    return with_child(n, draw_value(d, type, depth - 1));
}

static struct node *logic(struct draw *d, unsigned depth) {
    struct node *n = value_node(d, E_LOGIC, type_of(I32), draw_below(d, 2), 0);
    return with_child(with_child(n, relation(d, depth)), integer(d, depth - 1));
}

static struct node *builtin(struct draw *d, struct type type, unsigned depth) {
    unsigned op = draw_below(d, BUILTINS);
    if (base_bits(type.base) == 64 && op >= MUL_HI) op = draw_below(d, MUL_HI);
    if (base_is_float(type.base)) op = draw_below(d, 2);
    struct node *n = value_node(d, E_BUILTIN, type, op, 0);
    program_add(n, draw_value(d, type, depth - 1));
    if (op != ABS && op != CLZ && op != POPCOUNT) program_add(n, draw_value(d, type, depth - 1));
    return n;
}

static struct type vector_type(struct draw *d, struct type scalar) {
    const unsigned lanes = 2u << draw_below(d, 2);
    return (struct type){scalar.base, lanes};
}

static struct node *lane(struct draw *d, unsigned depth) {
    const struct type vector = vector_type(d, draw_integer_type(d));
    struct node *n = value_node(d, E_LANE, type_of(vector.base), 0, draw_below(d, 8));
    return with_child(n, draw_value(d, vector, depth - 1));
}

static struct node *vector_value(struct draw *d, struct type type, unsigned depth) {
    struct node *n;
    switch (draw_below(d, 10)) {
    case 0:
        n = value_node(d, E_VECTOR, type, 0, 0);
        for (unsigned i = 0; i < type.lanes; i++) program_add(n, draw_value(d, type_of(type.base), depth - 1));
        return n;
    case 1:
        n = value_node(d, E_SWIZZLE, type, 0, (int64_t)(rng_next(&d->rng) >> 32));
        return with_child(n, draw_value(d, (struct type){type.base, 2u << draw_below(d, 3)}, depth - 1));
    case 2: return with_child(value_node(d, E_INPUT, type, 0, 0), index_value(d, depth - 1));
    case 3: return choice(d, type, depth);
    case 4:
        if (type.base == base_signed(type.base)) return vector_relation(d, type, depth);
        return unary(d, type, depth);
    case 5:
        return with_child(value_node(d, E_CAST, type, 0, 0),
                          draw_value(d, (struct type){draw_integer_type(d).base, type.lanes}, depth - 1));
    default: return binary(d, type, depth);
    }
}

static struct node *float_value(struct draw *d, struct type type, unsigned depth) {
    switch (draw_below(d, 10)) {
    case 0: return cast(d, integer(d, depth - 1), type);
    case 1: return unary(d, type, depth);
    case 2: return choice(d, type, depth);
    case 3: return draw_has(d, WITH_BUILTINS) && type.base == F32 ? builtin(d, type, depth) : unary(d, type, depth);
    case 4: return cast(d, from_memory(d, type, depth - 1), type);
    default: return binary(d, type, depth);
    }
}

static struct node *integer_value(struct draw *d, struct type type, unsigned depth) {
    struct node *n = NULL;
    switch (draw_below(d, 24)) {
    case 0:
    case 1: n = unary(d, type, depth); break;
    case 2: n = relation(d, depth); break;
    case 3: n = logic(d, depth); break;
    case 4:
    case 5: n = choice(d, type, depth); break;
    case 6:
    case 7: n = integer(d, depth - 1); break;
    case 8:
    case 9:
    case 10:
    case 11: n = from_memory(d, type, depth - 1); break;
    case 12:
    case 13: n = draw_has(d, WITH_CALLS) ? call(d, depth - 1) : NULL; break;
    case 14: n = draw_has(d, WITH_VECTORS) ? lane(d, depth) : NULL; break;
    case 15:
    case 16: n = draw_has(d, WITH_BUILTINS) ? builtin(d, type, depth) : NULL; break;
    case 17: n = draw_has(d, WITH_FLOATS) ? draw_value(d, type_of(F32), depth - 1) : NULL; break;
    case 18: n = draw_has(d, WITH_DOUBLES) ? draw_value(d, type_of(F64), depth - 1) : NULL; break;
    default: break;
    }
    if (n != NULL && n->type.lanes > 1) n = with_child(value_node(d, E_LANE, type_of(n->type.base), 0, 0), n);
    return n != NULL ? cast(d, n, type) : binary(d, type, depth);
}

struct node *draw_value(struct draw *d, struct type type, unsigned depth) {
    if (depth == 0 || draw_percent(d, 15)) return leaf(d, type);
    if (type.lanes > 1) return vector_value(d, type, depth);
    if (base_is_float(type.base)) return float_value(d, type, depth);
    return integer_value(d, type, depth);
}

/* targets of assignments */

static bool may_change(const struct variable *v) { return v->shape == SCALAR && !v->counter; }

static bool is_own_array(const struct variable *v) { return is_array(v) && !v->input; }

struct node *draw_target(struct draw *d) {
    const unsigned scalar = draw_variable(d, may_change), array = draw_variable(d, is_own_array),
                   structure = draw_variable(d, is_structure);
    switch (draw_below(d, 6)) {
    case 0:
        if (array < VARIABLES) return element(d, array, 2);
        break;
    case 1:
        if (structure < VARIABLES) return field(d, structure, 2);
        break;
    case 2:
        if (d->number == KERNEL)
            return with_child(value_node(d, E_OUTPUT, type_of(d->p->output), 0, 0), index_value(d, 2));
        break;
    default: break;
    }
    return scalar < VARIABLES ? variable_node(d, scalar) : NULL;
}
