// SPDX-License-Identifier: Apache-2.0
// float_flat.vhd in Verilator, see unit.h: an operand a clock, the results as they come out.
#include "Vfloat_flat.h"
#include "verilated.h"

extern "C" {
#include "unit.h"
}

namespace {

constexpr unsigned LATENCY = 10; // clocks from operands to a registered result

uint32_t bits_of(const float_control &c) {
    const uint8_t bits[] = {c.neg_a, c.neg_b,   c.abs_a,  c.abs_b,  c.saturate, c.src16,
                            c.byte,  c.to_half, c.sign_a, c.sign_d, c.integral};
    uint32_t v = 0;
    for (uint8_t bit : bits) v = v << 1 | bit;
    return v;
}

} // namespace

struct float_unit {
    VerilatedContext context;
    Vfloat_flat top{&context, "float_flat"};
};

extern "C" struct float_unit *float_unit_create(void) { return new float_unit; }

extern "C" void float_unit_destroy(struct float_unit *unit) { delete unit; }

extern "C" bool float_unit_is_special(void) { return true; }

extern "C" void float_unit_run(struct float_unit *unit, const struct float_control *control, const uint32_t *a,
                               const uint32_t *b, const uint32_t *c, uint32_t *result, uint8_t *flags) {
    Vfloat_flat &top = unit->top;
    top.float_i = control->op;
    top.rounding_i = control->rounding;
    top.compare_i = control->compare;
    top.bits_i = bits_of(*control);
    top.special_i = control->special;
    for (unsigned i = 0; i < UNIT_LANES + LATENCY - 1; i++) {
        const unsigned lane = i < UNIT_LANES ? i : UNIT_LANES - 1;
        top.lane_i = lane % 4;
        top.src_a_i = a[lane];
        top.src_b_i = b[lane];
        top.src_c_i = c[lane];
        top.clk = 0;
        top.eval();
        top.clk = 1;
        top.eval();
        if (i + 1 < LATENCY) continue;
        result[i + 1 - LATENCY] = control->is_special ? top.special_o : top.result_o;
        flags[i + 1 - LATENCY] = control->is_special ? top.special_flags_o : top.flags_o;
    }
}
