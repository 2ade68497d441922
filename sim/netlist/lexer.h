// SPDX-License-Identifier: Apache-2.0
// Verilog as a sequence of words. Comments are words too, as what ghdl says in them is kept.
//
//     struct lexer lexer = {.file = "f.v", .at = text, .line = 1, .line_start = text};
//     struct token t = lexer_next(&lexer);
#ifndef WARPSTEP_NETLIST_LEXER_H
#define WARPSTEP_NETLIST_LEXER_H

#include <stdbool.h>
#include <stddef.h>

#include "tree.h"

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,   // also keywords; an escaped name has its backslash
    TOKEN_SYSTEM, // $signed
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_MARK, // an operator or a punctuation mark
    TOKEN_COMMENT,
    TOKEN_WRONG, // no word of Verilog, or one that does not end
};

struct token {
    enum token_kind kind;
    const char *text; // in the source
    size_t length;
    size_t spaces; // before it, on its line
    bool begins_line;
    struct place place;
};

struct lexer {
    const char *at, *line_start;
    unsigned line;
};

struct token lexer_next(struct lexer *lexer);
bool token_is(const struct token *token, const char *text);

#endif
