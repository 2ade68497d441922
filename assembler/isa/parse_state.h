/* SPDX-License-Identifier: Apache-2.0 */
/* A text while it is parsed. A wrong text is parsed twice: first fast, then with `explain` set, which notes the
 * expected tokens at the furthest place. */
#ifndef WARPSTEP_ISA_PARSE_STATE_H
#define WARPSTEP_ISA_PARSE_STATE_H

#include "../../spec/table.h"
#include "isa.h"
#include "lex.h"

enum { PARSE_VALUES_MAX = 48, PARSE_EXPECTED_MAX = 48 };

struct parse_value {
    uint8_t name; /* enum isa_field */
    uint32_t value;
};

struct parse {
    const struct lexeme *lex;
    const struct isa_scope *scope;
    struct parse_value values[PARSE_VALUES_MAX]; /* along the path being tried */
    size_t value_count;
    size_t row; /* the result */

    bool explain;
    size_t furthest;                           /* index of a lexeme */
    bool has_message;                          /* error holds a message about the furthest place */
    struct token expected[PARSE_EXPECTED_MAX]; /* there */
    size_t expected_count;
    struct isa_error *error;
};

/* True if the field is set already on this path; *value is its value. */
bool parse_find(const struct parse *p, enum isa_field name, uint32_t *value);

/* Notes that `token` would have been accepted at lex[at]; returns false. */
bool parse_expect(struct parse *p, size_t at, const struct token *token);

/* Notes an error at lex[at], unless a later one is noted already; returns false. */
bool parse_fail(struct parse *p, size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool parse_note(struct parse *p, size_t at, const struct isa_error *error);

#endif
