/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions in formats, see printed.h. */
#include "printed.h"

#include <string.h>

static const char *read_flags(const char *at, unsigned *flags) {
    static const char FLAGS[] = "-+ #0";
    for (const char *flag; *at != '\0' && (flag = strchr(FLAGS, *at)) != NULL; at++) *flags |= 1u << (flag - FLAGS);
    return at;
}

static const char *read_digits(const char *at, int *number) {
    for (*number = 0; *at >= '0' && *at <= '9'; at++)
        if (*number < PRINTED_WIDEST) *number = 10 * *number + (*at - '0');
    if (*number > PRINTED_WIDEST) *number = PRINTED_WIDEST;
    return at;
}

static const char *read_number(const char *at, int *number) {
    if (*at != '*') return read_digits(at, number);
    *number = PRINTED_STAR;
    return at + 1;
}

static bool is_vector(int elements) {
    return elements == 2 || elements == 3 || elements == 4 || elements == 8 || elements == 16;
}

static const char *read_vector(const char *at, unsigned *vector) {
    int elements;
    const char *end = read_digits(at + 1, &elements);
    if (!is_vector(elements)) return at;
    *vector = (unsigned)elements;
    return end;
}

/* The longest that fits. */
static const char *read_length(const char *at, enum printed_length *length) {
    static const struct {
        char text[3];
        enum printed_length length;
    } LENGTHS[] = {
        {"hh", PRINTED_HH},
        {"hl", PRINTED_HL},
        {"h",  PRINTED_H },
        {"ll", PRINTED_LL},
        {"l",  PRINTED_L },
        {"L",  PRINTED_LL},
        {"j",  PRINTED_J },
        {"z",  PRINTED_Z },
        {"t",  PRINTED_T },
    };
    for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
        const size_t size = strlen(LENGTHS[i].text);
        if (strncmp(at, LENGTHS[i].text, size) != 0) continue;
        *length = LENGTHS[i].length;
        return at + size;
    }
    return at;
}

size_t printed_read(const char *format, struct printed_conversion *c) {
    const char *at = format + 1;
    *c = (struct printed_conversion){.width = PRINTED_NONE, .precision = PRINTED_NONE};
    at = read_flags(at, &c->flags);
    if (*at == '*' || (*at >= '0' && *at <= '9')) at = read_number(at, &c->width);
    if (*at == '.') at = read_number(at + 1, &c->precision);
    if (*at == 'v') at = read_vector(at, &c->vector);
    at = read_length(at, &c->length);
    c->kind = *at;
    return (size_t)(at - format) + (*at != '\0');
}

bool printed_takes(const struct printed_conversion *c) {
    return c->kind != '\0' && strchr("diouxXfFeEgGaAcspn", c->kind) != NULL;
}
