// SPDX-License-Identifier: Apache-2.0
#include "model_run.h"

#include "Vmodel.h"
#include "verilated.h"

extern "C" void model_v_run(const struct model_inputs *in, uint32_t *value, uint32_t *flags) {
    static VerilatedContext context;
    static Vmodel top{&context, "model"};
    top.op = in->op;
    top.w16 = in->w16;
    top.sign_a = in->sign_a;
    top.sign_b = in->sign_b;
    top.sign_d = in->sign_d;
    top.mul24 = in->mul24;
    top.mul_hi = in->mul_hi;
    top.mul_add = in->mul_add;
    top.saturate = in->saturate;
    top.neg_a = in->neg_a;
    top.neg_b = in->neg_b;
    top.carry = in->carry;
    top.inv_a = in->inv_a;
    top.inv_b = in->inv_b;
    top.absolute = in->absolute;
    top.src16 = in->src16;
    top.byte_ = in->byte;
    top.dst8 = in->dst8;
    top.logic_op = in->logic_op;
    top.compare = in->compare;
    top.a = in->a;
    top.b = in->b;
    top.c = in->c;
    top.cin = static_cast<unsigned char>(in->cin);
    top.eval();
    *value = top.value;
    *flags = top.flags;
}
