/* SPDX-License-Identifier: Apache-2.0 */
/* Floating point and special functions: docs/isa.md 8, by golden/float/reference.h. */
#ifndef CALCULATOR_FLOAT_H
#define CALCULATOR_FLOAT_H

#include "rules.h"

bool rule_is_float(enum operation operation);

/* Width in bits of the operation's first source; all others have 32. */
int rule_float_source_bits(const struct instruction *i);

/* a, b and c as read, before sign and absolute value. */
struct result rule_float_result(const struct instruction *i, uint32_t a, uint32_t b, uint32_t c);

#endif
