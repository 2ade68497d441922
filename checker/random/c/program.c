/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include "../rng.h"

uint64_t program_word(int64_t seed, unsigned number) {
    struct rng r = {(uint64_t)seed * 0x9e3779b97f4a7c15u + number};
    return rng_next(&r);
}

struct node *program_node(struct program *p, enum kind kind, struct type type, unsigned op, int64_t value) {
    struct node *n = p->used < NODES ? &p->nodes[p->used++] : &p->spare;
    *n = (struct node){.kind = kind, .type = type, .op = op, .value = value};
    return n;
}

void program_add(struct node *parent, struct node *child) {
    if (parent->count < CHILDREN) parent->child[parent->count++] = child;
}

void program_input(const struct program *p, uint32_t words[INPUT_WORDS]) {
    for (unsigned i = 0; i < INPUT_WORDS; i++) {
        const uint64_t word = program_word((int64_t)p->seed, i);
        const unsigned shift = (word >> 32 & 3) * 8; /* small numbers as well as large ones */
        words[i] = (uint32_t)word >> shift;
        if (word >> 63 != 0) words[i] = ~words[i];
    }
}

/* valid programs */

struct place {
    bool in_loop, in_switch;
    bool may_exchange; /* all work items reach this place */
    bool may_return;
    bool may_share; /* reads local memory */
    uint64_t labels;
};

static bool valid(const struct node *n, struct place at);

static bool children_valid(const struct node *n, struct place at) {
    for (unsigned i = 0; i < n->count; i++)
        if (!valid(n->child[i], at)) return false;
    return true;
}

/* Inside a branch not all work items arrive. */
static struct place inside(struct place at) {
    at.may_exchange = false;
    return at;
}

static bool loop_valid(const struct node *n, struct place at) {
    if (n->kind == S_LOOP && n->op == UNIFORM) {
        if (!at.may_exchange || n->child[0]->kind != E_CONST) return false;
        at.labels = 0;
        at.in_loop = false;
        return valid(n->child[1], at);
    }
    at = inside(at);
    at.in_loop = true;
    at.in_switch = false;
    return children_valid(n, at);
}

static bool exchange_valid(const struct node *n, struct place at) {
    if (!at.may_exchange || !valid(n->child[0], at)) return false;
    const struct place body = {.may_share = true};
    return valid(n->child[1], body);
}

static bool labelled_valid(const struct node *n, struct place at) {
    at = inside(at);
    at.labels |= UINT64_C(1) << (n->value & 63);
    return children_valid(n, at);
}

static bool switch_valid(const struct node *n, struct place at) {
    at = inside(at);
    at.in_switch = true;
    return children_valid(n, at);
}

static bool valid(const struct node *n, struct place at) {
    switch (n->kind) {
    case S_BREAK: return at.in_loop || at.in_switch;
    case S_CONTINUE: return at.in_loop;
    case S_RETURN: return at.may_return && children_valid(n, at);
    case S_LEAVE: return (at.labels >> (n->value & 63) & 1) != 0;
    case S_LABELLED: return labelled_valid(n, at);
    case S_SWITCH: return switch_valid(n, at);
    case S_LOOP:
    case S_ENTER: return loop_valid(n, at);
    case S_IF: return children_valid(n, inside(at));
    case S_EXCHANGE: return exchange_valid(n, at);
    case E_SHARED: return at.may_share && children_valid(n, at);
    default: return children_valid(n, at);
    }
}

/* Checks the kernel as a block: barriers, returns, writing of the results. */
bool program_valid(const struct program *p) {
    const struct place in_function = {.may_return = true};
    const struct place parts[3] = {{.may_exchange = true}, {.may_return = true}, {0}};
    const struct node *kernel = p->function[KERNEL].body;
    for (unsigned f = 0; f < KERNEL; f++)
        if (p->function[f].body != NULL && !valid(p->function[f].body, in_function)) return false;
    for (unsigned i = 0; i < kernel->count; i++)
        if (!valid(kernel->child[i], parts[i < 3 ? i : 2])) return false;
    return true;
}

/* used parts */

struct uses {
    const struct program *p;
    uint64_t *used;
    bool *called;
};

static void use_function(const struct uses *u, unsigned f);

static void use_variable(const struct uses *u, unsigned f, unsigned number) {
    const struct variable *v = &u->p->function[f].variable[number];
    u->used[f] |= UINT64_C(1) << number;
    if (v->shape == POINTER && !v->input && !v->parameter) use_variable(u, f, v->target);
}

static void use_node(const struct uses *u, unsigned f, const struct node *n) {
    switch (n->kind) {
    case E_VARIABLE:
    case E_ELEMENT:
    case E_FIELD:
    case E_ARRAY:
    case S_LOOP: use_variable(u, f, (unsigned)n->value); break;
    case S_ENTER: use_variable(u, f, n->op); break;
    case S_POINT:
        use_variable(u, f, n->op);
        if (!u->p->function[f].variable[n->op].input) use_variable(u, f, (unsigned)n->value);
        break;
    case S_COPY:
        use_variable(u, f, n->op);
        use_variable(u, f, (unsigned)n->value);
        break;
    case E_CALL: use_function(u, (unsigned)n->value); break;
    default: break;
    }
    for (unsigned i = 0; i < n->count; i++) use_node(u, f, n->child[i]);
}

/* Initial values are used like their variables, last first: they name no later ones. */
static void use_function(const struct uses *u, unsigned f) {
    const struct function *function = &u->p->function[f];
    if (u->called[f]) return;
    u->called[f] = true;
    use_node(u, f, function->body);
    for (unsigned i = function->variables; i-- > function->parameters;)
        if ((u->used[f] >> i & 1) != 0 && function->variable[i].first != NULL)
            use_node(u, f, function->variable[i].first);
}

void program_find_used(const struct program *p, uint64_t used[FUNCTIONS], bool called[FUNCTIONS]) {
    const struct uses u = {p, used, called};
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        used[f] = 0;
        called[f] = false;
    }
    use_function(&u, KERNEL);
}
