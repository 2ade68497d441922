// SPDX-License-Identifier: Apache-2.0
// The parser's shared state: one word ahead, and the first fault. After a fault the parser sees only the end of the
// text, so that all loops end.
#ifndef WARPSTEP_NETLIST_PARSER_H
#define WARPSTEP_NETLIST_PARSER_H

#include "fault.h"
#include "lexer.h"
#include "tree.h"

struct parser {
    struct design *design;
    struct module *module;
    struct lexer lexer;
    struct token token; // the next one; comments only on request
    unsigned last_line; // line of the previous word
    bool keeps_comments;
    unsigned depth; // nesting of expressions and statements
    struct fault *fault;
};

void parser_step(struct parser *p);
bool parser_is(const struct parser *p, const char *text);
// Takes the word if it is this one.
bool parser_takes(struct parser *p, const char *text);
void parser_expect(struct parser *p, const char *text);
void parser_fail(struct parser *p, const char *wanted);
// A name that is no keyword; "" after a fault.
const char *parser_name(struct parser *p);
struct net *parser_net(struct parser *p);
// [31:0] as written; NULL if missing.
const char *parser_range(struct parser *p);
// The semicolon, and the comment after it on its line.
const char *parser_semicolon(struct parser *p);
// A comment that ends the current line, with the blanks before it; NULL if missing.
const char *parser_remark(struct parser *p);
char *parser_text(struct parser *p);
// One level deeper, and back; false, with a fault, beyond the depth of any ghdl design.
bool parser_enter(struct parser *p);
void parser_leave(struct parser *p);

const struct expr *parse_expression(struct parser *p);
// A net, bits of one, or a concatenation of these.
const struct expr *parse_target(struct parser *p);
struct stmt *parse_statement(struct parser *p);
struct item *parse_item(struct parser *p);

#endif
