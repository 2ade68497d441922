/* SPDX-License-Identifier: Apache-2.0 */
/* Notes, at the furthest place that the parser has reached, of the expected tokens and of the error. */
#include "parse_state.h"

#include <stdarg.h>
#include <stdio.h>

bool parse_find(const struct parse *p, enum isa_field name, uint32_t *value) {
    for (size_t i = 0; i < p->value_count; i++) {
        if (p->values[i].name != name) continue;
        *value = p->values[i].value;
        return true;
    }
    return false;
}

bool parse_note(struct parse *p, size_t at, const struct isa_error *error) {
    if (!p->explain || at < p->furthest || (at == p->furthest && p->has_message)) return false;
    if (at > p->furthest) p->expected_count = 0;
    p->furthest = at;
    p->has_message = true;
    *p->error = *error;
    return false;
}

bool parse_fail(struct parse *p, size_t at, const char *format, ...) {
    struct isa_error error = {.kind = ISA_ERROR_OTHER};
    if (!p->explain) return false;
    char text[sizeof error.text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    lex_error(&error, &p->lex[at], "%s", text);
    return parse_note(p, at, &error);
}

bool parse_expect(struct parse *p, size_t at, const struct token *token) {
    if (!p->explain || at < p->furthest) return false;
    if (at > p->furthest) {
        p->expected_count = 0;
        p->has_message = false;
        p->furthest = at;
    }
    if (p->expected_count < PARSE_EXPECTED_MAX) p->expected[p->expected_count++] = *token;
    return false;
}
