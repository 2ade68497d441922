/* SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"

enum { DEPTH = 3 /* of values */ };

static const struct type NO_TYPE = {I32, 1};

static struct node *statement_node(struct draw *d, enum kind kind, unsigned op, int64_t value) {
    return program_node(d->p, kind, NO_TYPE, op, value);
}

static struct node *nothing(struct draw *d) { return statement_node(d, S_NOTHING, 0, 0); }

static struct node *condition(struct draw *d) { return draw_value(d, type_of(I32), DEPTH); }

/* without nested statements */

static struct node *assignment(struct draw *d) {
    struct node *to = draw_target(d);
    if (to == NULL) return nothing(d);
    const bool may_step = to->type.lanes == 1 && !base_is_float(to->type.base);
    if (may_step && draw_percent(d, 10)) {
        struct node *step = statement_node(d, S_STEP, draw_below(d, 2), 0);
        program_add(step, to);
        return step;
    }
    struct node *n = statement_node(d, S_ASSIGN, draw_percent(d, 30) ? 1 + draw_below(d, DIV) : 0, 0);
    program_add(n, to);
    program_add(n, draw_value(d, to->type, DEPTH + 1));
    return n;
}

static bool is_pointer(const struct variable *v) { return v->shape == POINTER && !v->parameter; }

static struct node *point(struct draw *d) {
    const unsigned p = draw_variable(d, is_pointer);
    if (p == VARIABLES) return assignment(d);
    const struct function *f = draw_function(d);
    unsigned array = f->variable[p].target, count = 0;
    for (unsigned i = 0; i < f->variables && !f->variable[p].input; i++)
        if (f->variable[i].shape == ARRAY && f->variable[i].length >= 2 * f->variable[p].length &&
            f->variable[i].type.base == f->variable[p].type.base && draw_below(d, ++count) == 0)
            array = i;
    struct node *n = statement_node(d, S_POINT, p, array);
    program_add(n, draw_value(d, type_of(I32), 2));
    return n;
}

static bool is_one_structure(const struct variable *v) { return v->shape == STRUCTURE && v->length == 1; }

static struct node *copy(struct draw *d) {
    const unsigned to = draw_variable(d, is_one_structure), from = draw_variable(d, is_one_structure);
    const struct function *f = draw_function(d);
    if (to == VARIABLES || f->variable[to].structure != f->variable[from].structure) return assignment(d);
    return statement_node(d, S_COPY, to, from);
}

static struct node *atomic(struct draw *d) {
    const unsigned cell = draw_below(d, ATOMICS);
    struct node *n = statement_node(d, S_ATOMIC, 0, cell);
    program_add(n, draw_value(d, type_of(d->p->atomic[cell]), DEPTH));
    return n;
}

/* A jump out: always under a condition, so that the following statements are reached. */
static struct node *leave(struct draw *d) {
    struct node *out = NULL;
    const unsigned way = draw_below(d, 4);
    if (way == 0 && (d->in_loop || d->in_switch)) out = statement_node(d, S_BREAK, 0, 0);
    if (way == 1 && d->in_loop) out = statement_node(d, S_CONTINUE, 0, 0);
    if (way == 2 && d->open != 0) {
        unsigned label = draw_below(d, 64);
        while ((d->open >> label & 1) == 0) label = (label + 1) % 64;
        out = statement_node(d, S_LEAVE, 0, label);
    }
    if (way == 3 && d->may_return) {
        out = statement_node(d, S_RETURN, 0, 0);
        if (d->number != KERNEL) program_add(out, draw_value(d, draw_function(d)->type, DEPTH));
    }
    if (out == NULL) return assignment(d);
    struct node *n = statement_node(d, S_IF, 0, 0);
    program_add(n, condition(d));
    program_add(n, out);
    program_add(n, nothing(d));
    return n;
}

/* with nested statements */

static struct node *branch(struct draw *d, unsigned depth) {
    struct node *n = statement_node(d, S_IF, 0, 0);
    program_add(n, condition(d));
    program_add(n, draw_block(d, 3, depth));
    program_add(n, draw_percent(d, 50) ? draw_block(d, 3, depth) : nothing(d));
    return n;
}

/* A free loop counter; VARIABLES: no room for one more. */
static unsigned counter(struct draw *d) {
    struct function *f = draw_function(d);
    if (f->variables == VARIABLES) return VARIABLES;
    struct variable *v = &f->variable[f->variables];
    *v = (struct variable){.shape = SCALAR, .type = draw_integer_type(d), .length = 1, .counter = true};
    v->first = program_node(d->p, E_CONST, v->type, 0, 0);
    return f->variables++;
}

static struct node *bound(struct draw *d, unsigned most) {
    struct node *n = draw_percent(d, 50) ? program_node(d->p, E_CONST, type_of(I32), 0, 1 + draw_below(d, most)) : NULL;
    const unsigned features = d->features;
    d->features &= ~(1u << WITH_CALLS);
    if (n == NULL) n = draw_value(d, type_of(I32), 2);
    d->features = features;
    return n;
}

/* Draws the body of a loop of this number of iterations. */
static struct node *loop_body(struct draw *d, unsigned times, unsigned depth) {
    const struct draw outside = *d;
    d->in_loop = true;
    d->in_switch = false;
    d->weight *= times;
    struct node *body = draw_block(d, 4, depth);
    d->weight = outside.weight;
    d->in_loop = outside.in_loop;
    d->in_switch = outside.in_switch;
    return body;
}

static struct node *loop(struct draw *d, unsigned depth) {
    const unsigned c = counter(d);
    const unsigned most = 12;
    if (c == VARIABLES || d->weight * 7 > WEIGHT_MOST || d->spent > SPENT_MOST) return branch(d, depth);
    struct node *n = statement_node(d, S_LOOP, draw_below(d, UNIFORM), c);
    program_add(n, bound(d, most));
    program_add(n, loop_body(d, n->child[0]->kind == E_CONST ? (unsigned)n->child[0]->value : 7, depth));
    return n;
}

static struct node *enter(struct draw *d, unsigned depth) {
    const unsigned c = counter(d), label = d->labels++;
    if (c == VARIABLES || label >= 64 || d->weight * 7 > WEIGHT_MOST || d->spent > SPENT_MOST) return branch(d, depth);
    struct node *n = statement_node(d, S_ENTER, c, label);
    program_add(n, condition(d));
    program_add(n, loop_body(d, 7, depth));
    program_add(n, loop_body(d, 7, depth));
    program_add(n, bound(d, 7));
    return n;
}

static struct node *labelled(struct draw *d, unsigned depth) {
    const unsigned label = d->labels++;
    if (label >= 64) return branch(d, depth);
    struct node *n = statement_node(d, S_LABELLED, 0, label);
    d->open |= UINT64_C(1) << label;
    program_add(n, draw_block(d, 4, depth));
    d->open &= ~(UINT64_C(1) << label);
    return n;
}

static struct node *selection(struct draw *d, unsigned depth) {
    const bool in_switch = d->in_switch;
    const uint64_t word = rng_next(&d->rng);
    struct node *n = statement_node(d, S_SWITCH, 1 + draw_below(d, 4), (int64_t)(word & word >> 32)); /* a quarter */
    const unsigned cases = 2 + draw_below(d, CHILDREN - 2);
    program_add(n, condition(d));
    d->in_switch = true;
    for (unsigned i = 0; i < cases; i++) program_add(n, draw_block(d, 2, depth));
    d->in_switch = in_switch;
    return n;
}

static struct node *statement(struct draw *d, unsigned depth) {
    const unsigned way = draw_below(d, depth == 0 ? 12 : 24);
    d->spent += d->weight;
    switch (way) {
    case 0: return draw_has(d, WITH_POINTERS) ? point(d) : assignment(d);
    case 1: return draw_has(d, WITH_STRUCTURES) ? copy(d) : assignment(d);
    case 2: return draw_has(d, WITH_ATOMICS) && d->number == KERNEL ? atomic(d) : assignment(d);
    case 3:
    case 4: return leave(d);
    case 12:
    case 13:
    case 14:
    case 15: return branch(d, depth - 1);
    case 16:
    case 17:
    case 18:
    case 19: return loop(d, depth - 1);
    case 20: return draw_has(d, WITH_LABELS) ? labelled(d, depth - 1) : branch(d, depth - 1);
    case 21: return draw_has(d, WITH_LABELS) ? enter(d, depth - 1) : loop(d, depth - 1);
    case 22: return draw_has(d, WITH_SWITCHES) ? selection(d, depth - 1) : loop(d, depth - 1);
    default: return assignment(d);
    }
}

struct node *draw_block(struct draw *d, unsigned most, unsigned depth) {
    struct node *n = statement_node(d, S_BLOCK, 0, 0);
    const unsigned count = 1 + draw_below(d, most);
    for (unsigned i = 0; i < count; i++) program_add(n, statement(d, depth));
    return n;
}

/* ---- with barriers ---- */

static struct node *exchange(struct draw *d) {
    struct node *n = statement_node(d, S_EXCHANGE, 0, 0);
    program_add(n, draw_value(d, type_of(d->p->shared), DEPTH));
    d->may_share = true;
    program_add(n, draw_block(d, 3, 1));
    d->may_share = false;
    return n;
}

static struct node *uniform_loop(struct draw *d) {
    const unsigned c = counter(d), times = 2 + draw_below(d, 4);
    if (c == VARIABLES) return exchange(d);
    struct node *n = statement_node(d, S_LOOP, UNIFORM, c), *body = statement_node(d, S_BLOCK, 0, 0);
    d->weight *= times;
    program_add(body, statement(d, 1));
    program_add(body, exchange(d));
    program_add(body, statement(d, 1));
    d->weight /= times;
    program_add(n, program_node(d->p, E_CONST, type_of(I32), 0, times));
    program_add(n, body);
    return n;
}

struct node *draw_uniform_block(struct draw *d) {
    struct node *n = statement_node(d, S_BLOCK, 0, 0);
    const unsigned count = 2 + draw_below(d, 5);
    for (unsigned i = 0; i < count; i++) {
        const bool barriers = draw_has(d, WITH_BARRIERS) && draw_percent(d, 40);
        program_add(n, !barriers ? statement(d, 3) : draw_percent(d, 30) ? uniform_loop(d) : exchange(d));
    }
    return n;
}
