// SPDX-License-Identifier: Apache-2.0
// Cuts a text into words: Verilog, in which comments are words too, because ghdl's comments are kept, or VHDL
// (vhdl_lexer.h).
//
//     struct lexer lexer = lexer_of(text);
//     struct token t = lexer_next(&lexer);
#ifndef WARPSTEP_NETLIST_LEXER_H
#define WARPSTEP_NETLIST_LEXER_H

#include <stdbool.h>
#include <stddef.h>

#include "tree.h"

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,   // also keywords; an escaped name includes its backslash
    TOKEN_SYSTEM, // $signed
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_CHARACTER, // of VHDL: '0'
    TOKEN_MARK,      // an operator or a punctuation mark
    TOKEN_COMMENT,
    TOKEN_WRONG, // invalid in Verilog, or unterminated
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

// The kind and the length of the word at `at`; a length of 0: none.
typedef void token_scan(struct token *token, const char *at);

static inline struct lexer lexer_of(const char *text) {
    return (struct lexer){.at = text, .line_start = text, .line = 1};
}
// The next word of any language, and of Verilog.
struct token lexer_take(struct lexer *lexer, token_scan *scan);
struct token lexer_next(struct lexer *lexer);
bool token_is(const struct token *token, const char *text);

#endif
