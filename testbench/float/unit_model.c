/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_model.h"

#include "cmodel/core/exec.h"
#include "unit.h"

struct operation {
    enum isa_op op;
    enum float_op unit;
    enum special_op special; /* used if there is a unit */
    exec_fn *model;
};
static const struct operation OPERATIONS[] = {
    {OP_FADD, FLOAT_ADD,          0,           exec_fadd},
    {OP_FMUL, FLOAT_MULTIPLY,     0,           exec_fmul},
    {OP_FMAD, FLOAT_MULTIPLY_ADD, 0,           exec_fmad},
    {OP_FSET, FLOAT_COMPARE,      0,           exec_fset},
    {OP_FMAX, FLOAT_MAX,          0,           exec_fmax},
    {OP_FMIN, FLOAT_MIN,          0,           exec_fmin},
    {OP_FCMP, FLOAT_SELECT,       0,           exec_fcmp},
    {OP_I2F,  FLOAT_FROM_INTEGER, 0,           exec_i2f },
    {OP_F2I,  FLOAT_TO_INTEGER,   0,           exec_f2i },
    {OP_F2F,  FLOAT_CONVERT,      0,           exec_f2f },
    {OP_RRO,  FLOAT_REDUCE_SIN,   0,           exec_rro },
    {OP_RCP,  FLOAT_NONE,         SPECIAL_RCP, exec_rcp },
    {OP_RSQ,  FLOAT_NONE,         SPECIAL_RSQ, exec_rsq },
    {OP_LG2,  FLOAT_NONE,         SPECIAL_LG2, exec_lg2 },
    {OP_SIN,  FLOAT_NONE,         SPECIAL_SIN, exec_sin },
    {OP_COS,  FLOAT_NONE,         SPECIAL_COS, exec_cos },
    {OP_EX2,  FLOAT_NONE,         SPECIAL_EX2, exec_ex2 },
};

static const struct operation *operation_of(const struct isa_insn *insn) {
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof OPERATIONS[0]; i++)
        if (OPERATIONS[i].op == insn->op) return &OPERATIONS[i];
    return NULL;
}

/* Fields without effect must not reach the units: a product does not saturate, nor any special function except EX2; a
 * multiply-add rounds to nearest; SIN, COS and EX2 take no modifiers. */
static struct float_control control_of(const struct isa_insn *insn) {
    const bool is_fmad = insn->op == OP_FMAD;
    const bool is_plain = insn->op == OP_SIN || insn->op == OP_COS || insn->op == OP_EX2;
    const bool is_special = operation_of(insn)->unit == FLOAT_NONE;
    enum float_op op = operation_of(insn)->unit;
    if (insn->op == OP_RRO && insn->function != 0) op = FLOAT_REDUCE_EX2;
    return (struct float_control){
        .is_special = is_special,
        .op = op,
        .special = operation_of(insn)->special,
        .rounding = is_fmad ? 0 : insn->rounding,
        .compare = insn->cmp,
        .neg_a = insn->src[0].negate && !is_plain,
        .neg_b = insn->src[insn->op == OP_FMAD || insn->op == OP_FCMP ? 2 : 1].negate,
        .abs_a = insn->src[0].absolute && !is_plain,
        .abs_b = insn->src[1].absolute,
        .saturate = (insn->attr & ISA_SAT) != 0 && insn->op != OP_FMUL && (!is_special || insn->op == OP_EX2),
        .src16 = (insn->attr & ISA_SRC16) != 0,
        .byte = (insn->attr & ISA_BYTE) != 0,
        .to_half = (insn->attr & ISA_W16) != 0,
        .sign_a = (insn->attr & ISA_SIGN_A) != 0,
        .sign_d = (insn->attr & ISA_SIGN_D) != 0,
        .integral = insn->integral,
    };
}

bool unit_executes(const struct isa_insn *insn) {
    const struct operation *operation = operation_of(insn);
    return operation != NULL && (operation->unit != FLOAT_NONE || float_unit_is_special());
}

void unit_by_rtl(struct float_unit *unit, const struct isa_insn *insn, const struct unit_operands *o,
                 struct unit_results *r) {
    const struct float_control control = control_of(insn);
    uint32_t two_over_pi[WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES; i++) two_over_pi[i] = 0xa2f983;
    float_unit_run(unit, &control, o->a, insn->op == OP_RRO ? two_over_pi : o->b, o->c, r->value, r->flags);
}

/* OCSZ of a result: docs/isa.md 2.8; FSET and F2I have integers. */
static uint8_t flags_of(const struct isa_insn *insn, uint32_t value) {
    const unsigned width = (insn->attr & ISA_W16) != 0 ? 16 : 32;
    const uint32_t top = (uint32_t)1 << (width - 1);
    const uint32_t magnitude = value & (top - 1);
    const bool negative = (value & top) != 0;
    if (insn->op == OP_FSET || insn->op == OP_F2I) return (uint8_t)((negative ? 2 : 0) | (value == 0 ? 1 : 0));
    if (insn->op != OP_FCMP && magnitude > (width == 16 ? 0x7c00u : 0x7f800000u)) return 3;
    return magnitude == 0 ? 1 : negative ? 2 : 0;
}

void unit_by_model(const struct isa_insn *insn, const struct unit_operands *o, struct unit_results *r) {
    const struct exec_in in = {.a = o->a, .b = o->b, .c = o->c, .insn = insn};
    struct exec_out out = {.carry = 0};
    operation_of(insn)->model(&in, &out);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        r->value[i] = out.value[i];
        r->flags[i] = flags_of(insn, out.value[i]);
    }
}
