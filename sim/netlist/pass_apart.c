// SPDX-License-Identifier: Apache-2.0
// Splits wide vectors. ghdl makes one vector of a record, and of an array of records; the stages of a pipeline are
// thousands of bits, and few of their fields lie within a word. Verilator would shift each field into its place in
// every cycle, and out of it for every reader. Here a register of concatenated pieces becomes one register for each
// piece, and every reader of bits of a vector, under any name, reads the pieces that hold them. A wide piece that keeps
// its value unless a condition holds is written only under that condition. Values and names do not change.
#include <stdlib.h>
#include <string.h>

#include "pass.h"

enum { WIDE = 65 }; // bits; Verilator holds a narrower vector in one variable

struct piece {
    struct net *net;
    unsigned at; // its lowest bit in the whole vector
};

// Facts about a net.
struct known {
    unsigned bits;       // 0: not known
    struct piece *piece; // the lowest one first
    size_t pieces;
    struct net *view_of; // bits of another net
    unsigned first;      // the first of those bits
    const struct expr *when, *then, *unless;
    bool has_register; // it is declared as a register
    bool is_apart;     // split into a register for each piece
    struct net *taken; // by that register
};

struct apart {
    struct design *design;
    struct module *module;
    struct known **nets; // by id; nets made by the pass have none
    unsigned known, total;
};

static struct known *known_of(struct apart *a, const struct net *net) {
    while (a->known <= net->id) {
        a->nets = pool_grow(&a->design->pool, a->nets, a->known, sizeof(struct known *));
        a->nets[a->known++] = pool_take(&a->design->pool, sizeof **a->nets);
    }
    return a->nets[net->id];
}

// ---------------------------------------------------------------------------------------------------------- reading

struct list {
    const struct expr **part;
    size_t count;
};

static void append(struct apart *a, struct list *list, const struct expr *e) {
    list->part = pool_grow(&a->design->pool, list->part, list->count, sizeof(struct expr *));
    list->part[list->count++] = e;
}

static const struct expr *bits_of(struct apart *a, struct net *net, unsigned high, unsigned low) {
    if (low == 0 && high + 1 == known_of(a, net)->bits) return expr_net(a->design, net);
    struct expr *e = expr_new(a->design, high > low ? EXPR_SLICE : EXPR_BIT, ":", high > low ? 2 : 1);
    e->net = net;
    e->part[0] = expr_number(a->design, pool_format(&a->design->pool, "%u", high));
    if (high > low) e->part[1] = expr_number(a->design, pool_format(&a->design->pool, "%u", low));
    return e;
}

// Appends the pieces that bits of a net consist of to the list.
static void made_of(struct apart *a, struct net *net, unsigned high, unsigned low, struct list *list) {
    struct known *k = known_of(a, net);
    for (; k->view_of && k->pieces == 0; k = known_of(a, net)) {
        high += k->first;
        low += k->first;
        net = k->view_of;
    }
    if (k->pieces == 0) append(a, list, bits_of(a, net, high, low));
    for (size_t i = k->pieces; i-- > 0;) {
        struct piece piece = k->piece[i];
        unsigned bits = known_of(a, piece.net)->bits;
        if (high < piece.at || low >= piece.at + bits) continue;
        unsigned from = low > piece.at ? low - piece.at : 0;
        unsigned to = high - piece.at < bits ? high - piece.at : bits - 1;
        made_of(a, piece.net, to, from, list);
    }
}

static const struct expr *made_expression(struct apart *a, struct net *net, unsigned high, unsigned low) {
    struct list list = {0};
    made_of(a, net, high, low, &list);
    if (list.count == 1) return list.part[0];
    struct expr *join = expr_new(a->design, EXPR_JOIN, NULL, list.count);
    if (list.count > 0) memcpy(join->part, list.part, list.count * sizeof(struct expr *));
    return join;
}

static const struct expr *read_pieces(struct design *design, const struct expr *e, void *with) {
    (void)design;
    unsigned high, low;
    if ((e->kind != EXPR_BIT && e->kind != EXPR_SLICE) || !expr_is_slice(e, &high, &low)) return e;
    return made_expression(with, e->net, high, low);
}

// ------------------------------------------------------------------------------------------------------------ facts

static bool all_nets(const struct expr *e) {
    for (size_t i = 0; i < e->count; i++)
        if (!expr_is_net(e->part[i])) return false;
    return e->count > 1;
}

// {NET, NET, ...}: its pieces, if their widths are known and add up to the net's.
static void learn_join(struct apart *a, struct known *whole, const struct expr *join) {
    struct piece *piece = pool_take(&a->design->pool, join->count * sizeof *piece);
    unsigned from = 0;
    for (size_t i = 0; i < join->count; i++) {
        struct net *net = join->part[join->count - 1 - i]->net;
        if (known_of(a, net)->bits == 0) return;
        piece[i] = (struct piece){net, from};
        from += known_of(a, net)->bits;
    }
    if (from != whole->bits || from < WIDE) return;
    whole->piece = piece;
    whole->pieces = join->count;
}

// NET[HIGH:LOW], NET[BIT], or all of it: a name for these bits
static void learn_view(struct apart *a, struct known *k, const struct expr *e) {
    unsigned high, low = 0;
    bool in_part = expr_is_slice(e, &high, &low);
    if (!in_part && e->kind != EXPR_NET) return;
    k->view_of = e->net;
    k->first = low;
    if (k->bits == 0) k->bits = in_part ? 1 : known_of(a, e->net)->bits;
}

// Each part is a single word.
static bool is_word(const struct expr *e) {
    unsigned high, low;
    return e->kind == EXPR_NET || e->kind == EXPR_NUMBER || expr_is_slice(e, &high, &low);
}

static void learn_assign(struct apart *a, const struct item *item) {
    const struct expr *e = item->value;
    struct net *net = expr_is_net(item->target);
    if (!net) return;
    struct known *k = known_of(a, net);
    if (e->kind == EXPR_JOIN && !item->remark && all_nets(e)) {
        learn_join(a, k, e);
    } else if (e->kind == EXPR_CHOICE && !item->remark && is_word(e->part[0]) && is_word(e->part[1]) &&
               is_word(e->part[2])) {
        k->when = e->part[0];
        k->then = e->part[1];
        k->unless = e->part[2];
    } else {
        learn_view(a, k, e);
    }
}

// A register for each piece of a register's input.
static void take_apart(struct apart *a, struct net *reg, struct net *from) {
    struct known *whole = known_of(a, reg), *taken = known_of(a, from);
    whole->pieces = taken->pieces;
    whole->piece = pool_take(&a->design->pool, taken->pieces * sizeof *whole->piece);
    whole->is_apart = true;
    whole->taken = from;
    for (size_t i = 0; i < taken->pieces; i++) {
        const char *name = pool_format(&a->design->pool, "%s_%zu", reg->name, i + 1);
        struct net *own = module_net(a->module, name, strlen(name));
        whole->piece[i] = (struct piece){own, taken->piece[i].at};
        own->bits = known_of(a, own)->bits = known_of(a, taken->piece[i].net)->bits;
    }
    a->total++;
}

// The register that an item splits.
static struct net *register_of(struct apart *a, const struct item *item) {
    if (item->kind != ITEM_ALWAYS || !item->edges || item->does->kind != STMT_ASSIGN) return NULL;
    struct net *reg = expr_is_net(item->does->target), *taken = expr_is_net(item->does->value);
    if (!reg || !taken || !item->does->waits || item->does->remark) return NULL;
    return known_of(a, reg)->has_register && known_of(a, taken)->pieces > 0 ? reg : NULL;
}

static void learn(struct apart *a, const struct item *item) {
    if (item->kind == ITEM_ASSIGN) learn_assign(a, item);
    if (item->kind == ITEM_DECLARATION && item->text && !item->depth && !item->value && !item->net->is_constant) {
        known_of(a, item->net)->bits = item->net->bits;
        known_of(a, item->net)->has_register = item->range && strcmp(item->text, "reg") == 0;
    }
    struct net *reg = register_of(a, item);
    if (reg) take_apart(a, reg, item->does->value->net);
}

// --------------------------------------------------------------------------------------------------------- writing

// A register for each piece, and the wire of all pieces; returns the last item.
static struct item *declare_pieces(struct apart *a, struct item *item) {
    struct known *whole = known_of(a, item->net);
    struct item all = *item;
    struct expr *join = expr_new(a->design, EXPR_JOIN, NULL, whole->pieces);
    for (size_t i = 0; i < whole->pieces; i++) {
        struct net *own = whole->piece[i].net;
        item->net = own;
        item->range = pool_format(&a->design->pool, "[%u:0]", own->bits - 1);
        join->part[whole->pieces - 1 - i] = expr_net(a->design, own);
        item->next = item_new(a->design, ITEM_DECLARATION);
        *item->next = *item;
        item = item->next;
    }
    *item = all;
    item->text = "wire";
    item->value = join;
    return item;
}

static struct stmt *write_piece(struct apart *a, struct net *own, struct net *net) {
    struct known *k = known_of(a, net);
    const struct expr *target = expr_net(a->design, own);
    struct net *kept = k->unless ? expr_is_net(k->unless) : NULL;
    if (k->bits < WIDE || !kept || expr_is_net(made_expression(a, kept, k->bits - 1, 0)) != own)
        return stmt_assign(a->design, target, true, expr_net(a->design, net));
    struct stmt *stmt = stmt_new(a->design, STMT_IF);
    stmt->value = k->when;
    stmt->first = stmt_assign(a->design, target, true, k->then);
    return stmt;
}

static struct stmt *write_pieces(struct apart *a, struct net *reg) {
    struct known *whole = known_of(a, reg), *taken = known_of(a, whole->taken);
    struct stmt *block = stmt_new(a->design, STMT_BLOCK);
    struct stmt **end = &block->first;
    for (size_t i = whole->pieces; i-- > 0; end = &(*end)->next)
        *end = write_piece(a, whole->piece[i].net, taken->piece[i].net);
    return block;
}

static void change_module(struct apart *a) {
    for (const struct port *port = a->module->ports; port; port = port->next)
        known_of(a, port->net)->bits = port->net->bits;
    for (struct item *item = a->module->items; item; item = item->next) learn(a, item);
    for (struct item *item = a->module->items; item; item = item->next) {
        struct net *reg = register_of(a, item);
        if (item->kind == ITEM_DECLARATION && known_of(a, item->net)->is_apart)
            item = declare_pieces(a, item);
        else if (reg && known_of(a, reg)->is_apart)
            item->does = write_pieces(a, reg);
        else
            item_rewrite(a->design, item, read_pieces, a);
    }
}

// It depends on ghdl's style: a form that it misses would cost time silently.
bool pass_apart(struct design *design, const char *argument, struct fault *fault) {
    (void)argument;
    unsigned total = 0;
    for (struct module *module = design->modules; module; module = module->next) {
        struct apart a = {.design = design, .module = module};
        change_module(&a);
        total += a.total;
    }
    return total > 0 || fault_set(fault, (struct place){0}, "no wide register found");
}
