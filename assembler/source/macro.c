/* SPDX-License-Identifier: Apache-2.0 */
/* Definition, call and body of a macro. */
#include "macro.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../isa/mnemonic.h"
#include "lines.h"

static bool fail(struct isa_error *error, size_t start, size_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool fail(struct isa_error *error, size_t start, size_t length, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    error->kind = ISA_ERROR_OTHER;
    error->start = start;
    error->length = length;
    error->help[0] = '\0';
    return false;
}

static bool same_name(struct span name, const char *text, size_t length) {
    return name.length == length && memcmp(name.text, text, length) == 0;
}

/* ---- definition ---- */

/* The end of an argument or default: the next comma outside brackets and quotes. */
static size_t argument_end(const char *text, size_t at, size_t end) {
    int depth = 0;
    bool quoted = false;
    for (; at < end; at++) {
        char c = text[at];
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (c == '(' || c == '[' || c == '{') depth++;
        if (c == ')' || c == ']' || c == '}') depth--;
        if (c == ',' && depth <= 0) break;
    }
    return at;
}

static bool add_parameter(struct macro *m, size_t *at, size_t base, struct isa_error *error) {
    const char *text = m->line.text;
    size_t size = m->line.size, n = name_length(text, *at, size);
    if (n == 0) return fail(error, base + *at, 1, "expected the name of a parameter, found '%c'", text[*at]);
    for (size_t i = 0; i < m->parameter_count; i++)
        if (same_name(m->parameter[i].name, text + *at, n))
            return fail(error, base + *at, n, "parameter '%.*s' is defined twice", (int)n, text + *at);
    if (m->parameter_count == MACRO_PARAMETERS_MAX)
        return fail(error, base + *at, n, "macro has more than %d parameters", MACRO_PARAMETERS_MAX);
    m->parameter[m->parameter_count].name = (struct span){text + *at, n};
    *at = skip_blanks(text, *at + n, size);
    if (*at < size && text[*at] == '=') {
        size_t start = skip_blanks(text, *at + 1, size);
        *at = argument_end(text, start, size);
        m->parameter[m->parameter_count].value = (struct span){text + start, trim_blanks(text, start, *at) - start};
    }
    m->parameter_count++;
    if (*at < size && text[*at] == ',') *at = skip_blanks(text, *at + 1, size);
    return true;
}

bool macro_define(struct macro *m, const struct flow *from, size_t start, size_t end, struct isa_error *error) {
    start = skip_blanks(from->text, start, end);
    size_t n = name_length(from->text, start, end);
    *m = (struct macro){
        .name = {NULL, 0}
    };
    if (n == 0 || (from->text[start] >= '0' && from->text[start] <= '9'))
        return fail(error, start, n > 0 ? n : 1, "expected a macro name");
    if (isa_mnemonic_bytes(from->text + start, n) != 0)
        return fail(error, start, n, "'%.*s' is an instruction", (int)n, from->text + start);
    flow_append(&m->line, from, start, trim_blanks(from->text, start, end), FLOW_SAME_USE);
    if (m->line.failed) return true; /* the caller checks it */
    m->name = (struct span){m->line.text, n};
    for (size_t at = skip_blanks(m->line.text, n, m->line.size); at < m->line.size;)
        if (!add_parameter(m, &at, start, error)) return false;
    return true;
}

void macro_release(struct macro *m) {
    flow_release(&m->line);
    flow_release(&m->body);
}

/* ---- call ---- */

/* The index of the parameter that "name=value" names, or parameter_count. */
static size_t named_parameter(const struct macro *m, const char *text, size_t at, size_t end, size_t *value) {
    size_t n = name_length(text, at, end), equals = skip_blanks(text, at + n, end), i = m->parameter_count;
    if (n == 0 || equals == end || text[equals] != '=') return i;
    for (i = 0; i < m->parameter_count && !same_name(m->parameter[i].name, text + at, n);) i++;
    if (i < m->parameter_count) *value = skip_blanks(text, equals + 1, end);
    return i;
}

bool macro_bind(const struct macro *m, const struct flow *call, size_t start, size_t end, struct substitution *list,
                struct isa_error *error) {
    const char *text = call->text, *name = m->name.text;
    size_t next = 0;
    for (size_t i = 0; i < m->parameter_count; i++) list[i] = (struct substitution){.name = m->parameter[i].name};
    for (size_t at = skip_blanks(text, start, end); at < end;) {
        size_t stop = argument_end(text, at, end), last = trim_blanks(text, at, stop), value = at;
        size_t i = named_parameter(m, text, at, last, &value);
        if (i == m->parameter_count) i = next++;
        if (i >= m->parameter_count)
            return fail(error, at, last - at, "macro '%.*s' has only %zu parameters", (int)m->name.length, name,
                        m->parameter_count);
        if (list[i].value.text != NULL)
            return fail(error, at, last - at, "parameter '%.*s' is given twice", (int)list[i].name.length,
                        list[i].name.text);
        if (last > value) list[i].value = (struct span){text + value, last - value};
        at = stop < end ? skip_blanks(text, stop + 1, end) : end;
    }
    for (size_t i = 0; i < m->parameter_count; i++) {
        if (list[i].value.text == NULL) list[i].value = m->parameter[i].value;
        if (list[i].value.text == NULL)
            return fail(error, start, 1, "macro '%.*s' needs a value for '%.*s'", (int)m->name.length, name,
                        (int)list[i].name.length, list[i].name.text);
    }
    return true;
}

/* ---- body ---- */

static const struct substitution *find_name(const struct substitution *list, size_t count, const char *text,
                                            size_t length) {
    for (size_t i = 0; i < count; i++)
        if (same_name(list[i].name, text, length)) return &list[i];
    return NULL;
}

void macro_substitute(struct flow *to, const struct flow *body, const struct substitution *list, size_t count,
                      uint32_t number, uint32_t use, size_t limit) {
    size_t done = 0;
    for (size_t at = 0; at + 1 < body->size && to->size <= limit;) {
        const char *s = memchr(body->text + at, '\\', body->size - 1 - at);
        if (s == NULL) break;
        at = (size_t)(s - body->text);
        size_t n = name_length(body->text, at + 1, body->size);
        const struct substitution *found = find_name(list, count, s + 1, n);
        char digits[16];
        struct span value = {"", 0};
        if (found != NULL) {
            value = found->value;
        } else if (s[1] == '@') {
            value = (struct span){digits, (size_t)snprintf(digits, sizeof digits, "%" PRIu32, number)};
            n = 1;
        } else if (s[1] == '(' && s[2] == ')') {
            n = 2;
        } else {
            at++; /* of an inner .rept, or an error that the lexer reports */
            continue;
        }
        flow_append(to, body, done, at, use);
        flow_append_fixed(to, value.text, value.length, body, at, use);
        at += 1 + n;
        done = at;
    }
    flow_append(to, body, done, body->size, use);
}
