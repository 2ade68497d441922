// SPDX-License-Identifier: Apache-2.0
#include "lexer.h"

#include <ctype.h>
#include <string.h>

// Longer ones first.
static const char *const marks[] = {">>>", "<<<", "===", "!==", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>",
                                    "**",  "+:",  "-:",  "~&",  "~|", "~^", "^~", "(",  ")",  "[",  "]",  "{",
                                    "}",   ";",   ":",   ",",   ".",  "@",  "#",  "?",  "=",  "+",  "-",  "*",
                                    "/",   "%",   "&",   "|",   "^",  "~",  "!",  "<",  ">"};

static bool part_of_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static size_t name_length(const char *at) {
    size_t length = 0;
    if (at[0] == '\\') {
        while (at[length] && !isspace((unsigned char)at[length])) length++;
        return length;
    }
    while (part_of_name(at[length])) length++;
    return length;
}

// 12, 4'b0101, 'b1.
static size_t number_length(const char *at) {
    size_t length = 0;
    while (isdigit((unsigned char)at[length]) || at[length] == '_') length++;
    if (at[length] != '\'') return length;
    length++;
    if (at[length] == 's' || at[length] == 'S') length++;
    if (!at[length] || !strchr("bodhBODH", at[length])) return 0;
    length++;
    size_t digits = length;
    while (isxdigit((unsigned char)at[length]) || (at[length] && strchr("xXzZ_?", at[length]))) length++;
    return length > digits ? length : 0;
}

// 0 if it does not end.
static size_t string_length(const char *at) {
    for (size_t length = 1; at[length] && at[length] != '\n'; length++)
        if (at[length] == '\\' && at[length + 1])
            length++;
        else if (at[length] == '"')
            return length + 1;
    return 0;
}

static size_t comment_length(const char *at) {
    if (at[1] == '/') return strcspn(at, "\n");
    const char *end = strstr(at + 2, "*/");
    return end ? (size_t)(end - at) + 2 : 0;
}

static size_t mark_length(const char *at) {
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(at, marks[i], strlen(marks[i])) == 0) return strlen(marks[i]);
    return 0;
}

static void scan_verilog(struct token *token, const char *at) {
    char c = at[0];
    if (isalpha((unsigned char)c) || c == '_' || c == '\\') {
        token->kind = TOKEN_NAME;
        token->length = name_length(at);
    } else if (c == '$') {
        token->kind = TOKEN_SYSTEM;
        token->length = name_length(at);
    } else if (isdigit((unsigned char)c) || c == '\'') {
        token->kind = TOKEN_NUMBER;
        token->length = number_length(at);
    } else if (c == '"') {
        token->kind = TOKEN_STRING;
        token->length = string_length(at);
    } else if (c == '/' && (at[1] == '/' || at[1] == '*')) {
        token->kind = TOKEN_COMMENT;
        token->length = comment_length(at);
    } else {
        token->kind = TOKEN_MARK;
        token->length = mark_length(at);
    }
}

struct token lexer_take(struct lexer *lexer, token_scan *scan) {
    struct token token = {.kind = TOKEN_END};
    token.begins_line = lexer->at == lexer->line_start;
    while (isspace((unsigned char)*lexer->at)) {
        token.spaces++;
        if (*lexer->at++ != '\n') continue;
        lexer->line++;
        lexer->line_start = lexer->at;
        token.begins_line = true;
        token.spaces = 0;
    }
    token.text = lexer->at;
    token.place = (struct place){lexer->line, (unsigned)(lexer->at - lexer->line_start) + 1};
    if (*lexer->at) scan(&token, lexer->at);
    if (*lexer->at && token.length == 0) {
        token.kind = TOKEN_WRONG;
        token.length = 1;
    }
    for (size_t i = 0; i < token.length; i++)
        if (token.text[i] == '\n') {
            lexer->line++;
            lexer->line_start = token.text + i + 1;
        }
    lexer->at += token.length;
    return token;
}

struct token lexer_next(struct lexer *lexer) {
    return lexer_take(lexer, scan_verilog);
}

bool token_is(const struct token *token, const char *text) {
    return strlen(text) == token->length && memcmp(token->text, text, token->length) == 0;
}
