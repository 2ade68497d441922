// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "parser.h"

static unsigned bits_of(const char *range) { return range ? (unsigned)strtoul(range + 1, NULL, 10) + 1 : 1; }

// `word` has been read: its type, its range.
static void declared_as(struct parser *p, const char **type, const char **range) {
    *type = p->token.kind == TOKEN_NAME && p->token.text[0] == '\\' && p->token.text[p->token.length] == ' ' &&
                    p->token.text[p->token.length + 1] == ' '
                ? parser_name(p)
                : NULL;
    *range = *type ? NULL : parser_range(p);
}

static struct item *declaration(struct parser *p, struct item *item) {
    item->kind = ITEM_DECLARATION;
    if (p->token.text[0] != '\\') item->text = parser_text(p);
    declared_as(p, &item->type, &item->range);
    item->net = parser_net(p);
    item->depth = parser_range(p);
    item->net->is_memory = item->depth != NULL;
    item->net->is_register = item->text && strcmp(item->text, "reg") == 0;
    item->net->is_constant = item->text && strcmp(item->text, "localparam") == 0;
    item->net->bits = item->type ? 0 : bits_of(item->range);
    if (parser_takes(p, "=")) item->value = parse_expression(p);
    item->remark = parser_semicolon(p);
    return item;
}

// The text that the pass `hide` puts before and after a declaration.
static void expect_comment(struct parser *p, const char *text) {
    if (!token_is(&p->token, text)) parser_fail(p, text);
    parser_step(p);
}

static struct item *hidden(struct parser *p, struct item *item) {
    item->hidden = HIDDEN_FROM_WAVES;
    parser_step(p);
    if (token_is(&p->token, "/*verilator coverage_off*/")) {
        item->hidden = HIDDEN_FROM_COVERAGE;
        parser_step(p);
    }
    p->keeps_comments = false;
    declaration(p, item);
    expect_comment(p, "/*verilator tracing_on*/");
    if (item->hidden == HIDDEN_FROM_COVERAGE) expect_comment(p, "/*verilator coverage_on*/");
    item->remark = parser_remark(p);
    return item;
}

static struct item *assignment(struct parser *p, struct item *item) {
    item->kind = ITEM_ASSIGN;
    parser_expect(p, "assign");
    item->target = parse_target(p);
    parser_expect(p, "=");
    item->value = parse_expression(p);
    item->remark = parser_semicolon(p);
    return item;
}

static const struct edge *edges(struct parser *p) {
    struct edge *first = NULL;
    struct edge **end = &first;
    parser_expect(p, "(");
    do {
        *end = pool_take(&p->design->pool, sizeof **end);
        (*end)->word = parser_takes(p, "posedge") ? "posedge" : parser_takes(p, "negedge") ? "negedge" : "";
        (*end)->signal = parse_expression(p);
        end = &(*end)->next;
    } while (parser_takes(p, "or"));
    parser_expect(p, ")");
    return first;
}

static struct item *process(struct parser *p, struct item *item) {
    item->kind = parser_is(p, "always") ? ITEM_ALWAYS : ITEM_INITIAL;
    parser_step(p);
    if (item->kind == ITEM_ALWAYS) {
        parser_expect(p, "@");
        if (!parser_takes(p, "*")) item->edges = edges(p);
    }
    item->does = parse_statement(p);
    return item;
}

static struct item *instance(struct parser *p, struct item *item) {
    item->kind = ITEM_INSTANCE;
    item->text = parser_name(p);
    item->instance = parser_name(p);
    parser_expect(p, "(");
    struct connection **end = &item->connections;
    while (parser_takes(p, ".")) {
        *end = pool_take(&p->design->pool, sizeof **end);
        (*end)->port = parser_name(p);
        parser_expect(p, "(");
        if (!parser_is(p, ")")) (*end)->value = parse_expression(p);
        parser_expect(p, ")");
        end = &(*end)->next;
        if (!parser_takes(p, ",")) break;
    }
    parser_expect(p, ")");
    item->remark = parser_semicolon(p);
    return item;
}

static bool is_typed(const struct parser *p) {
    return p->token.text[0] == '\\' && p->token.text[p->token.length] == ' ' &&
           p->token.text[p->token.length + 1] == ' ';
}

struct item *parse_item(struct parser *p) {
    struct item *item = item_new(p->design, ITEM_COMMENT);
    item->place = p->token.place;
    if (p->token.kind == TOKEN_COMMENT) {
        if (token_is(&p->token, "/*verilator tracing_off*/")) return hidden(p, item);
        item->text = parser_text(p);
        return item;
    }
    p->keeps_comments = false;
    if (parser_is(p, "assign")) return assignment(p, item);
    if (parser_is(p, "always") || parser_is(p, "initial")) return process(p, item);
    if (parser_is(p, "wire") || parser_is(p, "reg") || parser_is(p, "localparam")) return declaration(p, item);
    if (p->token.kind == TOKEN_NAME && is_typed(p)) return declaration(p, item);
    return instance(p, item);
}
