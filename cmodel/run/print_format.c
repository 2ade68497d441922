/* SPDX-License-Identifier: Apache-2.0 */
/* A format of printf with its arguments, see printer.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/word_at.h"
#include "../../assembler/image/printed.h"
#include "printer.h"

enum { WORD = 4, SPEC = 16 };

/* ---- arguments ---- */

/* Returns the next argument; zeros if the record has no more. */
static struct printer_argument take_argument(struct printer *p) {
    static const uint8_t zeros[PRINTED_LARGEST];
    if (p->next < p->count) return p->arguments[p->next++];
    return (struct printer_argument){.bytes = zeros, .size = PRINTED_LARGEST};
}

static uint64_t load_number(const uint8_t *bytes, unsigned size) {
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++) value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static int64_t extend(uint64_t value, unsigned size, bool is_signed) {
    const unsigned bits = 64 - 8 * size;
    return is_signed ? (int64_t)(value << bits) >> bits : (int64_t)(value << bits >> bits);
}

static double half_value(uint64_t half) {
    const int exponent = (int)(half >> 10 & 31);
    const double mantissa = (double)(half & 0x3ff), sign = (half & 0x8000) != 0 ? -1 : 1;
    if (exponent == 31) return mantissa != 0 ? copysign(NAN, sign) : sign * INFINITY;
    return sign * (exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024, exponent - 25));
}

static double real_value(uint64_t value, unsigned size) {
    double number;
    float single;
    const uint32_t bits = (uint32_t)value;
    if (size == 2) return half_value(value);
    if (size == sizeof single) {
        memcpy(&single, &bits, sizeof single);
        return (double)single;
    }
    memcpy(&number, &value, sizeof number);
    return number;
}

/* ---- conversions ---- */

/* Writes a conversion such as "%-*.*lld", which takes width and precision as arguments. */
static void make_spec(const struct printed_conversion *c, const char *length, char spec[SPEC]) {
    static const char FLAGS[] = "-+ #0";
    *spec++ = '%';
    for (unsigned i = 0; FLAGS[i] != '\0'; i++)
        if ((c->flags >> i & 1) != 0) *spec++ = FLAGS[i];
    snprintf(spec, SPEC - sizeof FLAGS, "*.*%s%c", length, c->kind);
}

static int minimum_width(const struct printed_conversion *c) { return c->width == PRINTED_NONE ? 0 : c->width; }

static bool is_among(char kind, const char *kinds) { return kind != '\0' && strchr(kinds, kind) != NULL; }

static bool is_real(const struct printed_conversion *c) { return is_among(c->kind, "aAeEfFgG"); }

/* Prints a number of `size` bytes. */
static void print_number(const struct printer *p, const struct printed_conversion *c, uint64_t value, unsigned size) {
    char spec[SPEC];
    const bool is_signed = is_among(c->kind, "di");
    make_spec(c, is_real(c) ? "" : "ll", spec);
    if (is_real(c))
        fprintf(p->out, spec, minimum_width(c), c->precision, real_value(value, size));
    else
        fprintf(p->out, spec, minimum_width(c), c->precision, (long long)extend(value, size, is_signed));
}

static unsigned length_bytes(enum printed_length length, unsigned other) {
    switch (length) {
    case PRINTED_HH: return 1;
    case PRINTED_H: return 2;
    case PRINTED_HL: return WORD;
    case PRINTED_L:
    case PRINTED_LL:
    case PRINTED_J: return 8;
    default: return other;
    }
}

static void print_scalar(struct printer *p, const struct printed_conversion *c) {
    const struct printer_argument a = take_argument(p);
    const unsigned size = a.size < 8 ? a.size : 8, most = c->length >= PRINTED_Z ? 8 : length_bytes(c->length, WORD);
    print_number(p, c, load_number(a.bytes, size), is_real(c) || size < most ? size : most);
}

static void print_vector(struct printer *p, const struct printed_conversion *c) {
    const struct printer_argument a = take_argument(p);
    const unsigned places = c->vector == 3 ? 4 : c->vector;
    const unsigned natural = a.size >= places ? a.size / places : 1, size = length_bytes(c->length, natural);
    for (unsigned i = 0; i < c->vector; i++) {
        const bool is_there = (i + 1) * size <= a.size && size <= 8;
        if (i > 0) fputc(',', p->out);
        print_number(p, c, is_there ? load_number(a.bytes + i * size, size) : 0, size <= 8 ? size : 8);
    }
}

static void print_string(struct printer *p, const struct printed_conversion *c) {
    char spec[SPEC];
    const struct printer_argument a = take_argument(p);
    const size_t most = c->precision == PRINTED_NONE ? PRINTER_LONGEST : (size_t)c->precision;
    const char *text = printer_read_string(p, &p->strings, &a, most);
    make_spec(c, "", spec);
    fprintf(p->out, spec, minimum_width(c), c->precision, text != NULL ? text : "(null)");
}

static void print_pointer(struct printer *p, const struct printed_conversion *c) {
    char spec[SPEC];
    const struct printer_argument a = take_argument(p);
    const uintptr_t address = (uintptr_t)load_number(a.bytes, a.size < 8 ? a.size : 8);
    void *pointer;
    memcpy(&pointer, &address, sizeof pointer);
    make_spec(c, "", spec);
    fprintf(p->out, spec, minimum_width(c), c->precision, pointer);
}

static void print_character(struct printer *p, const struct printed_conversion *c) {
    char spec[SPEC];
    const struct printer_argument a = take_argument(p);
    make_spec(c, "", spec);
    fprintf(p->out, spec, minimum_width(c), c->precision, a.bytes[0]);
}

static int take_star_value(struct printer *p) {
    const int32_t number = (int32_t)word_at(take_argument(p).bytes);
    if (number > PRINTED_WIDEST) return PRINTED_WIDEST;
    return number < -PRINTED_WIDEST ? -PRINTED_WIDEST : number;
}

/* Replaces each * by its argument. A negative width aligns to the left; a negative precision counts as none. */
static void set_star_values(struct printer *p, struct printed_conversion *c) {
    if (c->width == PRINTED_STAR) {
        c->width = take_star_value(p);
        if (c->width < 0) c->flags |= PRINTED_LEFT;
        c->width = abs(c->width);
    }
    if (c->precision == PRINTED_STAR) c->precision = take_star_value(p);
    if (c->precision < 0) c->precision = PRINTED_NONE;
}

static void print_conversion(struct printer *p, const char *text, size_t length, struct printed_conversion *c) {
    set_star_values(p, c);
    if (c->kind == 's')
        print_string(p, c);
    else if (c->kind == 'p')
        print_pointer(p, c);
    else if (c->kind == 'c')
        print_character(p, c);
    else if (c->kind == 'n')
        take_argument(p);
    else if (printed_takes(c))
        c->vector > 0 ? print_vector(p, c) : print_scalar(p, c);
    else if (c->kind == '%')
        fputc('%', p->out);
    else
        fwrite(text, 1, length, p->out);
}

void printer_print_format(struct printer *p, const char *format) {
    while (*format != '\0') {
        struct printed_conversion c;
        const size_t plain = strcspn(format, "%");
        fwrite(format, 1, plain, p->out);
        format += plain;
        if (*format == '\0') return;
        const size_t length = printed_read(format, &c);
        print_conversion(p, format, length, &c);
        format += length;
    }
}
