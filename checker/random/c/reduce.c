/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "../../../assembler/base/stop.h"

struct reduction {
    const struct c_tools *tools;
    struct program *p;
    const char *name;
    struct c_outcome target; /* how it fails */
    time_t end;
    bool changed; /* in this round */
};

static bool out_of_time(const struct reduction *r) { return time(NULL) >= r->end || stop_signal() != 0; }

/* Messages without names and numbers. */
static void skeleton(const char *said, char out[C_SAID]) {
    size_t n = 0;
    bool quoted = false;
    const char *colon = strstr(said, "error: ");
    for (const char *c = colon != NULL ? colon : said; *c != '\0' && n + 1 < C_SAID; c++) {
        if (*c == '\'') quoted = !quoted;
        if (!quoted && (isalpha((unsigned char)*c) || *c == ' ')) out[n++] = *c;
    }
    out[n] = '\0';
}

static bool fails_alike(const struct c_outcome *a, const struct c_outcome *b) {
    char first[C_SAID], second[C_SAID];
    if (a->verdict != b->verdict) return false;
    if (a->verdict != C_REFUSED && a->verdict != C_STOPPED && a->verdict != C_LOCKSTEP) return true;
    skeleton(a->said, first);
    skeleton(b->said, second);
    return strcmp(first, second) == 0;
}

static bool still_fails(struct reduction *r) {
    struct c_outcome now;
    if (out_of_time(r) || !program_valid(r->p)) return false;
    c_trial(r->tools, r->p, r->name, &now);
    if (!fails_alike(&now, &r->target)) return false;
    r->changed = true;
    return true;
}

/* ---- a number ---- */

static bool try_number(struct reduction *r, unsigned *at, unsigned value) {
    const unsigned old = *at;
    if (old == value) return false;
    *at = value;
    if (still_fails(r)) return true;
    *at = old;
    return false;
}

/* ---- a node ---- */

static bool try_node(struct reduction *r, struct node **at, struct node *instead) {
    struct node *old = *at;
    *at = instead;
    if (still_fails(r)) return true;
    *at = old;
    return false;
}

static bool try_kind(struct reduction *r, struct node *n, struct node instead) {
    const struct node old = *n;
    *n = instead;
    if (still_fails(r)) return true;
    *n = old;
    return false;
}

static bool is_statement(const struct node *n) { return n->kind >= S_NOTHING; }

static bool may_replace(const struct node *n, const struct node *child) {
    if (is_statement(n) != is_statement(child) || child->kind == E_ARRAY) return false;
    if (is_statement(n)) return child->kind != S_NOTHING;
    if (n->type.lanes != child->type.lanes) return false;
    return n->type.lanes == 1 || n->type.base == child->type.base;
}

static bool try_nothing(struct reduction *r, struct node *n) {
    if (n->kind == S_NOTHING || n->kind == E_CONST || n->kind == E_ARRAY) return false;
    if (is_statement(n)) return try_kind(r, n, (struct node){.kind = S_NOTHING, .type = n->type});
    if (n->type.lanes > 1) return false;
    return try_kind(r, n, (struct node){.kind = E_CONST, .type = n->type}) ||
           try_kind(r, n,
                    (struct node){.kind = E_CONST, .type = n->type, .value = base_is_float(n->type.base) ? 4 : 1});
}

static void reduce_node(struct reduction *r, struct node **at, bool is_target);

static void reduce_children(struct reduction *r, struct node *n) {
    for (unsigned i = n->count; i-- > 0;)
        reduce_node(r, &n->child[i], i == 0 && (n->kind == S_ASSIGN || n->kind == S_STEP));
}

/* Halves of a block, then its contents. */
static void reduce_block(struct reduction *r, struct node *n) {
    for (unsigned part = n->count / 2; part > 1; part /= 2)
        for (unsigned from = 0; from + part <= n->count; from += part) {
            struct node shorter = *n;
            for (unsigned i = from; i + part < n->count; i++) shorter.child[i] = n->child[i + part];
            shorter.count -= part;
            try_kind(r, n, shorter);
        }
}

static void reduce_node(struct reduction *r, struct node **at, bool is_target) {
    bool again = !is_target;
    while (again && !out_of_time(r)) {
        again = false;
        if (try_nothing(r, *at)) return;
        const struct node *n = *at;
        for (unsigned i = 0; i < n->count && !again; i++)
            again = may_replace(n, n->child[i]) && try_node(r, at, n->child[i]);
    }
    struct node *n = *at;
    if (out_of_time(r)) return;
    if (n->kind == S_BLOCK && n != r->p->function[KERNEL].body) reduce_block(r, n);
    if (n->kind == S_ASSIGN) try_number(r, &n->op, 0);
    if (n->kind == S_LOOP && n->op != UNIFORM) try_number(r, &n->op, UP);
    reduce_children(r, n);
}

static void reduce_function(struct reduction *r, unsigned number, uint64_t used) {
    struct function *f = &r->p->function[number];
    if (number == KERNEL)
        reduce_children(r, f->body);
    else
        reduce_node(r, &f->body, false);
    for (unsigned v = 0; v < f->variables; v++)
        if ((used >> v & 1) != 0 && f->variable[v].first != NULL) reduce_node(r, &f->variable[v].first, false);
    if (f->apart) {
        f->apart = false;
        if (!still_fails(r)) f->apart = true;
    }
}

static void reduce_launch(struct reduction *r) {
    try_number(r, &r->p->blocks, 1);
    for (unsigned threads = 1; threads < r->p->threads; threads *= 2)
        if (try_number(r, &r->p->threads, threads)) break;
    try_number(r, &r->p->registers, 0);
}

void program_reduce(const struct c_tools *t, struct program *p, const char *name, unsigned seconds,
                    struct c_outcome *outcome) {
    struct reduction r = {t, p, name, *outcome, time(NULL) + (time_t)seconds, true};
    while (r.changed && !out_of_time(&r)) {
        uint64_t used[FUNCTIONS];
        bool called[FUNCTIONS];
        r.changed = false;
        reduce_launch(&r);
        for (unsigned f = FUNCTIONS; f-- > 0;) {
            program_find_used(p, used, called);
            if (called[f]) reduce_function(&r, f, used[f]);
        }
    }
    c_trial(t, p, name, outcome);
}
