/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts text into lexemes, and evaluates expressions: shared by the instruction parser and the assembler's directives.
 *
 *     struct lexeme lex[64]; struct isa_error error;
 *     if (lex_line(text, length, NULL, lex, 64, &error) == 0) ...  // error says what and where
 *     size_t at = 0; int64_t value;
 *     if (lex_expression(lex, &at, NULL, &value, &error)) ...      // at is behind the expression
 *
 * Spaces and comments separate lexemes and are dropped; a line always ends in LEX_END. */
#ifndef WARPSTEP_ISA_LEX_H
#define WARPSTEP_ISA_LEX_H

#include "isa.h"

enum lexeme_kind {
    LEX_END,
    LEX_WORD,     /* R4L, IADD, loop */
    LEX_MODIFIER, /* .U16: its text includes the '.' */
    LEX_NUMBER,   /* 0x1f, 31, 0b11111 */
    LEX_STRING,   /* "..": its text excludes the quotes */
    LEX_PUNCT,    /* one character */
};

struct lexeme {
    const char *text; /* of an alias: the text that it stands for */
    uint32_t text_length;
    uint32_t start, length; /* position in the line, bytes */
    uint32_t value;         /* NUMBER */
    uint8_t kind;           /* enum lexeme_kind */
};

/* Cuts a line into lexemes. Returns their number, including the final LEX_END, or 0 with *error filled; a line of more
 * than max - 1 lexemes is an error. Every word is looked up in scope (which may be NULL) and replaced if it is an
 * alias. */
size_t lex_line(const char *text, size_t length, const struct isa_scope *scope, struct lexeme *lex, size_t max,
                struct isa_error *error);

/* The value of the C-like integer expression that begins at lex[*at]: + - * / % << >> & ^ | ~ ( ), numbers and names of
 * scope. Moves *at behind it. On failure returns false and fills *error. */
bool lex_expression(const struct lexeme *lex, size_t *at, const struct isa_scope *scope, int64_t *value,
                    struct isa_error *error);

bool lexeme_is(const struct lexeme *l, const char *text);

static inline bool lexeme_is_punct(const struct lexeme *l, char c) { return l->kind == LEX_PUNCT && l->text[0] == c; }

/* The hint for 1.0, 1e6, 0f3f800000. */
extern const char lex_floating_point[];

/* Fills *error with a printf-like text and the span of the lexeme, without a hint. */
void lex_error(struct isa_error *error, const struct lexeme *l, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Distance between two words in insertions, deletions and exchanges, ignoring case; more than 2 is reported as 3. */
unsigned lex_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
