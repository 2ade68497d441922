// SPDX-License-Identifier: Apache-2.0
// Expressions, by the precedence of their operators. ghdl writes one operator in each, so that little precedence is
// needed.
#include <string.h>

#include "parser.h"

static const char *const levels[][5] = {
    {"||"  },
    {"&&"  },
    {"|"   },
    {"^",    "~^", "^~"},
    {"&" },
    {"==",    "!=", "===", "!=="},
    {"<",   "<=", ">", ">="},
    {"<<", ">>", "<<<", ">>>"},
    {"+",      "-"},
    {"*","/", "%"},
    {"**" },
};
enum { LEVELS = sizeof levels / sizeof *levels };

static const char *operator_at(const struct parser *p, size_t level) {
    for (size_t i = 0; i < 5 && levels[level][i]; i++)
        if (parser_is(p, levels[level][i])) return levels[level][i];
    return NULL;
}

// The contents of parentheses or braces, up to and including the closing one.
static struct expr *list(struct parser *p, enum expr_kind kind, const char *text, const char *close) {
    const struct expr **parts = NULL;
    size_t count = 0;
    do {
        parts = pool_grow(&p->design->pool, parts, count, sizeof(struct expr *));
        parts[count++] = parse_expression(p);
    } while (parser_takes(p, ","));
    parser_expect(p, close);
    struct expr *e = expr_new(p->design, kind, text, count);
    memcpy(e->part, parts, count * sizeof(struct expr *));
    return e;
}

// {a, b}, or {3{a}}
static const struct expr *braces(struct parser *p) {
    parser_expect(p, "{");
    const struct expr *first = parse_expression(p);
    if (parser_takes(p, "{")) {
        struct expr *e = expr_new(p->design, EXPR_REPEAT, NULL, 2);
        e->part[0] = first;
        e->part[1] = list(p, EXPR_JOIN, NULL, "}");
        parser_expect(p, "}");
        return e;
    }
    const struct expr **parts = pool_grow(&p->design->pool, NULL, 0, sizeof(struct expr *));
    size_t count = 1;
    parts[0] = first;
    while (parser_takes(p, ",")) {
        parts = pool_grow(&p->design->pool, parts, count, sizeof(struct expr *));
        parts[count++] = parse_expression(p);
    }
    parser_expect(p, "}");
    struct expr *e = expr_new(p->design, EXPR_JOIN, NULL, count);
    memcpy(e->part, parts, count * sizeof(struct expr *));
    return e;
}

// A net of another module keeps its path: gpu_clocked.sm_clk.
static struct net *net_or_path(struct parser *p) {
    struct net *net = parser_net(p);
    while (parser_takes(p, ".")) {
        const char *path = pool_format(&p->design->pool, "%s.%s", net->name, parser_name(p));
        net = module_net(p->module, path, strlen(path));
    }
    return net;
}

static const struct expr *selection(struct parser *p) {
    struct net *net = net_or_path(p);
    if (!parser_takes(p, "[")) return expr_net(p->design, net);
    const struct expr *at = parse_expression(p), *to = NULL;
    const char *between = parser_is(p, ":") ? ":" : parser_is(p, "+:") ? "+:" : parser_is(p, "-:") ? "-:" : NULL;
    if (between) {
        parser_step(p);
        to = parse_expression(p);
    }
    parser_expect(p, "]");
    struct expr *e = expr_new(p->design, between ? EXPR_SLICE : EXPR_BIT, between, between ? 2 : 1);
    e->net = net;
    e->part[0] = at;
    if (between) e->part[1] = to;
    return e;
}

static const struct expr *primary(struct parser *p) {
    if (p->token.kind == TOKEN_NUMBER) return expr_new(p->design, EXPR_NUMBER, parser_text(p), 0);
    if (p->token.kind == TOKEN_STRING) return expr_new(p->design, EXPR_STRING, parser_text(p), 0);
    if (p->token.kind == TOKEN_SYSTEM) {
        const char *function = parser_text(p);
        parser_expect(p, "(");
        return list(p, EXPR_CALL, function, ")");
    }
    if (parser_is(p, "{")) return braces(p);
    if (parser_takes(p, "(")) {
        struct expr *group = expr_new(p->design, EXPR_GROUP, NULL, 1);
        group->part[0] = parse_expression(p);
        parser_expect(p, ")");
        return group;
    }
    return selection(p);
}

static const struct expr *unary(struct parser *p) {
    static const char *const operators[] = {"~", "!", "-", "+", "&", "|", "^", "~&", "~|", "~^"};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (parser_takes(p, operators[i])) {
            const struct expr *of = parser_enter(p) ? unary(p) : expr_number(p->design, "0");
            parser_leave(p);
            return expr_unary(p->design, operators[i], of);
        }
    return primary(p);
}

static const struct expr *binary(struct parser *p, size_t level) {
    if (level == LEVELS) return unary(p);
    const struct expr *e = binary(p, level + 1);
    for (const char *operator; (operator= operator_at(p, level)) != NULL;) {
        parser_step(p);
        e = expr_binary(p->design, operator, e, binary(p, level + 1));
    }
    return e;
}

static const struct expr *choice(struct parser *p) {
    const struct expr *e = binary(p, 0);
    if (!parser_takes(p, "?")) return e;
    const struct expr *then = parse_expression(p);
    parser_expect(p, ":");
    return expr_choice(p->design, e, then, parse_expression(p));
}

const struct expr *parse_expression(struct parser *p) {
    const struct expr *e = parser_enter(p) ? choice(p) : expr_number(p->design, "0");
    parser_leave(p);
    return e;
}

const struct expr *parse_target(struct parser *p) { return parser_is(p, "{") ? braces(p) : selection(p); }
