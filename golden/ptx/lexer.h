/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of a PTX text. */
#ifndef GOLDEN_PTX_LEXER_H
#define GOLDEN_PTX_LEXER_H

#include "ptx.h"

/* NAME: %r1, $L2, add; DOTTED: .reg, .u32, without its dot; NUMERAL has a value; SIGN is one character. */
enum token_kind { END_OF_TEXT, NAME, DOTTED, NUMERAL, STRING, SIGN, BAD_TOKEN };

struct token {
    enum token_kind kind;
    struct place place;
    const char *start;
    size_t length;
    enum literal literal;
    uint64_t number; /* of DECIMAL, the bits of a double */
};

struct lexer {
    const char *at, *line_start;
    int line;
};

struct lexer lexer_open(const char *text);
struct token lexer_next(struct lexer *lexer);

bool token_is(const struct token *token, const char *text);

#endif
