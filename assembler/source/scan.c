/* SPDX-License-Identifier: Apache-2.0 */
/* Comments of a source text. */
#include "scan.h"

#include <stdlib.h>
#include <string.h>

#include "lines.h"

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool take_prefix(const char **s, size_t *length) {
    const bool prefixed = *length > 2 && (*s)[0] == '0' && ((*s)[1] | 32) == 'x';
    if (prefixed) *s += 2, *length -= 2;
    return prefixed;
}

/* The digits of a number; -1: other characters. The last 16 digits count, in value[0] and, from the ninth on,
 * value[1]. */
static int read_digits(const char **s, size_t *length, uint32_t value[2]) {
    int count = 0;
    value[0] = value[1] = 0;
    for (; *length > 0 && !is_blank(**s) && **s != ','; ++*s, --*length, count++) {
        const int digit = hex_digit(**s);
        if (digit < 0) return -1;
        uint32_t *word = &value[count / 8 & 1];
        *word = *word << 4 | (uint32_t)digit;
    }
    return count;
}

/* A second word of 8 digits after a blank or comma; false for any other text. */
static bool read_second(const char *s, size_t length, uint32_t *word) {
    uint32_t value[2];
    while (length > 0 && (is_blank(*s) || *s == ',')) s++, length--;
    take_prefix(&s, &length);
    if (read_digits(&s, &length, value) != 8 || length > 0) return false;
    *word = value[0];
    return true;
}

/* Reads the contents of a comment: "0008" without a space is an address; "0x" with 8 or 16 digits, or two numbers of 8
 * digits, are words. */
static bool read_note(const char *s, size_t length, struct scan_note *note) {
    const bool tight = length > 0 && !is_blank(*s);
    while (length > 0 && is_blank(*s)) s++, length--;
    while (length > 0 && is_blank(s[length - 1])) length--;
    const bool prefixed = take_prefix(&s, &length);
    const int digits = read_digits(&s, &length, note->value);
    if (digits <= 0 || (length > 0 && (digits != 8 || !read_second(s, length, &note->value[1])))) return false;
    note->is_address = !prefixed && tight && digits >= 4 && digits <= 6;
    note->words = digits == 16 || length > 0 ? 2 : digits == 8 ? 1 : 0;
    note->is_doubtful = !note->is_address && (!prefixed || note->words == 0);
    return prefixed || note->is_address || note->words > 0;
}

static bool add_note(struct scan *scan, size_t *capacity, const struct scan_note *note) {
    if (scan->note_count == *capacity) {
        size_t larger = *capacity > 0 ? *capacity * 2 : 64;
        struct scan_note *grown = realloc(scan->notes, larger * sizeof *grown);
        if (grown == NULL) return false;
        scan->notes = grown;
        *capacity = larger;
    }
    scan->notes[scan->note_count++] = *note;
    return true;
}

static void blank(char *s, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (s[i] != '\n') s[i] = ' ';
}

/* The line that holds the comment, which is already blanked, without its blanks. */
static const char *line_around(const struct scan *scan, size_t at, size_t *length) {
    size_t start = at, end = at;
    while (start > 0 && scan->clean[start - 1] != '\n') start--;
    while (end < scan->size && scan->clean[end] != '\n') end++;
    start = skip_blanks(scan->clean, start, end);
    *length = trim_blanks(scan->clean, start, end) - start;
    return scan->clean + start;
}

void scan_order(struct scan *scan) {
    scan->order = (struct word_order){0};
    for (size_t i = 0; i < scan->note_count; i++) {
        const struct scan_note *n = &scan->notes[i];
        size_t length;
        if (n->is_address) continue;
        const char *line = line_around(scan, n->offset, &length);
        if (!n->is_doubtful && length > 0 && *line != ';' && *line != '.') scan->is_listing = true;
        if (n->words != 2) continue;
        word_order_add(&scan->order, n->value[0], n->value[1]);
        if (length > 0) word_order_add_text(&scan->order, n->value[0], n->value[1], line, length);
    }
    scan->low_first = word_order_low_first(&scan->order);
}

unsigned scan_words(const struct scan *scan, const struct scan_note *note, uint32_t *lo, uint32_t *hi) {
    bool swap = note->words == 2 && !scan->low_first;
    *lo = note->value[swap ? 1 : 0];
    *hi = note->words == 2 ? note->value[swap ? 0 : 1] : 0;
    return note->words;
}

/* Length of the comment or string at `at`, 0 if neither begins there. Reports an unterminated one. */
static size_t span_length(const struct scan *scan, size_t at, struct messages *m) {
    const char *s = scan->clean + at;
    size_t left = scan->size - at;
    if (s[0] == '/' && left > 1 && s[1] == '/') {
        const char *end = memchr(s, '\n', left);
        return end != NULL ? (size_t)(end - s) : left;
    }
    if (s[0] == '/' && left > 1 && s[1] == '*') {
        for (size_t i = 2; i + 1 < left; i++)
            if (s[i] == '*' && s[i + 1] == '/') return i + 2;
        messages_add(m, at, 2, "comment is never closed");
        return left;
    }
    if (s[0] != '"') return 0;
    for (size_t i = 1; i < left && s[i] != '\n'; i++)
        if (s[i] == '"') return i + 1;
    return 0; /* the lexer reports it */
}

enum status scan_text(const char *text, size_t size, struct scan *scan, struct messages *m) {
    size_t capacity = 0;
    *scan = (struct scan){.clean = malloc(size + 1), .size = size};
    if (scan->clean == NULL) return STATUS_NO_MEMORY;
    memcpy(scan->clean, text, size);
    scan->clean[size] = '\0';
    for (size_t at = 0; at < size;) {
        size_t length = span_length(scan, at, m);
        struct scan_note note = {.offset = at};
        if (length == 0) {
            at++;
        } else {
            bool string = scan->clean[at] == '"', block = !string && scan->clean[at + 1] == '*';
            if (block && length >= 4 && read_note(scan->clean + at + 2, length - 4, &note) &&
                !add_note(scan, &capacity, &note)) {
                scan_release(scan);
                return STATUS_NO_MEMORY;
            }
            if (!string) blank(scan->clean + at, length);
            at += length;
        }
    }
    scan_order(scan);
    return STATUS_OK;
}

void scan_release(struct scan *scan) {
    free(scan->clean);
    free(scan->notes);
    *scan = (struct scan){0};
}
