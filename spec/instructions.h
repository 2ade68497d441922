/* SPDX-License-Identifier: Apache-2.0 */
/* The enumerations of the instruction set, from its lists: operations, units, attributes and shapes of rows, names of
 * fields. */
#ifndef WARPSTEP_SPEC_INSTRUCTIONS_H
#define WARPSTEP_SPEC_INSTRUCTIONS_H

#include <stdbool.h>

#include "machine.def"

enum isa_op {
#define OP(name, unit, needs) OP_##name,
#include "ops.def"
#undef OP
    OP_COUNT
};

enum isa_unit {
    UNIT_ALU,
    UNIT_SHARED,
    UNIT_GLOBAL,
    UNIT_FLOW,
    UNIT_FLOAT,
    UNIT_SFU,
    UNIT_TEXTURE,
    UNIT_WIDE, /* these two belong to sm_10x, our extension */
    UNIT_DIVIDE,
};

static inline bool isa_unit_is_extension(enum isa_unit unit) { return unit == UNIT_WIDE || unit == UNIT_DIVIDE; }

/* The unit of a machine that an operation needs: NEED_HAS_FPU, NEED_WIDE ...; no machine has NEED_NO_MACHINE. */
enum isa_need {
#define NEED_NONE(...)
#define NEED_UNIT(GENERIC, ...) NEED_##GENERIC,
    NEED_NOTHING,
    MACHINE_LIST(NEED_NONE, NEED_NONE, NEED_UNIT, NEED_UNIT, NEED_NONE) NEED_NO_MACHINE,
#undef NEED_NONE
#undef NEED_UNIT
};

/* Attributes of a row (insn.def), combined by '|'. */
enum isa_attr {
    ISA_W16 = 1u << 0,    /* the operation is 16 bits wide */
    ISA_SIGN_A = 1u << 1, /* source 1 is signed (or, if the operation has a single sign, the operation) */
    ISA_SIGN_B = 1u << 2, /* source 2 is signed */
    ISA_SIGN_D = 1u << 3, /* I2I, F2I: the destination is signed */
    ISA_M24 = 1u << 4,    /* multiply: 24-bit operands; without it, 16-bit */
    ISA_HI = 1u << 5,     /* multiply: product bits 16..47 instead of 0..31; wide: 32..63 */
    ISA_SAT = 1u << 6,    /* IMAD: the final sum saturates (elsewhere saturation is a field) */
    ISA_NEG_A = 1u << 7,
    ISA_NEG_B = 1u << 8,
    ISA_NEG_C = 1u << 9,
    ISA_NEG_P = 1u << 10,   /* IMAD: the product is negated */
    ISA_CARRY = 1u << 11,   /* adds the carry flag of insn.creg */
    ISA_SRC16 = 1u << 12,   /* conversions: the source is 16 bits wide */
    ISA_BYTE = 1u << 13,    /* I2I, I2F: the source is its low byte */
    ISA_CELL_U8 = 1u << 14, /* MVC, R2G, G2R: size and sign of the memory cell */
    ISA_CELL_U16 = 1u << 15,
    ISA_CELL_S16 = 1u << 16,
    ISA_CELL_32 = 1u << 17,
};

enum isa_shape { ISA_SHAPE_HALF, ISA_SHAPE_LONG, ISA_SHAPE_IMM, ISA_SHAPE_FLOW };

/* The fields of a word by name (names.def). A name that the row lacks has the value 0. */
enum isa_field {
#define NAME(name, meaning) ISA_FIELD_##name,
#include "names.def"
#undef NAME
    ISA_FIELD_COUNT
};

#endif
