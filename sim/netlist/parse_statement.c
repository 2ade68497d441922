// SPDX-License-Identifier: Apache-2.0
#include "parser.h"

static struct stmt *new_at(struct parser *p, enum stmt_kind kind) {
    struct stmt *stmt = stmt_new(p->design, kind);
    stmt->place = p->token.place;
    return stmt;
}

static struct stmt *assignment(struct parser *p) {
    struct stmt *stmt = new_at(p, STMT_ASSIGN);
    stmt->target = parse_target(p);
    stmt->waits = parser_takes(p, "<=");
    if (!stmt->waits) parser_expect(p, "=");
    stmt->value = parse_expression(p);
    stmt->remark = parser_semicolon(p);
    return stmt;
}

static struct stmt *conditional(struct parser *p) {
    struct stmt *stmt = new_at(p, STMT_IF);
    parser_expect(p, "if");
    parser_expect(p, "(");
    stmt->value = parse_expression(p);
    parser_expect(p, ")");
    stmt->first = parse_statement(p);
    if (parser_takes(p, "else")) stmt->otherwise = parse_statement(p);
    return stmt;
}

static struct stmt *choice(struct parser *p) {
    const struct expr *label = NULL;
    struct place place = p->token.place;
    if (!parser_takes(p, "default")) label = parse_expression(p);
    parser_expect(p, ":");
    struct stmt *does = parse_statement(p);
    does->label = label;
    does->place = place;
    return does;
}

static struct stmt *choices(struct parser *p) {
    struct stmt *stmt = new_at(p, STMT_CASE);
    parser_expect(p, "case");
    parser_expect(p, "(");
    stmt->value = parse_expression(p);
    parser_expect(p, ")");
    for (struct stmt **end = &stmt->first; p->token.kind != TOKEN_END && !parser_is(p, "endcase"); end = &(*end)->next)
        *end = choice(p);
    p->keeps_comments = true;
    parser_expect(p, "endcase");
    return stmt;
}

static struct stmt *block(struct parser *p) {
    struct stmt *stmt = new_at(p, STMT_BLOCK);
    parser_expect(p, "begin");
    for (struct stmt **end = &stmt->first; p->token.kind != TOKEN_END && !parser_is(p, "end"); end = &(*end)->next)
        *end = parse_statement(p);
    p->keeps_comments = true;
    parser_expect(p, "end");
    return stmt;
}

static struct stmt *task(struct parser *p) {
    struct stmt *stmt = new_at(p, STMT_TASK);
    stmt->value = parse_expression(p);
    stmt->remark = parser_semicolon(p);
    return stmt;
}

static struct stmt *statement(struct parser *p) {
    // The comment after a statement has been read: another one here would be lost.
    if (p->token.kind == TOKEN_COMMENT) parser_fail(p, "a statement");
    p->keeps_comments = false;
    if (parser_is(p, "if")) return conditional(p);
    if (parser_is(p, "case")) return choices(p);
    if (parser_is(p, "begin")) return block(p);
    if (p->token.kind == TOKEN_SYSTEM) return task(p);
    return assignment(p);
}

struct stmt *parse_statement(struct parser *p) {
    struct stmt *stmt = parser_enter(p) ? statement(p) : stmt_new(p->design, STMT_BLOCK);
    parser_leave(p);
    return stmt;
}
