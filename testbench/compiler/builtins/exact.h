/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL's single-precision functions in long double, operands for them, and errors in units of the last place. */
#ifndef WARPSTEP_BUILTINS_EXACT_H
#define WARPSTEP_BUILTINS_EXACT_H

#include <stdint.h>

typedef long double real;

struct function {
    const char *name, *expression; /* of x and y */
    double bound;                  /* OpenCL 1.2's error bound (section 7.4) */
    real (*exact)(real x, real y);
};
extern const struct function FUNCTIONS[];
extern const unsigned FUNCTION_COUNT;

uint32_t random32(uint64_t *state);
float number_of(uint32_t bits);
float draw_number(uint64_t *state);

/* Denormals may become zeros. A result that is a NaN, infinite or too large must match: otherwise the error is
 * infinite. */
double error_of(float found, real exact);

#endif
