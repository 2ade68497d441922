/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *file, int line, const char *what, const char *text) {
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, text);
    exit(2);
}

void *enlarge(void *list, size_t count, size_t size) {
    /* doubled at each power of two */
    if (count & (count - 1)) return list;
    void *larger = realloc(list, (count ? 2 * count : 1) * size);
    if (!larger) fail("calculator", 0, "out of memory", "");
    return larger;
}

char *copy_text(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) fail("calculator", 0, "out of memory", "");
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    if (!file) fail(path, 0, "cannot be opened", "");
    if (getdelim(&text, &room, 0, file) < 0 || ferror(file)) fail(path, 0, "cannot be read", "");
    fclose(file);
    return text;
}

void skip_blanks(const char **at) {
    while (isspace((unsigned char)**at)) ++*at;
}

bool skip(const char **at, const char *token) {
    const char *p = *at;
    skip_blanks(&p);
    if (strncmp(p, token, strlen(token)) != 0) return false;
    *at = p + strlen(token);
    return true;
}

size_t name_length(const char *at) {
    size_t n = 0;
    if (isdigit((unsigned char)*at)) return 0;
    while (isalnum((unsigned char)at[n]) || (at[n] && strchr("_$", at[n]))) n++;
    return n;
}

bool is_name(const char *at, size_t length, const char *name) {
    return strlen(name) == length && memcmp(at, name, length) == 0;
}

/* ---- expressions: a sum of products of numbers, with 32 bits ---- */

static bool read_factor(const char **at, const struct names *names, uint32_t *value) {
    const char *p = *at;
    if (skip(&p, "-")) {
        if (!read_factor(&p, names, value)) return false;
        *value = 0 - *value;
    } else if (skip(&p, "(")) {
        if (!read_number(&p, names, value) || !skip(&p, ")")) return false;
    } else {
        skip_blanks(&p);
        size_t length = name_length(p);
        char *end = NULL;
        size_t n = 0;
        if (isdigit((unsigned char)*p)) {
            *value = (uint32_t)strtoul(p, &end, 0);
            p = end;
        } else {
            while (names && n < names->count && !is_name(p, length, names->list[n].text)) n++;
            if (!names || length == 0 || n == names->count) return false;
            *value = names->list[n].value;
            p += length;
        }
    }
    *at = p;
    return true;
}

static bool read_product(const char **at, const struct names *names, uint32_t *value) {
    if (!read_factor(at, names, value)) return false;
    uint32_t factor = 0;
    while (skip(at, "*")) {
        if (!read_factor(at, names, &factor)) return false;
        *value *= factor;
    }
    return true;
}

bool read_number(const char **at, const struct names *names, uint32_t *value) {
    const char *p = *at;
    uint32_t other = 0;
    if (!read_product(&p, names, value)) return false;
    for (;;) {
        if (skip(&p, "<<")) {
            if (!read_product(&p, names, &other)) return false;
            *value <<= other;
        } else if (skip(&p, "+")) {
            if (!read_product(&p, names, &other)) return false;
            *value += other;
        } else if (skip(&p, "-")) {
            if (!read_product(&p, names, &other)) return false;
            *value -= other;
        } else {
            break;
        }
    }
    *at = p;
    return true;
}
