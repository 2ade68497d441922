/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for kernels/apps/black-scholes.sass: the prices of a call and of a put for each option, three
 * numbers: price of the stock, price of the strike, years. RATE and VOLATILITY are given as their bits. The normal
 * distribution is the polynomial 26.2.17 of Abramowitz and Stegun, with an error of 7.5e-8.
 *
 *     black-scholes RATE VOLATILITY < OPTIONS > CALL_AND_PUT_OF_EACH
 *     black-scholes constants > WORDS                 the kernel's constant bank 1 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../float/reference.h"
#include "bytes.h"
#include "real.h"

#define LOG2_E              1.44269504088896340736
#define LN_2                0.69314718055994530942
#define INVERSE_ROOT_TWO_PI 0.39894228040143267794
#define SCALE               0.2316419 /* t = 1 / (1 + SCALE |d|) */

/* Coefficients of t, t^2 ... t^5. */
static const double COEFFICIENTS[] = {0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429};

static const double KERNEL_CONSTANTS[] = {0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429,
                                          SCALE,       LN_2,         LOG2_E,      1.0,          INVERSE_ROOT_TWO_PI};
#define KERNEL_CONSTANT_COUNT (sizeof KERNEL_CONSTANTS / sizeof *KERNEL_CONSTANTS)

static struct real one(void) { return real_constant(1); }

static struct real exponential(struct real x) { return real_ex2(real_mul(x, real_constant(LOG2_E))); }

/* The probability of a value below d. */
static struct real normal(struct real d) {
    const struct real size = real_magnitude(d);
    const struct real t = real_rcp(real_mad(size, real_constant(SCALE), one()));
    struct real sum = real_constant(COEFFICIENTS[4]);
    for (unsigned i = 4; i-- > 0;) sum = real_mad(sum, t, real_constant(COEFFICIENTS[i]));
    sum = real_mul(sum, t);
    const struct real square = real_mul(real_mul(d, d), real_constant(-0.5));
    const struct real density = real_mul(exponential(square), real_constant(INVERSE_ROOT_TWO_PI));
    const struct real tail = real_mul(density, sum);
    const bool negative = reference_fcmp(0, 1, d.bits) != 0;
    const struct real below = negative ? tail : real_add(one(), real_negate(tail));
    if (fabs(below.value - 0.5 * erfc(-d.value / sqrt(2))) > 7.5e-8 + d.error) {
        fprintf(stderr, "the polynomial errs at %g\n", d.value);
        exit(1);
    }
    return below;
}

/* call = S normal(d1) - X exp(-R T) normal(d2), put = call + X exp(-R T) - S */
static void price(const uint8_t *option, struct real rate, struct real volatility, struct real out[2]) {
    const struct real stock = real_of(load_word(option, 0)), strike = real_of(load_word(option, 1));
    const struct real years = real_of(load_word(option, 2));
    const struct real deviation = real_mul(volatility, real_mul(years, real_rsq(years)));
    const struct real ratio = real_lg2(real_mul(stock, real_rcp(strike)));
    const struct real drift = real_mad(real_mul(volatility, volatility), real_constant(0.5), rate);
    const struct real sum = real_mad(ratio, real_constant(LN_2), real_mul(drift, years));
    const struct real d1 = real_mul(sum, real_rcp(deviation));
    const struct real d2 = real_add(d1, real_negate(deviation));
    const struct real discount = exponential(real_negate(real_mul(rate, years)));
    const struct real strike_now = real_mul(strike, discount);
    out[0] = real_mad(stock, normal(d1), real_negate(real_mul(strike_now, normal(d2))));
    out[1] = real_add(real_add(out[0], strike_now), real_negate(stock));
}

static int write_constants(void) {
    uint8_t words[4 * KERNEL_CONSTANT_COUNT];
    for (size_t i = 0; i < KERNEL_CONSTANT_COUNT; i++) store_word(words, i, real_constant(KERNEL_CONSTANTS[i]).bits);
    write_bytes(words, sizeof words);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "constants") == 0) return write_constants();
    const struct real rate = real_of(number_arg(argc, argv, 1, "RATE", 0, UINT32_MAX));
    const struct real volatility = real_of(number_arg(argc, argv, 2, "VOLATILITY", 0, UINT32_MAX));
    real_open();
    size_t size = 0;
    uint8_t *options = read_bytes("-", 0, &size);
    const size_t count = size / 12;
    uint8_t *prices = allocate(8 * count);
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        struct real out[2];
        price(options + 12 * i, rate, volatility, out);
        real_store(prices, 2 * i, out[0], &worst);
        real_store(prices, 2 * i + 1, out[1], &worst);
    }
    write_bytes(prices, 8 * count);
    real_report("black-scholes", worst);
    free(options);
    free(prices);
    return 0;
}
