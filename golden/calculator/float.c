/* SPDX-License-Identifier: Apache-2.0 */
#include "float.h"

#include "../float/reference.h"

enum { SIGN = 31 };

bool rule_is_float(enum operation operation) { return operation >= OPERATION_FADD && operation <= OPERATION_EX2; }

static bool converts(enum operation operation) {
    return operation == OPERATION_I2F || operation == OPERATION_F2I || operation == OPERATION_F2F;
}

int rule_float_source_bits(const struct instruction *i) { return converts(i->operation) ? i->types[1].bits : 32; }

/* Absolute value clears the sign bit, then negation inverts it. */
static uint32_t modified(const struct operand *o, uint32_t bits) {
    if (o->absolute) bits &= ~(UINT32_C(1) << SIGN);
    return o->negated ? bits ^ UINT32_C(1) << SIGN : bits;
}

static uint32_t converted(const struct instruction *i, uint32_t bits) {
    const struct operand *source = &i->operands[1];
    const struct reference_conversion how = {
        .source = i->low_byte ? 8 : (unsigned)i->types[1].bits,
        .result = (unsigned)i->types[0].bits,
        .source_signed = i->types[1].is_signed,
        .result_signed = i->types[0].is_signed,
        .absolute = source->absolute,
        .negate = source->negated,
        .saturate = i->saturated,
        .integral = i->integral,
        .code = i->rounding,
    };
    return i->operation == OPERATION_I2F   ? reference_i2f(bits, &how)
           : i->operation == OPERATION_F2I ? reference_f2i(bits, &how)
                                           : reference_f2f(bits, &how);
}

/* Multiply-add rounds to nearest in all its forms; SIN, COS and EX2 take their operand unmodified. */
static uint32_t value_of(const struct instruction *i, uint32_t a, uint32_t b, uint32_t c) {
    const struct operand *o = i->operands;
    const uint32_t x = modified(&o[1], a), y = modified(&o[2], b), z = modified(&o[3], c);
    switch (i->operation) {
    case OPERATION_FADD: return reference_fadd(x, y, i->rounding);
    case OPERATION_FMUL: return reference_fmul(x, y, i->rounding);
    case OPERATION_FMAD: return reference_fmad(x, y, z);
    case OPERATION_FSET: return reference_fset(x, y, o[3].number);
    case OPERATION_FMAX: return reference_fmax(x, y);
    case OPERATION_FMIN: return reference_fmin(x, y);
    case OPERATION_FCMP: return reference_fcmp(a, b, z);
    case OPERATION_RRO: return o[2].number == FOR_SINE ? reference_rro_sin(x) : reference_rro_ex2(x);
    case OPERATION_RCP: return reference_rcp(x);
    case OPERATION_RSQ: return reference_rsq(x);
    case OPERATION_LG2: return reference_lg2(x);
    case OPERATION_SIN: return reference_sin(a);
    case OPERATION_COS: return reference_cos(a);
    case OPERATION_EX2: return reference_ex2(a);
    default: return converted(i, a);
    }
}

/* Flags of a number: zero, less than zero, or both for a NaN (isa.md 2.8). FCMP passes bits, FSET and F2I give
 * integers. */
static unsigned flags_of(const struct instruction *i, uint32_t value, int bits) {
    const uint32_t magnitude = value & ((UINT32_C(1) << (bits - 1)) - 1);
    const bool negative = value >> (bits - 1) & 1;
    if (i->operation == OPERATION_FSET || i->operation == OPERATION_F2I)
        return (negative ? FLAG_S : 0) | (value == 0 ? FLAG_Z : 0);
    if (i->operation != OPERATION_FCMP && magnitude > (bits == 16 ? 0x7c00u : 0x7f800000u)) return FLAG_S | FLAG_Z;
    return magnitude == 0 ? FLAG_Z : negative ? FLAG_S : 0;
}

struct result rule_float_result(const struct instruction *i, uint32_t a, uint32_t b, uint32_t c) {
    const bool saturates =
        i->operation == OPERATION_FADD || i->operation == OPERATION_FMAD || i->operation == OPERATION_EX2;
    const int bits = converts(i->operation) ? i->types[0].bits : 32;
    uint32_t value = value_of(i, a, b, c);
    if (saturates && i->saturated) value = reference_saturate(value);
    return (struct result){value, flags_of(i, value, bits)};
}
