/* SPDX-License-Identifier: Apache-2.0 */
/* model.v in Verilator: sets the inputs, returns the result and the flags O C S Z. */
#ifndef WARPSTEP_FORMAL_MODEL_RUN_H
#define WARPSTEP_FORMAL_MODEL_RUN_H

#include <stdint.h>

struct model_inputs {
    uint8_t op, w16, sign_a, sign_b, sign_d, mul24, mul_hi, mul_add, saturate, neg_a, neg_b, carry, inv_a, inv_b,
        absolute, src16, byte, dst8, logic_op, compare;
    uint32_t a, b, c, cin;
};

#ifdef __cplusplus
extern "C"
#endif
    void
    model_v_run(const struct model_inputs *in, uint32_t *value, uint32_t *flags);

#endif
