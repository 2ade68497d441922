// SPDX-License-Identifier: Apache-2.0
// Mutants of the netlist, in which each statement is one operator, or one register, preceded by its place in the VHDL.
//
//     mutants              prints all possible mutants, instead of the design
//     mutants:LIST:TOP     puts those of LIST into the design, by number; TOP is the last module
//
// A line of the lists: KEY, entity, place (file:line:column), kind, separated by tabs, in LIST after a number. KEY is
// "module/net/kind" and is valid for one netlist only. The name of the statement (mutant_name.h) determines the changed
// bit. Kinds: those of yosys' mutate (inv, zero, one: a bit of the result; cnot: inverted if another bit is set),
// another operator, an operand alone, the condition negated, an assignment dropped, a constant with another bit.
//
// All chosen mutants are in one netlist. mutants::number (a package, testbench/mutants/pins.v) selects the active one,
// 0 for none; with mutants::probing, each mutant that would change its net at a clock edge reports it. yosys gets the
// number as an undriven wire: it shall find unused logic.
#include <stdlib.h>
#include <string.h>

#include "mutant_name.h"
#include "names.h"
#include "pass.h"
#include "print.h"

struct mutants {
    struct design *design;
    struct pool *pool;
    struct names *names;
    struct module chosen;  // a net for each key, "module/net/class"; its bits are its number
    struct module mutated; // one for each "module/net"
    unsigned count, applied;
    const char *top; // NULL: list them
    FILE *list;      // of all mutants
    char *probes;    // of the current module
    size_t probes_size;
    FILE *probe;
    // The current statement.
    const struct module *module;
    const char *entity, *place;
    uint64_t statement;
    const char *raw, *last; // the right value, and with the mutants so far
    const char *only;       // condition under which the value counts
    struct item **end;      // insertion point of wires, before the statement
};

static uint64_t draw(const struct mutants *m, uint64_t bits, uint64_t salt) {
    return (m->statement * 7919 + salt * 104729) % 65537 % bits;
}

static unsigned width_of(const struct net *net) { return net->bits && !net->is_memory ? net->bits : 1; }

static const char *range_of(struct mutants *m, const struct net *net) {
    return width_of(net) > 1 ? pool_format(m->pool, "[%u:0] ", width_of(net) - 1) : "";
}

// A kind without its changed bit.
static const char *class_of(struct mutants *m, const char *kind) {
    size_t length = strcspn(kind, strncmp(kind, "constant:", 9) == 0 ? "," : ":");
    if (strncmp(kind, "select:", 7) != 0) return pool_text(m->pool, kind, length);
    const char *rest = kind + length + 1;
    return pool_format(m->pool, "select%s", rest + strspn(rest, "0123456789"));
}

// ---------------------------------------------------------------------------------------------------------- one mutant

static void add_text(struct mutants *m, const char *text) {
    *m->end = item_text(m->design, text);
    m->end = &(*m->end)->next;
}

// A mutant of the net whose right value is `raw`: uses value instead. Lists it, or adds it after the others.
static void mutant(struct mutants *m, const struct net *net, const char *kind, const char *value) {
    if (!m->top) {
        fprintf(m->list, "%s/%s/%s\t%s\t%s\t%s\n", m->module->name, net->name, kind, m->entity, m->place, kind);
        return;
    }
    const char *key = pool_format(m->pool, "%s/%s/%s", m->module->name, net->name, class_of(m, kind));
    struct net *number = module_find(&m->chosen, key);
    if (!number) return;
    const char *wire = pool_format(m->pool, "%s_mutant%u", net->name, number->bits);
    add_text(m, pool_format(m->pool, "  wire %s%s = `MUTANT(%u) ? (%s) : %s;\n", range_of(m, net), wire, number->bits,
                            value, m->last));
    fprintf(m->probe, "    if (%s(%s) != %s) mutants::active(%u);\n", m->only, value, m->raw, number->bits);
    m->last = wire;
    m->applied++;
}

static const char *mask(struct mutants *m, unsigned bits, uint64_t bit) {
    return pool_format(m->pool, "%u'b1 << %u", bits, (unsigned)bit);
}

static void mutate_bits(struct mutants *m, const struct net *net) {
    unsigned w = width_of(net);
    uint64_t bit = draw(m, w, 1);
    mutant(m, net, pool_format(m->pool, "inv:%u", (unsigned)bit),
           pool_format(m->pool, "%s ^ (%s)", m->raw, mask(m, w, bit)));
    bit = draw(m, w, 2);
    mutant(m, net, pool_format(m->pool, "zero:%u", (unsigned)bit),
           pool_format(m->pool, "%s & ~(%s)", m->raw, mask(m, w, bit)));
    bit = draw(m, w, 3);
    mutant(m, net, pool_format(m->pool, "one:%u", (unsigned)bit),
           pool_format(m->pool, "%s | (%s)", m->raw, mask(m, w, bit)));
    unsigned other = ((unsigned)bit + 1) % w;
    if (w > 1)
        mutant(m, net, pool_format(m->pool, "cnot:%u,%u", (unsigned)bit, other),
               pool_format(m->pool, "%s ^ ({%u{%s[%u]}} & (%s))", m->raw, w, m->raw, other, mask(m, w, bit)));
}

// ----------------------------------------------------------------------------------------------------------- operators

// Replacements of an operator. No "|" to "^": most alternatives exclude each other.
static const struct {
    const char *operator, * other, *second;
} swaps[] = {
    {"&",  "|",  "^" },
    {"|",  "&",  NULL},
    {"^",  "|",  "&" },
    {"+",  "-",  NULL},
    {"-",  "+",  NULL},
    {"==", "!=", NULL},
    {"!=", "==", NULL},
    {"<",  "<=", ">="},
    {"<=", "<",  ">" },
    {">",  ">=", "<="},
    {">=", ">",  "<" },
    {"<<", ">>", NULL},
    {">>", "<<", NULL},
    {"*",  "+",  NULL},
};

// A binary number that consists of these digits.
static bool only_digits(const struct expr *e, const char *digits) {
    unsigned bits;
    const char *text = expr_binary_digits(e, &bits);
    return text && *text && text[strspn(text, digits)] == '\0';
}

static bool is_one_of(const char *operator, const char * list) { return !operator[1] && strchr(list, operator[0]); }

// Loops begin with a constant: a result that is the other operand, or a constant.
static bool gives_nothing(const struct expr *e) {
    const struct expr *a = e->part[0], *b = e->part[1];
    if (is_one_of(e->text, "&|^"))
        return only_digits(a, "0") || only_digits(a, "1") || only_digits(b, "0") || only_digits(b, "1");
    return is_one_of(e->text, "+-") && only_digits(b, "0");
}

static void mutate_binary(struct mutants *m, const struct net *net, const struct expr *e) {
    if (gives_nothing(e)) return;
    const char *a = print_text(m->pool, e->part[0]), *b = print_text(m->pool, e->part[1]);
    for (size_t i = 0; i < sizeof swaps / sizeof *swaps; i++) {
        if (strcmp(swaps[i].operator, e->text) != 0) continue;
        const char *instead[] = {swaps[i].other, swaps[i].second};
        for (int k = 0; k < 2 && instead[k]; k++)
            mutant(m, net, pool_format(m->pool, "%s %s", e->text, instead[k]),
                   pool_format(m->pool, "%s %s %s", a, instead[k], b));
    }
    if (is_one_of(e->text, "&|^+-")) {
        mutant(m, net, "left", a);
        mutant(m, net, "right", b);
    }
    unsigned bits;
    if (expr_binary_digits(e->part[1], &bits))
        mutant(m, net, "constant",
               pool_format(m->pool, "%s %s (%s ^ (%s))", a, e->text, b, mask(m, bits, draw(m, bits, 4))));
}

static void mutate_operator(struct mutants *m, const struct net *net, const struct expr *e) {
    if (e->kind == EXPR_BINARY) mutate_binary(m, net, e);
    if (e->kind != EXPR_CHOICE) return;
    const char *c = print_text(m->pool, e->part[0]), *a = print_text(m->pool, e->part[1]),
               *b = print_text(m->pool, e->part[2]);
    mutant(m, net, "negated", pool_format(m->pool, "%s ? %s : %s", c, b, a));
    mutant(m, net, "left", a);
    mutant(m, net, "right", b);
}

static bool is_operand(const struct expr *e) {
    return e->kind == EXPR_NET || e->kind == EXPR_NUMBER || e->kind == EXPR_BIT ||
           (e->kind == EXPR_SLICE && strcmp(e->text, ":") == 0);
}

// One operator, on nets, slices of them and constants.
static bool is_operator(const struct expr *e) {
    if (e->kind != EXPR_BINARY && e->kind != EXPR_CHOICE && (e->kind != EXPR_UNARY || strcmp(e->text, "~") != 0))
        return false;
    for (size_t i = 0; i < e->count; i++)
        if (!is_operand(e->part[i])) return false;
    return true;
}

// Puts the new value of the net into `last`.
static void mutate(struct mutants *m, const struct net *net, const struct expr *e, bool is_register) {
    m->statement = names_hash(names_next(m->names, m->entity, m->place, ""));
    m->raw = m->last = pool_format(m->pool, "%s_raw", net->name);
    if (m->top) {
        const char *value = print_text(m->pool, e);
        if (!module_find(&m->mutated, pool_format(m->pool, "%s/%s", m->module->name, net->name))) {
            m->last = value;
            return;
        }
        add_text(m, pool_format(m->pool, "  wire %s%s = %s;\n", range_of(m, net), m->raw, value));
    }
    mutate_bits(m, net);
    mutate_operator(m, net, e);
    if (is_register) mutant(m, net, "dropped", net->name);
}

// --------------------------------------------------------------------------------------------------------------- cases

static const struct expr *as_expression(struct mutants *m, const char *text) {
    return expr_new(m->design, EXPR_NUMBER, text, 0);
}

static void mutate_constant(struct mutants *m, struct stmt *choice, unsigned line, const char *select) {
    struct net *net = choice->kind == STMT_ASSIGN ? expr_is_net(choice->target) : NULL;
    if (!choice->label || !net || !name_ends(net->name, "_o") || !only_digits(choice->value, "01")) return;
    unsigned w = width_of(net);
    unsigned bit = (unsigned)draw(m, w, 5 + line);
    m->raw = m->last = choice->value->text;
    m->only = pool_format(m->pool, "%s == %s && ", select, print_text(m->pool, choice->label));
    mutant(m, net, pool_format(m->pool, "constant:%u,%u", line, bit),
           pool_format(m->pool, "%s ^ (%s)", m->raw, mask(m, w, bit)));
    m->only = "";
    choice->value = as_expression(m, m->last);
}

// The constants of a case, and its selection. Choices are counted from the third line of the process.
static void mutate_case(struct mutants *m, struct stmt *stmt) {
    const char *select = print_text(m->pool, stmt->value);
    m->statement = names_hash(names_next(m->names, m->entity, m->place, "case"));
    unsigned line = 3;
    for (struct stmt *choice = stmt->first; choice; choice = choice->next) mutate_constant(m, choice, line++, select);
    struct net *net = expr_is_net(stmt->value);
    if (!net || !name_ends(net->name, "_o") || !stmt->first) return;
    m->raw = m->last = select;
    unsigned bit = (unsigned)draw(m, width_of(net), 5);
    mutant(m, net, pool_format(m->pool, "select:%u of %s", bit, print_text(m->pool, stmt->first->target)),
           pool_format(m->pool, "%s ^ (%s)", select, mask(m, width_of(net), bit)));
    stmt->value = as_expression(m, m->last);
}

// ------------------------------------------------------------------------------------------------------------- modules

// Generics follow an entity's name, as numbers and as a digest.
static const char *entity_of(struct mutants *m, const char *module) {
    size_t length = strlen(module);
    const char *digest = strrchr(module, '_');
    if (digest && strspn(digest + 1, "0123456789abcdef") >= 40 &&
        digest[1 + strspn(digest + 1, "0123456789abcdef")] == '\0')
        length = (size_t)(digest - module);
    for (;;) {
        size_t start = length;
        while (start > 0 && module[start - 1] >= '0' && module[start - 1] <= '9') start--;
        if (start == length || start == 0 || module[start - 1] != '_') break;
        length = start - 1;
    }
    return pool_text(m->pool, module, length);
}

// /* any/rtl/execute/alu.vhd:20:5  */ is rtl/execute/alu.vhd:20:5.
static const char *place_of(struct mutants *m, const char *comment) {
    const char *found = NULL;
    for (const char *at = comment; (at = strstr(at, "rtl/")) != NULL; at++)
        if (at[-1] == '/' || at == comment + 3) found = at;
    return found ? pool_text(m->pool, found, strcspn(found, " ")) : "";
}

static void change_item(struct mutants *m, struct item *item) {
    if (item->kind == ITEM_COMMENT && strncmp(item->text, "/* ", 3) == 0) m->place = place_of(m, item->text);
    struct net *net = item->kind == ITEM_ASSIGN ? expr_is_net(item->target) : NULL;
    if (net && name_ends(net->name, "_o") && is_operator(item->value)) {
        mutate(m, net, item->value, false);
        item->value = as_expression(m, m->last);
        item->remark = NULL;
    }
    if (item->kind != ITEM_ALWAYS) return;
    struct stmt *does = item->does;
    struct net *clock = item->edges ? expr_is_net(item->edges->signal) : NULL;
    struct net *reg = does->kind == STMT_ASSIGN && does->waits ? expr_is_net(does->target) : NULL;
    if (does->kind == STMT_CASE) {
        mutate_case(m, does);
    } else if (clock && strcmp(clock->name, "clk") == 0 && reg && name_ends(reg->name, "_q")) {
        mutate(m, reg, does->value, true);
        does->value = as_expression(m, m->last);
    }
}

static void change_module(struct mutants *m, struct module *module) {
    struct item *items = module->items, *next;
    m->end = &module->items;
    m->module = module;
    m->entity = entity_of(m, module->name);
    m->place = "?";
    m->only = "";
    m->probe = open_memstream(&m->probes, &m->probes_size);
    if (!m->probe) abort();
    if (m->top) add_text(m, "  `MUTANTS\n");
    for (struct item *item = items; item; item = next) {
        next = item->next;
        change_item(m, item);
        *m->end = item;
        m->end = &item->next;
    }
    *m->end = NULL;
    fclose(m->probe);
    if (m->probes_size > 0)
        add_text(m,
                 pool_format(m->pool,
                             "`ifndef YOSYS\n  always @(posedge %s.clk) if (mutants::probing) begin\n%s  end\n`endif\n",
                             m->top, m->probes));
    free(m->probes);
}

// A line: number, key, entity, place, kind.
static bool choose(struct mutants *m, char *line) {
    char *field[5];
    for (int i = 0; i < 5; i++) field[i] = strsep(&line, "\t");
    if (!field[4]) return false;
    field[4][strcspn(field[4], "\n")] = '\0';
    size_t length = strcspn(field[1], "/");
    length += field[1][length] ? 1 + strcspn(field[1] + length + 1, "/") : 0;
    module_net(&m->mutated, field[1], length);
    const char *key = pool_format(m->pool, "%.*s/%s", (int)length, field[1], class_of(m, field[4]));
    module_net(&m->chosen, key, strlen(key))->bits = (unsigned)strtoul(field[0], NULL, 10);
    m->count++;
    return true;
}

static bool read_list(struct mutants *m, const char *path, struct fault *fault) {
    FILE *in = fopen(path, "r");
    if (!in) return fault_set(fault, (struct place){0}, "%s cannot be read", path);
    char *line = NULL;
    size_t size = 0;
    bool fine = true;
    while (fine && getline(&line, &size, in) > 0) fine = choose(m, line);
    free(line);
    fclose(in);
    return fine || fault_set(fault, (struct place){0}, "%s has a line that is none of a list", path);
}

bool pass_mutants(struct design *design, const char *argument, struct fault *fault) {
    struct mutants m = {.design = design, .pool = &design->pool};
    m.chosen.pool = m.mutated.pool = m.pool;
    m.names = names_create(m.pool);
    const char *colon = strchr(argument, ':');
    if (*argument && !colon) return fault_set(fault, (struct place){0}, "is LIST:TOP, not '%s'", argument);
    if (colon) {
        m.top = colon + 1;
        if (!read_list(&m, pool_text(m.pool, argument, (size_t)(colon - argument)), fault)) return false;
    }
    char *list = NULL;
    size_t size = 0;
    m.list = open_memstream(&list, &size);
    if (!m.list) return fault_set(fault, (struct place){0}, "no memory");
    for (struct module *module = design->modules; module; module = module->next) change_module(&m, module);
    fclose(m.list);
    if (!m.top) design->report = pool_text(m.pool, list, size);
    free(list);
    return m.applied == m.count || fault_set(fault, (struct place){0}, "%u of %u mutants found", m.applied, m.count);
}
