/* SPDX-License-Identifier: Apache-2.0 */
/* See lexer.h. */
#include "lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct lexer lexer_open(const char *text) {
    return (struct lexer){text, text, 1};
}

static void new_line(struct lexer *l) {
    l->line++;
    l->line_start = l->at + 1;
}

/* Skips blanks and comments; an unterminated comment ends the text. */
static void skip_blanks(struct lexer *l) {
    for (; *l->at != '\0'; l->at++) {
        if (*l->at == '\n') {
            new_line(l);
        } else if (l->at[0] == '/' && l->at[1] == '/') {
            while (l->at[1] != '\n' && l->at[1] != '\0') l->at++;
        } else if (l->at[0] == '/' && l->at[1] == '*') {
            for (l->at += 2; *l->at != '\0' && !(l->at[0] == '*' && l->at[1] == '/'); l->at++)
                if (*l->at == '\n') new_line(l);
            if (*l->at == '\0') return;
            l->at++;
        } else if (!isspace((unsigned char)*l->at)) {
            return;
        }
    }
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%'; }

/* 0f3F800000, 0d...: the bits of a number with this many digits. False if there are fewer. */
static bool read_bits(struct lexer *l, unsigned digits, uint64_t *bits) {
    *bits = 0;
    for (unsigned i = 0; i < digits; i++, l->at++) {
        if (!isxdigit((unsigned char)*l->at)) return false;
        const char c = (char)tolower((unsigned char)*l->at);
        *bits = *bits << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return !in_name(*l->at);
}

static bool read_decimal(struct lexer *l, struct token *token) {
    char *end;
    const double value = strtod(l->at, &end);
    token->literal = DECIMAL;
    memcpy(&token->number, &value, sizeof value);
    l->at = end;
    return !in_name(*end);
}

static bool read_integer(struct lexer *l, struct token *token) {
    char *end;
    const bool binary = l->at[0] == '0' && (l->at[1] == 'b' || l->at[1] == 'B');
    token->literal = INTEGER;
    token->number = strtoull(l->at + (binary ? 2 : 0), &end, binary ? 2 : 0);
    l->at = *end == 'U' ? end + 1 : end;
    return !in_name(*l->at);
}

static bool read_numeral(struct lexer *l, struct token *token) {
    const char second = (char)tolower((unsigned char)l->at[1]);
    if (l->at[0] == '0' && (second == 'f' || second == 'd')) {
        l->at += 2;
        token->literal = second == 'f' ? F32_BITS : F64_BITS;
        return read_bits(l, second == 'f' ? 8 : 16, &token->number);
    }
    const char *p = l->at;
    while (isdigit((unsigned char)*p)) p++;
    const bool decimal = *p == '.' || (second != 'x' && (*p == 'e' || *p == 'E'));
    return decimal ? read_decimal(l, token) : read_integer(l, token);
}

static bool read_string(struct lexer *l) {
    for (l->at++; *l->at != '"'; l->at++)
        if (*l->at == '\0' || *l->at == '\n') return false;
    l->at++;
    return true;
}

struct token lexer_next(struct lexer *l) {
    skip_blanks(l);
    struct token token = {
        .start = l->at, .place = {l->line, (int)(l->at - l->line_start) + 1}
    };
    bool good = true;
    if (*l->at == '\0') return token;
    if (isdigit((unsigned char)*l->at)) {
        token.kind = NUMERAL;
        good = read_numeral(l, &token);
    } else if (*l->at == '"') {
        token.kind = STRING;
        good = read_string(l);
    } else if (*l->at == '.' && in_name(l->at[1])) {
        token.kind = DOTTED;
        token.start = ++l->at;
        while (in_name(*l->at)) l->at++;
    } else if (in_name(*l->at)) {
        token.kind = NAME;
        while (in_name(*l->at)) l->at++;
    } else {
        token.kind = SIGN;
        l->at++;
    }
    token.length = (size_t)(l->at - token.start);
    if (!good) token.kind = BAD_TOKEN;
    return token;
}

bool token_is(const struct token *token, const char *text) {
    return token->kind != END_OF_TEXT && token->length == strlen(text) &&
           memcmp(token->start, text, token->length) == 0;
}
