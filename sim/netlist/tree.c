// SPDX-License-Identifier: Apache-2.0
#include "tree.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------------------- nets

static unsigned hash_of(const char *name, size_t length) {
    unsigned hash = 2166136261U;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)name[i]) * 16777619U;
    return hash;
}

// The slot of a name in the table, existing or free.
static struct net **slot_of(const struct module *module, const char *name, size_t length) {
    unsigned at = hash_of(name, length) & (module->table_size - 1);
    while (module->table[at] &&
           (strncmp(module->table[at]->name, name, length) != 0 || module->table[at]->name[length] != '\0'))
        at = (at + 1) & (module->table_size - 1);
    return &module->table[at];
}

static void enlarge_table(struct module *module) {
    module->table_size = module->table_size ? 2 * module->table_size : 64;
    module->table = pool_take(module->pool, module->table_size * sizeof(struct net *));
    for (unsigned i = 0; i < module->net_count; i++)
        *slot_of(module, module->nets[i]->name, strlen(module->nets[i]->name)) = module->nets[i];
}

struct net *module_net(struct module *module, const char *name, size_t length) {
    if (2 * module->net_count >= module->table_size) enlarge_table(module);
    struct net **slot = slot_of(module, name, length);
    struct net *net = *slot;
    if (net) return net;
    net = pool_take(module->pool, sizeof *net);
    net->name = pool_text(module->pool, name, length);
    net->id = module->net_count;
    module->nets = pool_grow(module->pool, module->nets, module->net_count, sizeof(struct net *));
    module->nets[module->net_count++] = net;
    return *slot = net;
}

struct net *module_find(const struct module *module, const char *name) {
    return module->table_size ? *slot_of(module, name, strlen(name)) : NULL;
}

void *module_notes(const struct module *module, size_t bytes) {
    return pool_take(module->pool, (module->net_count + 1) * bytes);
}

// ------------------------------------------------------------------------------------------------------ expressions

struct expr *expr_new(struct design *design, enum expr_kind kind, const char *text, size_t count) {
    struct expr *e = pool_take(&design->pool, sizeof *e + count * sizeof(struct expr *));
    e->kind = kind;
    e->text = text;
    e->count = count;
    return e;
}

const struct expr *expr_net(struct design *design, struct net *net) {
    struct expr *e = expr_new(design, EXPR_NET, NULL, 0);
    e->net = net;
    return e;
}

const struct expr *expr_number(struct design *design, const char *text) {
    return expr_new(design, EXPR_NUMBER, text, 0);
}

const struct expr *expr_unary(struct design *design, const char *operator, const struct expr * of) {
    struct expr *e = expr_new(design, EXPR_UNARY, operator, 1);
    e->part[0] = of;
    return e;
}

const struct expr *expr_binary(struct design *design, const char *operator, const struct expr * left,
                               const struct expr *right) {
    struct expr *e = expr_new(design, EXPR_BINARY, operator, 2);
    e->part[0] = left;
    e->part[1] = right;
    return e;
}

const struct expr *expr_choice(struct design *design, const struct expr *condition, const struct expr *then,
                               const struct expr *otherwise) {
    struct expr *e = expr_new(design, EXPR_CHOICE, NULL, 3);
    e->part[0] = condition;
    e->part[1] = then;
    e->part[2] = otherwise;
    return e;
}

const struct expr *expr_bits(struct design *design, struct net *net, unsigned high, unsigned low) {
    if (low == 0 && high + 1 == net->bits) return expr_net(design, net);
    struct expr *e = expr_new(design, high > low ? EXPR_SLICE : EXPR_BIT, ":", high > low ? 2 : 1);
    e->net = net;
    e->part[0] = expr_number(design, pool_format(&design->pool, "%u", high));
    if (high > low) e->part[1] = expr_number(design, pool_format(&design->pool, "%u", low));
    return e;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

bool expr_same(const struct expr *a, const struct expr *b) {
    if (a == b) return true;
    if (!a || !b || a->kind != b->kind || a->net != b->net || a->count != b->count || !same_text(a->text, b->text))
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!expr_same(a->part[i], b->part[i])) return false;
    return true;
}

static bool decimal(const struct expr *e, unsigned *value) {
    char *end;
    if (e->kind != EXPR_NUMBER) return false;
    *value = (unsigned)strtoul(e->text, &end, 10);
    return *end == '\0';
}

bool expr_is_slice(const struct expr *e, unsigned *high, unsigned *low) {
    if (!e) return false;
    if (e->kind == EXPR_BIT) return decimal(e->part[0], high) && decimal(e->part[0], low);
    return e->kind == EXPR_SLICE && strcmp(e->text, ":") == 0 && decimal(e->part[0], high) && decimal(e->part[1], low);
}

const char *expr_binary_digits(const struct expr *e, unsigned *bits) {
    char *end;
    if (!e || e->kind != EXPR_NUMBER) return NULL;
    *bits = (unsigned)strtoul(e->text, &end, 10);
    return end > e->text && end[0] == '\'' && end[1] == 'b' ? end + 2 : NULL;
}

const struct expr *expr_rewrite(struct design *design, const struct expr *e, expr_change *change, void *with) {
    if (!e) return NULL;
    struct expr *copy = NULL;
    for (size_t i = 0; i < e->count; i++) {
        const struct expr *part = expr_rewrite(design, e->part[i], change, with);
        if (part == e->part[i]) continue;
        if (!copy) {
            copy = expr_new(design, e->kind, e->text, e->count);
            copy->net = e->net;
            memcpy(copy->part, e->part, e->count * sizeof(struct expr *));
        }
        copy->part[i] = part;
    }
    return change(design, copy ? copy : e, with);
}

// ------------------------------------------------------------------------------------------------ items, statements

// The target stays; an index in it is read.
static const struct expr *rewrite_target(struct design *design, const struct expr *target, expr_change *change,
                                         void *with) {
    if (!target || target->count == 0) return target;
    struct expr *copy = expr_new(design, target->kind, target->text, target->count);
    copy->net = target->net;
    for (size_t i = 0; i < target->count; i++)
        copy->part[i] = target->kind == EXPR_JOIN ? rewrite_target(design, target->part[i], change, with)
                                                  : expr_rewrite(design, target->part[i], change, with);
    return copy;
}

void stmt_rewrite(struct design *design, struct stmt *stmt, expr_change *change, void *with) {
    for (; stmt; stmt = stmt->next) {
        stmt->target = rewrite_target(design, stmt->target, change, with);
        stmt->value = expr_rewrite(design, stmt->value, change, with);
        stmt_rewrite(design, stmt->first, change, with);
        stmt_rewrite(design, stmt->otherwise, change, with);
    }
}

void item_rewrite(struct design *design, struct item *item, expr_change *change, void *with) {
    item->target = rewrite_target(design, item->target, change, with);
    item->value = expr_rewrite(design, item->value, change, with);
    stmt_rewrite(design, item->does, change, with);
    for (struct connection *c = item->connections; c; c = c->next)
        c->value = expr_rewrite(design, c->value, change, with);
}

struct item *item_new(struct design *design, enum item_kind kind) {
    struct item *item = pool_take(&design->pool, sizeof *item);
    item->kind = kind;
    return item;
}

struct item *item_text(struct design *design, const char *text) {
    struct item *item = item_new(design, ITEM_TEXT);
    item->text = text;
    return item;
}

struct item *item_declare(struct design *design, const char *word, struct net *net, unsigned bits) {
    struct item *item = item_new(design, ITEM_DECLARATION);
    item->text = word;
    item->net = net;
    net->bits = bits;
    return item;
}

struct item *item_assign(struct design *design, const struct expr *target, const struct expr *value) {
    struct item *item = item_new(design, ITEM_ASSIGN);
    item->target = target;
    item->value = value;
    return item;
}

struct item *item_always(struct design *design, const char *clock, struct module *module, struct stmt *does) {
    struct item *item = item_new(design, ITEM_ALWAYS);
    struct edge *edge = pool_take(&design->pool, sizeof *edge);
    edge->word = "posedge";
    edge->signal = expr_net(design, module_net(module, clock, strlen(clock)));
    item->edges = edge;
    item->does = does;
    return item;
}

struct stmt *stmt_new(struct design *design, enum stmt_kind kind) {
    struct stmt *stmt = pool_take(&design->pool, sizeof *stmt);
    stmt->kind = kind;
    return stmt;
}

struct stmt *stmt_assign(struct design *design, const struct expr *target, bool waits, const struct expr *value) {
    struct stmt *stmt = stmt_new(design, STMT_ASSIGN);
    stmt->target = target;
    stmt->waits = waits;
    stmt->value = value;
    return stmt;
}
