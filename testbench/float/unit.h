/* SPDX-License-Identifier: Apache-2.0 */
/* The floating-point units of the RTL as C functions: float_flat.vhd in Verilator.
 *
 *     struct float_control control = {.op = FLOAT_ADD};
 *     float_unit_run(unit, &control, a, b, c, result, flags);      // of 32 lanes, one a clock
 */
#ifndef WARPSTEP_TESTBENCH_FLOAT_UNIT_H
#define WARPSTEP_TESTBENCH_FLOAT_UNIT_H

#include <stdbool.h>
#include <stdint.h>

enum { UNIT_LANES = 32 };

/* In the RTL's numbering. */
enum float_op {
#define FLOAT(name, text) FLOAT_##name,
#include "../../spec/control.def"
};

enum special_op {
#define SPECIAL(name, text) SPECIAL_##name,
#include "../../spec/control.def"
};

/* The part of control_t for the units. */
struct float_control {
    bool is_special;
    enum float_op op;
    enum special_op special;
    uint8_t rounding, compare;
    uint8_t neg_a, neg_b, abs_a, abs_b, saturate, src16, byte, to_half, sign_a, sign_d, integral;
};

struct float_unit;
struct float_unit *float_unit_create(void);
void float_unit_destroy(struct float_unit *unit);
bool float_unit_is_special(void); /* true if it includes the special functions */
void float_unit_run(struct float_unit *unit, const struct float_control *control, const uint32_t a[UNIT_LANES],
                    const uint32_t b[UNIT_LANES], const uint32_t c[UNIT_LANES], uint32_t result[UNIT_LANES],
                    uint8_t flags[UNIT_LANES]);

#endif
