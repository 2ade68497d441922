/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts a source text, with blank comments, into lines and statements. Shared by the first pass and expand.c. */
#ifndef WARPSTEP_LINES_H
#define WARPSTEP_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static inline bool starts_with(const char *s, size_t length, const char *prefix) {
    const size_t n = strlen(prefix);
    return length >= n && memcmp(s, prefix, n) == 0;
}

/* True for a character of a name. */
static inline bool is_name_char(char c) {
    return c == '_' || c == '$' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* The first offset in at..end that is not blank. */
static inline size_t skip_blanks(const char *text, size_t at, size_t end) {
    while (at < end && is_blank(text[at])) at++;
    return at;
}

/* The end without trailing blanks. */
static inline size_t trim_blanks(const char *text, size_t at, size_t end) {
    while (end > at && is_blank(text[end - 1])) end--;
    return end;
}

/* The end of the line at `at`, which continues while it ends in a comma. */
static inline size_t line_end(const char *text, size_t at, size_t size) {
    for (;;) {
        const char *newline = memchr(text + at, '\n', size - at);
        size_t end = newline != NULL ? (size_t)(newline - text) : size, last = trim_blanks(text, at, end);
        if (newline == NULL || last == at || text[last - 1] != ',') return end;
        at = end + 1;
    }
}

/* The end of the statement at `at`: a ';' outside quotes, or the end of the line. */
static inline size_t statement_end(const char *text, size_t at, size_t end) {
    for (bool quoted = false; at < end && (quoted || text[at] != ';'); at++)
        if (text[at] == '"') quoted = !quoted;
    return at;
}

/* Length of the name at `at`, 0 if none. */
static inline size_t name_length(const char *text, size_t at, size_t end) {
    size_t n = 0;
    while (at + n < end && is_name_char(text[at + n])) n++;
    return n;
}

/* Length of an nvdisasm label, ".L_1": a dot first, a colon right behind it. 0: none. */
static inline size_t dotted_length(const char *text, size_t at, size_t end) {
    size_t n = 0;
    while (at + n < end && (is_name_char(text[at + n]) || text[at + n] == '.')) n++;
    return n > 1 && text[at] == '.' && at + n < end && text[at + n] == ':' ? n : 0;
}

/* Length of "name:" at `at`, with the colon; 0 if there is no label. *name_bytes is that of the name alone. */
static inline size_t label_length(const char *text, size_t at, size_t end, size_t *name_bytes) {
    *name_bytes = dotted_length(text, at, end);
    if (*name_bytes > 0) return *name_bytes + 1;
    *name_bytes = name_length(text, at, end);
    size_t colon = skip_blanks(text, at + *name_bytes, end);
    bool is_label = *name_bytes > 0 && !(text[at] >= '0' && text[at] <= '9') && colon < end && text[colon] == ':';
    return is_label ? colon + 1 - at : 0;
}

#endif
