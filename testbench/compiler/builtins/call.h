/* SPDX-License-Identifier: Apache-2.0 */
/* Built-in functions of OpenCL C, as rows: the call in a kernel, and the host's reference. */
#ifndef WARPSTEP_BUILTINS_CALL_H
#define WARPSTEP_BUILTINS_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact.h"

enum { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, TYPE_COUNT, WIDEST = 16, MOST_ARGUMENTS = 3 };

struct type {
    const char *name;
    unsigned bytes;
    bool is_signed, is_real;
};
extern const struct type TYPES[TYPE_COUNT];

/* A component: a 64-bit integer, extended by its type; for a float the number and its bits. */
struct value {
    int64_t s;
    uint64_t u;
    real r;
};
struct value value_of(int64_t s);
struct value value_of_real(real r);

/* Rounding, by the last letter of _rte, _rtz, _rtp, _rtn. */
enum rounding { NEAREST = 'e', TO_ZERO = 'z', UP = 'p', DOWN = 'n' };

struct builtin;
struct call {
    const struct builtin *builtin;
    unsigned type, width; /* of the kernel: the general type */
};

/* A row. The signature is the result's letter, then the arguments' of `x`, `y` and `w`:
 *
 *     T general type    U unsigned, S signed, D twice as wide    I int    F float    H ushort
 *     B result of a comparison    t, u, s, i, f: the same as scalars, for any width
 *
 * An argument F has any size for x and y, and is between -8 and 8 for w. The text is an expression, with $ and a letter
 * for a type, $w for the width, $p for the padding components of a vector in memory; after a ! it is a statement that
 * writes `*out`; NULL: name(x, y, w). */
struct builtin {
    const char *name, *types, *signature, *text;
    bool (*one)(const struct call *call, const struct value *v, struct value *result); /* false: any result is right */
    bool (*all)(const struct call *call, struct value v[MOST_ARGUMENTS][WIDEST], struct value *result);
    double bound; /* error bound of a real result: units of the last place; below 0: absolute, or relative for results
                   * above 1 */
    unsigned least_width, most_width; /* 0: any */
    real (*exact)(real x, real y);
    unsigned to; /* of conversions: the type of the result R, rounding and saturation */
    enum rounding rounding;
    bool saturates, is_of_powers; /* not of 3 */
};

struct builtins {
    struct builtin *rows;
    size_t count;
};

void add_row(struct builtins *all, struct builtin row);
void add_integers(struct builtins *all);
void add_reals(struct builtins *all);
void add_conversions(struct builtins *all);
void add_vectors(struct builtins *all);

/* The type that a letter stands for. */
unsigned type_of(const struct call *call, char letter);

/* convert.c: to an integer, which may not fit; to a float. */
bool whole_of(real r, enum rounding rounding, real *whole);
float float_of(real r, enum rounding rounding);
uint32_t half_of(float f, enum rounding rounding);
float float_of_half(uint32_t half);

#endif
