// SPDX-License-Identifier: Apache-2.0
#include "vhdl_lexer.h"

#include <ctype.h>
#include <string.h>

// Longer ones first.
static const char *const marks[] = {"?/=", "?<=", "?>=", "<=", ">=", "/=", ":=", "=>", "**", "<>", "?=", "?<",
                                    "?>",  "<<",  ">>",  "??", "(",  ")",  "[",  "]",  ",",  ";",  ":",  ".",
                                    "'",   "+",   "-",   "*",  "/",  "&",  "=",  "<",  ">",  "|",  "@",  "?"};

static size_t mark_length(const char *at) {
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(at, marks[i], strlen(marks[i])) == 0) return strlen(marks[i]);
    return 0;
}

// Letters, digits and underscores between them, from `length` on.
static size_t name_length(const char *at, size_t length) {
    while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
    return length;
}

// Between quotes; two quotes stand for one in the text. 0 if it does not end on its line.
static size_t quoted_length(const char *at) {
    for (size_t length = 1; at[length] && at[length] != '\n'; length++) {
        if (at[length] != at[0]) continue;
        if (at[length + 1] != at[0]) return length + 1;
        length++;
    }
    return 0;
}

// 12, 1_000, 16#ff#
static size_t number_length(const char *at) {
    size_t length = name_length(at, 0);
    if (at[length] != '#') return length;
    length = name_length(at, length + 1);
    return at[length] == '#' ? length + 1 : 0;
}

// '0' is a character; bit'('0') begins with the mark of an attribute.
static bool is_character(const char *at) {
    return at[0] == '\'' && at[1] && at[2] == '\'' && !(at[1] == '(' && at[3] && at[4] == '\'');
}

static void scan_vhdl(struct token *token, const char *at) {
    token->kind = TOKEN_MARK;
    token->length = mark_length(at);
    if (at[0] == '-' && at[1] == '-') {
        token->kind = TOKEN_COMMENT;
        token->length = strcspn(at, "\n");
    } else if (isalpha((unsigned char)at[0])) {
        size_t length = name_length(at, 0);
        token->kind = at[length] == '"' ? TOKEN_STRING : TOKEN_NAME;
        token->length = token->kind == TOKEN_NAME ? length : length + quoted_length(at + length);
    } else if (isdigit((unsigned char)at[0])) {
        token->kind = TOKEN_NUMBER;
        token->length = number_length(at);
    } else if (at[0] == '"' || at[0] == '\\') {
        token->kind = at[0] == '"' ? TOKEN_STRING : TOKEN_NAME;
        token->length = quoted_length(at);
    } else if (is_character(at)) {
        token->kind = TOKEN_CHARACTER;
        token->length = 3;
    }
}

struct token vhdl_next(struct lexer *lexer) {
    return lexer_take(lexer, scan_vhdl);
}

struct token vhdl_next_word(struct lexer *lexer) {
    struct token token = vhdl_next(lexer);
    while (token.kind == TOKEN_COMMENT) token = vhdl_next(lexer);
    return token;
}
