// SPDX-License-Identifier: Apache-2.0
// float_model.v in Verilator in the place of the RTL's units (testbench/float/unit.h), so that what holds those against
// golden vectors and the C model does the same with it. It has no special functions.
#include "Vfloat_model.h"
#include "verilated.h"

extern "C" {
#include "../float/unit.h"
}

struct float_unit {
    VerilatedContext context;
    Vfloat_model top{&context, "float_model"};
};

extern "C" struct float_unit *float_unit_create(void) { return new float_unit; }

extern "C" void float_unit_destroy(struct float_unit *unit) { delete unit; }

extern "C" bool float_unit_is_special(void) { return false; }

extern "C" void float_unit_run(struct float_unit *unit, const struct float_control *control, const uint32_t *a,
                               const uint32_t *b, const uint32_t *c, uint32_t *result, uint8_t *flags) {
    Vfloat_model &top = unit->top;
    top.op = control->op;
    top.rounding = control->rounding;
    top.compare = control->compare;
    top.neg_a = control->neg_a;
    top.neg_b = control->neg_b;
    top.abs_a = control->abs_a;
    top.abs_b = control->abs_b;
    top.saturate = control->saturate;
    top.src16 = control->src16;
    top.byte_ = control->byte;
    top.to_half = control->to_half;
    top.sign_a = control->sign_a;
    top.sign_d = control->sign_d;
    top.integral = control->integral;
    for (unsigned i = 0; i < UNIT_LANES; i++) {
        top.a = a[i];
        top.b = b[i];
        top.c = c[i];
        top.eval();
        result[i] = top.value;
        flags[i] = top.flags;
    }
}
