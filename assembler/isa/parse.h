/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the instruction parser: parse.c walks the tree of patterns, parse_operand.c matches one token of a pattern
 * against the text, parse_error.c words what went wrong. The assembler, which has cut up its lines already, calls
 * isa_parse_lexemes.
 *
 * A text is parsed twice when it is wrong: first fast, then once more with `explain` set, noting at the furthest place
 * reached what would have been accepted there. */
#ifndef WARPSTEP_ISA_PARSE_H
#define WARPSTEP_ISA_PARSE_H

#include "lex.h"
#include "table.h"

enum { PARSE_LEXEMES_MAX = 128, PARSE_VALUES_MAX = 48, PARSE_EXPECTED_MAX = 48 };

struct parse_value {
    uint8_t name; /* enum isa_field */
    uint32_t value;
};

struct parse {
    const struct lexeme *lex;
    const struct isa_scope *scope;
    struct parse_value values[PARSE_VALUES_MAX]; /* along the path that is being tried */
    size_t value_count;
    size_t row; /* the result */

    bool explain;
    size_t furthest;                           /* index of a lexeme */
    bool has_message;                          /* error holds a message about the furthest place */
    struct token expected[PARSE_EXPECTED_MAX]; /* there */
    size_t expected_count;
    struct isa_error *error;
};

/* Matches one token of a pattern at lex[*at], adds the field values it stands for and moves *at behind it. */
bool parse_token(struct parse *p, const struct token *token, size_t *at);

/* True when the field is given already on this path; *value is what it was given. */
bool parse_find(const struct parse *p, enum isa_field name, uint32_t *value);

/* Notes that `token` would have been accepted at lex[at]; returns false. */
bool parse_expect(struct parse *p, size_t at, const struct token *token);

/* Notes what is wrong at lex[at], unless something further on is wrong already; returns false. */
bool parse_fail(struct parse *p, size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Turns what was noted into the error message. */
void parse_word_error(struct parse *p, const struct lexeme *mnemonic);

/* A hint for what is found instead of what belongs there, in the line that the mnemonic begins; NULL: none. */
const char *parse_help(const struct lexeme *mnemonic, const struct lexeme *found);
void parse_word_unknown(const struct lexeme *word, struct isa_error *error);

/* isa_parse for lexemes that end in LEX_END. */
bool isa_parse_lexemes(const struct lexeme *lex, const struct isa_scope *scope, uint32_t *lo, uint32_t *hi,
                       struct isa_error *error);

/* Size in bytes of the instructions of this mnemonic, 0 when there is none. */
unsigned isa_mnemonic_bytes(const char *text, size_t length);

#endif
