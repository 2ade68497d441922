/* SPDX-License-Identifier: Apache-2.0 */
/* A number of single precision as a G80 computes it, bit for bit (golden/float/reference.h), with the value of exact
 * arithmetic and a bound of their distance. Each operation adds its own error, given in real.c, to those of its
 * operands. Programs write the bits; a number outside its bound ends them.
 *
 *     struct real sum = real_mad(real_of(a_bits), real_of(x_bits), real_of(y_bits));
 *     real_store(words, index, sum, &worst);
 *     real_report("saxpy", worst); */
#ifndef GOLDEN_REAL_H
#define GOLDEN_REAL_H

#include <stddef.h>
#include <stdint.h>

struct real {
    uint32_t bits;
    double value, error;
};

/* Reads the tables of the chip's functions, from the top of this repository: before their first use. */
void real_open(void);

/* An input, exact; a constant that is rounded to single precision. */
struct real real_of(uint32_t bits);
struct real real_constant(double value);

struct real real_negate(struct real a);
struct real real_magnitude(struct real a);

/* FADD, FMUL, FMAD: a * b + c. */
struct real real_add(struct real a, struct real b);
struct real real_mul(struct real a, struct real b);
struct real real_mad(struct real a, struct real b, struct real c);

/* RCP, RSQ, LG2; RRO and EX2, SIN or COS. */
struct real real_rcp(struct real a);
struct real real_rsq(struct real a);
struct real real_lg2(struct real a);
struct real real_ex2(struct real a);
struct real real_sin(struct real a);
struct real real_cos(struct real a);

/* Writes the bits, after a check of the bound. *worst becomes the largest error as a fraction of its bound. */
void real_store(uint8_t *words, size_t index, struct real a, double *worst);

/* Reports it in a comment line for TAP, on standard error. */
void real_report(const char *name, double worst);

#endif
