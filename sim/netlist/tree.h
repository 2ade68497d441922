// SPDX-License-Identifier: Apache-2.0
// A design as a tree: modules, their items, statements and expressions, in the subset that `ghdl --synth --out=verilog`
// writes. Expressions are immutable once made, so that several places may share one.
//
//     struct net *sum = module_net(m, "sum", 3);
//     const struct expr *e = expr_binary(d, "+", expr_net(d, a), expr_net(d, b));
#ifndef WARPSTEP_NETLIST_TREE_H
#define WARPSTEP_NETLIST_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "pool.h"

struct place {
    unsigned line, column; // from 1; 0: a pass made it
};

// Anything with a name in a module: ports, wires, registers, memories, constants.
struct net {
    const char *name;
    unsigned id;   // its index in the module's nets
    unsigned bits; // 0: undeclared, or of a named type
    bool is_port, is_register, is_memory, is_constant;
};

enum expr_kind {
    EXPR_NET,
    EXPR_NUMBER, // text: as written
    EXPR_STRING, // text: with its quotes
    EXPR_UNARY,  // text: the operator; one part
    EXPR_BINARY, // text: the operator; two parts
    EXPR_CHOICE, // condition, then, else
    EXPR_JOIN,   // {a, b}
    EXPR_REPEAT, // {3{a}}: count, and the list to repeat
    EXPR_BIT,    // net[a]
    EXPR_SLICE,  // net[a:b], net[a +: b]; text: the operator between
    EXPR_CALL,   // text: $signed and similar, or a macro; its arguments
    EXPR_GROUP,  // (a)
};

struct expr {
    enum expr_kind kind;
    const char *text;
    struct net *net;
    size_t count;
    const struct expr *part[];
};

enum stmt_kind { STMT_ASSIGN, STMT_IF, STMT_CASE, STMT_BLOCK, STMT_TASK };

struct stmt {
    enum stmt_kind kind;
    struct place place;
    struct stmt *next;              // in a block, among the choices of a case
    const struct expr *label;       // of a choice; NULL: default
    const struct expr *target;      // of an assignment
    bool waits;                     // it is <=
    const struct expr *value;       // assigned value; condition; selector of a case; call of a task
    struct stmt *first, *otherwise; // of an if; the first one of a block or a case
    const char *remark;             // comment behind it, with the spaces before it, or NULL
};

enum item_kind { ITEM_COMMENT, ITEM_DECLARATION, ITEM_ASSIGN, ITEM_ALWAYS, ITEM_INITIAL, ITEM_INSTANCE, ITEM_TEXT };

enum hidden { HIDDEN_NOT, HIDDEN_FROM_WAVES, HIDDEN_FROM_COVERAGE };

struct edge {
    struct edge *next;
    const char *word; // posedge, negedge, or empty
    const struct expr *signal;
};

struct connection {
    struct connection *next;
    const char *port;
    const struct expr *value; // NULL: open
};

struct item {
    enum item_kind kind;
    struct place place;
    struct item *next;
    const char *text;          // text of a comment, as printed; wire, reg, localparam; the module of an instance
    const char *type;          // of a declaration: the name of its type, which replaces the word and range; or NULL
    struct net *net;           // declared
    const char *range;         // [7:0], or NULL
    const char *depth;         // of a memory: [31:0]
    enum hidden hidden;        // from Verilator's waves and coverage
    const struct expr *target; // of an assignment
    const struct expr *value;  // of a declaration (or NULL), of an assignment
    const struct edge *edges;  // of an always; NULL: @*
    struct stmt *does;         // of an always, of an initial
    const char *instance;
    struct connection *connections;
    const char *remark;
};

struct port {
    struct port *next;
    const char *word; // input, output, inout
    const char *type; // as in a declaration
    const char *range;
    struct net *net;
};

struct module {
    struct module *next;
    struct pool *pool;
    const char *name;
    struct place place;
    const char *types; // typedefs before it, a line each, or NULL
    struct port *ports;
    struct item *items;
    struct net **nets;
    unsigned net_count;
    struct net **table; // nets by name: the size is a power of two
    unsigned table_size;
};

struct design {
    const char *file;
    struct pool pool;
    struct module *modules;
    const char *report; // printed instead of the design; NULL: the design is
};

// The net of that name, which is created if missing.
struct net *module_net(struct module *module, const char *name, size_t length);
// NULL if missing.
struct net *module_find(const struct module *module, const char *name);
// An array with an element of this size, all 0, for each net of the module, by id: a pass's facts about nets. Nets made
// later have none.
void *module_notes(const struct module *module, size_t bytes);

struct expr *expr_new(struct design *design, enum expr_kind kind, const char *text, size_t count);
const struct expr *expr_net(struct design *design, struct net *net);
const struct expr *expr_number(struct design *design, const char *text);
const struct expr *expr_unary(struct design *design, const char *operator, const struct expr * of);
const struct expr *expr_binary(struct design *design, const char *operator, const struct expr * left,
                               const struct expr *right);
const struct expr *expr_choice(struct design *design, const struct expr *condition, const struct expr *then,
                               const struct expr *otherwise);
const struct expr *expr_bits(struct design *design, struct net *net, unsigned high, unsigned low);

bool expr_same(const struct expr *a, const struct expr *b);
// The net, if the expression is a net alone.
static inline struct net *expr_is_net(const struct expr *e) { return e && e->kind == EXPR_NET ? e->net : NULL; }
// The bits of net[3] or net[7:4], if the positions are numbers.
bool expr_is_slice(const struct expr *e, unsigned *high, unsigned *low);
// The digits of a binary number, and its number of bits; NULL if it is none.
const char *expr_binary_digits(const struct expr *e, unsigned *bits);

// The expression with each part replaced by the result of `change`, innermost parts first.
typedef const struct expr *expr_change(struct design *design, const struct expr *e, void *with);
const struct expr *expr_rewrite(struct design *design, const struct expr *e, expr_change *change, void *with);
// All expressions that an item reads, including those in its statements; of targets only the indexes.
void item_rewrite(struct design *design, struct item *item, expr_change *change, void *with);
void stmt_rewrite(struct design *design, struct stmt *stmt, expr_change *change, void *with);

struct item *item_new(struct design *design, enum item_kind kind);
struct item *item_text(struct design *design, const char *text);
struct item *item_declare(struct design *design, const char *word, struct net *net, unsigned bits);
struct item *item_assign(struct design *design, const struct expr *target, const struct expr *value);
struct item *item_always(struct design *design, const char *clock, struct module *module, struct stmt *does);
struct stmt *stmt_new(struct design *design, enum stmt_kind kind);
struct stmt *stmt_assign(struct design *design, const struct expr *target, bool waits, const struct expr *value);

#endif
