/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of a text cubin, see cubin_scan.h. */
#include "cubin_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void advance(struct cubin_scan *s) {
    if (*s->at++ != '\n') return;
    s->line++;
    s->line_start = s->at;
}

static bool begins(const struct cubin_scan *s, const char *prefix) {
    size_t n = strlen(prefix);
    return (size_t)(s->end - s->at) >= n && memcmp(s->at, prefix, n) == 0;
}

/* Skips blanks and comments; an unterminated comment reaches to the end of the file. */
static void skip(struct cubin_scan *s) {
    while (s->at < s->end) {
        if (memchr(" \t\r\n", *s->at, 4) != NULL) {
            advance(s);
        } else if (begins(s, "//") || *s->at == '#') {
            while (s->at < s->end && *s->at != '\n') s->at++;
        } else if (begins(s, "/*")) {
            for (s->at += 2; s->at < s->end && !begins(s, "*/");) advance(s);
            s->at += s->at < s->end ? 2 : 0;
        } else {
            return;
        }
    }
}

struct cubin_token cubin_next(struct cubin_scan *s) {
    static const char ends[] = "{}= \t\r\n#";
    skip(s);
    struct cubin_token t = {.text = s->at, .line = s->line, .column = (unsigned)(s->at - s->line_start) + 1};
    if (s->at >= s->end) return t;
    t.length = 1;
    switch (*s->at++) {
    case '{': t.kind = CUBIN_OPEN; return t;
    case '}': t.kind = CUBIN_CLOSE; return t;
    case '=': t.kind = CUBIN_EQUALS; return t;
    default: break;
    }
    while (s->at < s->end && memchr(ends, *s->at, sizeof ends - 1) == NULL && !begins(s, "//") && !begins(s, "/*"))
        s->at++;
    t.kind = CUBIN_WORD;
    t.length = (size_t)(s->at - t.text);
    return t;
}

bool cubin_is(const struct cubin_token *t, const char *text) {
    return t->kind == CUBIN_WORD && t->length == strlen(text) && memcmp(t->text, text, t->length) == 0;
}

bool cubin_number(const struct cubin_token *t, unsigned base, uint32_t *value) {
    const char *s = t->text, *end = s + t->length;
    if (t->length > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) s += 2, base = 16;
    uint64_t v = 0;
    for (; s < end; s++) {
        char l = (char)(*s | 32);
        unsigned digit = *s >= '0' && *s <= '9' ? (unsigned)(*s - '0')
                         : l >= 'a' && l <= 'f' ? (unsigned)(l - 'a') + 10
                                                : 16;
        if (digit >= base) return false;
        v = v * base + digit;
        if (v > UINT32_MAX) return false;
    }
    *value = (uint32_t)v;
    return t->kind == CUBIN_WORD;
}

enum status cubin_fail(const struct cubin_scan *s, const struct cubin_token *t, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return diag_set(s->diag, STATUS_BAD_INPUT, s->path, t->line, t->column, "%s", text);
}

enum status cubin_no_memory(const struct cubin_scan *s) {
    return diag_set(s->diag, STATUS_NO_MEMORY, s->path, 0, 0, "out of memory");
}
