/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

bool tsv_next(FILE *f, char *line, size_t size, char **column, size_t *count) {
    do {
        if (fgets(line, (int)size, f) == NULL) return false;
    } while (line[0] == '#');
    line[strcspn(line, "\n")] = '\0';
    *count = 0;
    for (char *s = line; s != NULL && *count < TSV_COLUMNS_MAX;) {
        column[(*count)++] = s;
        s = strchr(s, '\t');
        if (s != NULL) *s++ = '\0';
    }
    return true;
}

void normalize_spaces(char *text) {
    char *to = text;
    for (const char *from = text; *from != '\0'; from++)
        if (!(from[0] == ' ' && from[1] == '[')) *to++ = *from;
    *to = '\0';
}

void parse_words(const char *text, uint32_t *lo, uint32_t *hi) {
    char *rest;
    *lo = (uint32_t)strtoul(text, &rest, 16);
    *hi = (uint32_t)strtoul(rest, NULL, 16);
}

uint64_t random_seed(void) {
    const char *given = getenv("SEED");
    uint64_t seed = given != NULL ? strtoull(given, NULL, 0) : 20260731;
    print_message("SEED=%llu\n", (unsigned long long)seed);
    return seed * 2 + 1;
}

uint32_t random_next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 16);
}

void assemble_good(const char *text, struct assembly *a) {
    struct messages m;
    messages_init(&m, "test.sass", text, strlen(text));
    enum status status = assemble_text(NULL, a, &m);
    messages_print(&m, stderr);
    messages_release(&m);
    assert_int_equal(status, STATUS_OK);
}

size_t count_warnings(const char *text, enum warning kind) {
    struct messages m;
    struct assembly a;
    size_t count = 0;
    messages_init(&m, "test.sass", text, strlen(text));
    assert_int_equal(assemble_text(NULL, &a, &m), STATUS_OK);
    assert_int_equal(warn_kernel(&a, &m), STATUS_OK);
    for (size_t i = 0; i < m.count; i++) count += kind == WARN_COUNT || m.list[i].warning == kind ? 1 : 0;
    assembly_release(&a);
    messages_release(&m);
    return count;
}

void assemble_bad(const char *text, struct diag *d) {
    struct messages m;
    struct assembly a;
    messages_init(&m, "test.sass", text, strlen(text));
    assert_int_equal(assemble_text(NULL, &a, &m), STATUS_BAD_INPUT);
    assert_null(a.image);
    assert_int_equal(messages_first(&m, d), STATUS_BAD_INPUT);
    messages_release(&m);
}
