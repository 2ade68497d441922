/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the command line, see number.h. */
#include "number.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"

static bool read_float(const char *text, double *value) {
    char *end;
    if (text[0] == '\0' || isspace((unsigned char)text[0])) return false;
    *value = strtod(text, &end);
    return *end == '\0';
}

bool number_is_one(const char *text) {
    double value;
    return read_float(text, &value);
}

unsigned number_type_bytes(const char *type) {
    const unsigned long bits = strchr("usbf", type[0]) != NULL ? strtoul(type + 1, NULL, 10) : 0;
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? (unsigned)bits / 8 : 0;
}

/* From -2^(n-1) to 2^n - 1, of n bits. */
static bool read_integer(const char *text, unsigned bytes, uint64_t *bits) {
    const bool minus = text[0] == '-';
    const uint64_t ones = UINT64_MAX >> (64 - 8 * bytes);
    const char *digits = text + (minus || text[0] == '+' ? 1 : 0);
    uint64_t magnitude;
    if (!argument_number(digits, minus ? ones / 2 + 1 : ones, &magnitude, NULL)) return false;
    *bits = (minus ? ~magnitude + 1 : magnitude) & ones;
    return true;
}

static bool read_single(const char *text, uint64_t *bits) {
    double unused;
    uint32_t word;
    if (!read_float(text, &unused)) return false;
    const float value = strtof(text, NULL); /* rounded once */
    memcpy(&word, &value, sizeof word);
    *bits = word;
    return true;
}

static bool read_double(const char *text, uint64_t *bits) {
    double value;
    if (!read_float(text, &value)) return false;
    memcpy(bits, &value, sizeof value);
    return true;
}

/* Half precision: nearest, ties to even; infinite beyond the largest number. */
static uint64_t to_half(uint64_t bits) {
    const uint64_t sign = bits >> 63 << 15, fraction = bits & (((uint64_t)1 << 52) - 1);
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (exponent == 1024 && fraction != 0) return 0x7fff;
    if (exponent > 15) return sign | 0x7c00;
    if (exponent < -25) return sign;
    const unsigned drop = exponent >= -14 ? 42 : (unsigned)(28 - exponent); /* subnormal: units of 2^-24 */
    const uint64_t whole = fraction | (uint64_t)1 << 52, half = (uint64_t)1 << (drop - 1);
    const uint64_t units = (whole + half - 1 + (whole >> drop & 1)) >> drop;
    /* the leading bit, and a carry, add to the exponent */
    return sign | (units + (exponent >= -14 ? (uint64_t)(exponent + 14) << 10 : 0));
}

static bool read_half(const char *text, uint64_t *bits) {
    if (!read_double(text, bits)) return false;
    *bits = to_half(*bits);
    return true;
}

static bool is_fraction(const char *text) {
    return strncmp(text, "0x", 2) != 0 && strncmp(text, "-0x", 3) != 0 && strpbrk(text, ".eE") != NULL;
}

bool number_convert(const char *text, const char *type, uint64_t *bits, char *expected, size_t size) {
    const unsigned bytes = number_type_bytes(type);
    const bool is_float = type[0] == 'f' || (type[0] == 'b' && bytes >= 2 && is_fraction(text));
    if (is_float && bytes >= 2) {
        snprintf(expected, size, "a number, of type %s", type);
        return bytes == 2 ? read_half(text, bits) : bytes == 4 ? read_single(text, bits) : read_double(text, bits);
    }
    if (bytes == 0 || is_float) {
        snprintf(expected, size, "an argument of type %s, which the command line cannot give", type);
        return false;
    }
    const uint64_t ones = UINT64_MAX >> (64 - 8 * bytes);
    snprintf(expected, size, "an integer from -%" PRIu64 " to %" PRIu64 ", of type %s", ones / 2 + 1, ones, type);
    return read_integer(text, bytes, bits);
}
