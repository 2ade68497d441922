// SPDX-License-Identifier: Apache-2.0
#include "parser.h"

#include <string.h>

static const char *const keywords[] = {"module",  "endmodule", "input",      "output",  "inout",   "wire",
                                       "reg",     "assign",    "always",     "initial", "begin",   "end",
                                       "case",    "endcase",   "default",    "if",      "else",    "posedge",
                                       "negedge", "or",        "localparam", "typedef", "generate"};

void parser_fail(struct parser *p, const char *wanted) {
    if (p->token.kind == TOKEN_END)
        fault_set(p->fault, p->token.place, "the text ends where %s is expected", wanted);
    else
        fault_set(p->fault, p->token.place, "%s is expected, not '%.*s'", wanted,
                  (int)(p->token.length < 40 ? p->token.length : 40), p->token.text);
    p->token = (struct token){.kind = TOKEN_END, .place = p->token.place};
}

// A comment within a statement would be lost.
void parser_step(struct parser *p) {
    if (p->fault->found) return;
    p->last_line = p->lexer.line;
    p->token = lexer_next(&p->lexer);
    if (p->token.kind == TOKEN_WRONG) parser_fail(p, "Verilog");
    if (p->token.kind == TOKEN_COMMENT && !p->keeps_comments) parser_fail(p, "no comment");
}

bool parser_is(const struct parser *p, const char *text) {
    return p->token.kind != TOKEN_END && p->token.kind != TOKEN_STRING && p->token.kind != TOKEN_COMMENT &&
           token_is(&p->token, text);
}

bool parser_takes(struct parser *p, const char *text) {
    if (!parser_is(p, text)) return false;
    parser_step(p);
    return true;
}

void parser_expect(struct parser *p, const char *text) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, "'%s'", text);
    if (!parser_takes(p, text)) parser_fail(p, wanted);
}

char *parser_text(struct parser *p) {
    char *text = pool_text(&p->design->pool, p->token.text, p->token.length);
    parser_step(p);
    return text;
}

static bool is_keyword(const struct parser *p) {
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (token_is(&p->token, keywords[i])) return true;
    return false;
}

static bool has_name(struct parser *p) {
    if (p->token.kind == TOKEN_NAME && !is_keyword(p)) return true;
    parser_fail(p, "a name");
    return false;
}

const char *parser_name(struct parser *p) { return has_name(p) ? parser_text(p) : ""; }

struct net *parser_net(struct parser *p) {
    if (!has_name(p)) return module_net(p->module, "", 0);
    struct net *net = module_net(p->module, p->token.text, p->token.length);
    parser_step(p);
    return net;
}

const char *parser_range(struct parser *p) {
    if (!parser_is(p, "[")) return NULL;
    const char *from = p->token.text;
    parser_step(p);
    for (int i = 0; i < 2; i++) {
        if (p->token.kind != TOKEN_NUMBER) parser_fail(p, "a number");
        parser_step(p);
        if (i == 0) parser_expect(p, ":");
    }
    if (!parser_is(p, "]")) {
        parser_fail(p, "']'");
        return NULL;
    }
    const char *text = pool_text(&p->design->pool, from, (size_t)(p->token.text - from) + 1);
    parser_step(p);
    return text;
}

const char *parser_semicolon(struct parser *p) {
    if (!parser_is(p, ";")) {
        parser_fail(p, "';'");
        return NULL;
    }
    p->keeps_comments = true;
    parser_step(p);
    return parser_remark(p);
}

const char *parser_remark(struct parser *p) {
    if (p->token.kind != TOKEN_COMMENT || p->token.begins_line || memcmp(p->token.text, "//", 2) != 0) return NULL;
    const char *remark =
        pool_text(&p->design->pool, p->token.text - p->token.spaces, p->token.spaces + p->token.length);
    parser_step(p);
    return remark;
}

enum { DEEPEST = 2000 };

bool parser_enter(struct parser *p) {
    if (++p->depth <= DEEPEST) return true;
    parser_fail(p, "less nesting");
    return false;
}

void parser_leave(struct parser *p) { p->depth--; }
