/* SPDX-License-Identifier: Apache-2.0 */
#include "real.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../float/reference.h"
#include "bytes.h"

#define QUARTER_TURN 1.57079632679489661923

/* The error of one operation (docs/evidence/error-bounds.md), relative to its result unless noted. */
#define ULP               ldexp(1, -23)  /* of a number with an all-zero fraction: the maximum */
#define ROUNDING          (0.5 * ULP)    /* to nearest */
#define CUT               ULP            /* error of FMAD's truncated product */
#define FLUSH             ldexp(1, -126) /* absolute: smaller results become zero */
#define RCP_ERROR         (0.98 * ULP)   /* errors of functions: the maximum over all operands */
#define RSQ_ERROR         (1.52 * ULP)
#define EX2_ERROR         (1.39 * ULP)
#define LG2_ERROR         exp2(-22.6)         /* absolute, of the fraction; the sum with the exponent is truncated */
#define SIN_ERROR         exp2(-22.4)         /* absolute */
#define COS_ERROR         exp2(-21.5)         /* absolute */
#define RRO_ERROR         ldexp(1, -23)       /* absolute, in powers of two or in quarter turns: dropped bits */
#define TWO_OVER_PI_ERROR (0.5 * ULP)         /* of RRO's constant of 24 bits */
#define HOST              (1 + ldexp(1, -20)) /* for the rounding of this arithmetic in double precision */

static double number_of(uint32_t bits) {
    float number = 0;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

/* The bits, with the error bound of an operation whose operands contribute `carried` and which itself adds `own`. */
static struct real result(uint32_t bits, double value, double carried, double own) {
    return (struct real){bits, value, (carried + own * (fabs(value) + carried) + FLUSH) * HOST};
}

void real_open(void) {
    if (float_reference_open("golden/float/sfu-tables.csv")) return;
    fprintf(stderr, "golden/float/sfu-tables.csv: cannot be read\n");
    exit(2);
}

struct real real_of(uint32_t bits) {
    return (struct real){bits, number_of(bits), 0};
}

struct real real_constant(double value) {
    const float number = (float)value;
    uint32_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    return (struct real){bits, value, fabs((double)number - value) * HOST};
}

struct real real_negate(struct real a) {
    return (struct real){a.bits ^ 0x80000000u, -a.value, a.error};
}

struct real real_magnitude(struct real a) {
    return (struct real){a.bits & 0x7fffffffu, fabs(a.value), a.error};
}

struct real real_add(struct real a, struct real b) {
    return result(reference_fadd(a.bits, b.bits, 0), a.value + b.value, a.error + b.error, ROUNDING);
}

static double product_error(struct real a, struct real b) {
    return fabs(a.value) * b.error + fabs(b.value) * a.error + a.error * b.error;
}

struct real real_mul(struct real a, struct real b) {
    return result(reference_fmul(a.bits, b.bits, 0), a.value * b.value, product_error(a, b), ROUNDING);
}

struct real real_mad(struct real a, struct real b, struct real c) {
    const double product = a.value * b.value, error = product_error(a, b);
    const double cut = CUT * (fabs(product) + error);
    return result(reference_fmad(a.bits, b.bits, c.bits), product + c.value, error + cut + c.error, ROUNDING);
}

struct real real_rcp(struct real a) {
    const double size = fabs(a.value), room = size - a.error;
    const double carried = room > 0 ? a.error / (size * room) : INFINITY;
    return result(reference_rcp(a.bits), 1 / a.value, carried, RCP_ERROR);
}

struct real real_rsq(struct real a) {
    const double value = 1 / sqrt(a.value), room = a.value - a.error;
    return result(reference_rsq(a.bits), value, room > 0 ? 1 / sqrt(room) - value : INFINITY, RSQ_ERROR);
}

struct real real_lg2(struct real a) {
    const double room = a.value - a.error;
    const double carried = room > 0 ? log2(a.value / room) : INFINITY;
    return result(reference_lg2(a.bits), log2(a.value), carried + LG2_ERROR, CUT);
}

struct real real_ex2(struct real a) {
    const double value = exp2(a.value);
    const double carried = value * (exp2(a.error + RRO_ERROR) - 1);
    return result(reference_ex2(reference_rro_ex2(a.bits)), value, carried, EX2_ERROR);
}

/* The error of an angle, in radians, after RRO. */
static double reduced(struct real a) {
    return a.error + TWO_OVER_PI_ERROR * fabs(a.value) + 2 * RRO_ERROR * QUARTER_TURN;
}

struct real real_sin(struct real a) {
    return result(reference_sin(reference_rro_sin(a.bits)), sin(a.value), reduced(a) + SIN_ERROR, 0);
}

struct real real_cos(struct real a) {
    return result(reference_cos(reference_rro_sin(a.bits)), cos(a.value), reduced(a) + COS_ERROR, 0);
}

void real_store(uint8_t *words, size_t index, struct real a, double *worst) {
    const double error = fabs(number_of(a.bits) - a.value);
    if (!(error <= a.error)) {
        fprintf(stderr, "word %zu: %.9g, must be %.9g within %.3g\n", index, number_of(a.bits), a.value, a.error);
        exit(1);
    }
    if (error > *worst * a.error) *worst = error / a.error;
    store_word(words, index, a.bits);
}

void real_report(const char *name, double worst) {
    fprintf(stderr, "# %s: errors take up to %.2f of their bound\n", name, worst);
}
