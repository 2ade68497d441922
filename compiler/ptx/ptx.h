/* SPDX-License-Identifier: Apache-2.0 */
/* PTX text as data: the variables and functions of a module, and the instructions of each function as they are written.
 * The reader knows names, types and modifiers; what an instruction means, and whether its types fit, the lowering
 * knows (lower/). Source: PTX ISA 3.2. */
#ifndef WARPSTEP_CC_PTX_H
#define WARPSTEP_CC_PTX_H

#include <stdbool.h>

#include "../base/context.h"

enum ptx_op {
    PTX_NO_OP,
#define PTX_OP(name) PTX_##name,
#include "opcodes.def"
    PTX_OP_COUNT
};

enum ptx_type {
    PTX_NO_TYPE,
#define PTX_TYPE(name, kind, bytes) PTX_TYPE_##name,
#include "types.def"
};

enum ptx_space {
    PTX_NO_SPACE, /* generic */
    PTX_SPACE_REG,
    PTX_SPACE_PARAM,
    PTX_SPACE_GLOBAL,
    PTX_SPACE_CONST,
    PTX_SPACE_SHARED,
    PTX_SPACE_LOCAL,
};

enum ptx_compare {
    PTX_NO_COMPARE,
    PTX_EQ,
    PTX_NE,
    PTX_LT,
    PTX_LE,
    PTX_GT,
    PTX_GE, /* signed or unsigned by the type; of floats: ordered */
    PTX_LO,
    PTX_LS,
    PTX_HI,
    PTX_HS, /* unsigned */
    PTX_EQU,
    PTX_NEU,
    PTX_LTU,
    PTX_LEU,
    PTX_GTU,
    PTX_GEU, /* or unordered */
    PTX_NUM,
    PTX_NAN,
};

enum ptx_combine { PTX_NO_COMBINE, PTX_COMBINE_AND, PTX_COMBINE_OR, PTX_COMBINE_XOR };

enum ptx_rounding {
    PTX_NO_ROUNDING,
    PTX_RN,
    PTX_RZ,
    PTX_RM,
    PTX_RP,
    PTX_RNI,
    PTX_RZI,
    PTX_RMI,
    PTX_RPI, /* to an integral value */
};

enum ptx_modifier {
    PTX_MOD_HI = 1 << 0,
    PTX_MOD_LO = 1 << 1,
    PTX_MOD_WIDE = 1 << 2,
    PTX_MOD_CC = 1 << 3,
    PTX_MOD_SAT = 1 << 4,
    PTX_MOD_FTZ = 1 << 5,
    PTX_MOD_APPROX = 1 << 6,
    PTX_MOD_FULL = 1 << 7,
    PTX_MOD_UNI = 1 << 8,
    PTX_MOD_VOLATILE = 1 << 9,
    PTX_MOD_TO = 1 << 10,
    PTX_MOD_SHIFTAMT = 1 << 11,
    PTX_MOD_SYNC = 1 << 12,
    PTX_MOD_ARRIVE = 1 << 13,
    PTX_MOD_RED = 1 << 14,
    PTX_MOD_NOTHING = 1 << 15, /* of caches and scopes: no effect here */
    PTX_MOD_CLAMP = 1 << 16,
    PTX_MOD_WRAP = 1 << 17,
    PTX_MOD_LEFT = 1 << 18,
    PTX_MOD_RIGHT = 1 << 19,
};

/* Of atom and red. */
enum ptx_atomic {
    PTX_NO_ATOMIC,
    PTX_ATOMIC_ADD,
    PTX_ATOMIC_EXCH,
    PTX_ATOMIC_CAS,
    PTX_ATOMIC_INC,
    PTX_ATOMIC_DEC,
    PTX_ATOMIC_MIN,
    PTX_ATOMIC_MAX,
    PTX_ATOMIC_AND,
    PTX_ATOMIC_OR,
    PTX_ATOMIC_XOR,
};

/* Of prmt. */
enum ptx_permutation {
    PTX_PRMT_INDEX,
    PTX_PRMT_F4E,
    PTX_PRMT_B4E,
    PTX_PRMT_RC8,
    PTX_PRMT_ECL,
    PTX_PRMT_ECR,
    PTX_PRMT_RC16
};

/* Of testp. */
enum ptx_test { PTX_NO_TEST, PTX_FINITE, PTX_INFINITE, PTX_NUMBER_TEST, PTX_NOT_A_NUMBER, PTX_NORMAL, PTX_SUBNORMAL };

enum ptx_symbol_kind {
    PTX_REGISTER,
    PTX_REGISTERS, /* %r<54>: the names %r0 to %r53 */
    PTX_VARIABLE,
    PTX_PARAMETER, /* of a function, or of a call */
    PTX_LABEL,
    PTX_FUNCTION,
    PTX_TARGETS, /* of .branchtargets */
    PTX_PROTOTYPE,
    PTX_SPECIAL,
};

struct ptx_function;
struct instance;

/* An address in the initial value of a variable. */
struct ptx_patch {
    uint32_t offset, bytes;
    const struct ptx_symbol *symbol;
    int64_t addend;
};

struct ptx_symbol {
    const char *name;
    enum ptx_symbol_kind kind;
    enum ptx_type type;
    enum ptx_space space, points_to; /* points_to: of a parameter with .ptr */
    bool is_pointer;                 /* a parameter with .ptr */
    bool is_buffer;                  /* a parameter whose value is used as an address */
    unsigned vector;                 /* 1, 2, 4 elements */
    uint32_t count;                  /* of a range; elements of an array, 1 where it is none */
    uint32_t size, align;            /* bytes */
    bool is_array, open_ended;       /* [] */
    bool is_extern;
    bool holds_functions; /* a variable with addresses of functions as initial values */
    uint32_t index;       /* of a register in its function, of a variable in its module, of a label: the instruction */
    bool placed;          /* a label that stands somewhere */
    uint32_t address;
    uint8_t *data;
    struct ptx_patch *patches;
    size_t patch_count, patch_capacity;
    struct ptx_function *function;
    struct ptx_symbol **members; /* of a range: those that are used */
    const struct ptx_symbol **targets;
    size_t target_count, target_capacity;
    struct cc_place place;
    struct ptx_symbol *shadowed, *chained; /* of the table of names */
    uint32_t scope;
};

enum ptx_operand_kind {
    PTX_OPERAND_NONE,
    PTX_OPERAND_REGISTER,
    PTX_OPERAND_NUMBER,
    PTX_OPERAND_FLOAT,   /* value: bits of a double */
    PTX_OPERAND_SYMBOL,  /* the address of a variable, a label, a function */
    PTX_OPERAND_ADDRESS, /* [symbol + value] */
    PTX_OPERAND_VECTOR,  /* {a, b}; the list of arguments of a call, too */
    PTX_OPERAND_SINK,    /* _ */
    PTX_OPERAND_PAIR,    /* p|q: two elements */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool inverted;     /* !p */
    bool exact_single; /* a FLOAT that was written as 0f...: bits are those of a single */
    uint8_t component; /* of a vector register, from 1; 0: all of it */
    const struct ptx_symbol *symbol;
    uint64_t value;
    struct ptx_operand *elements;
    uint32_t count;
    uint32_t column;
};

enum { PTX_OPERANDS_MAX = 6 };

struct ptx_insn {
    enum ptx_op op;
    enum ptx_type type[3];
    unsigned type_count;
    enum ptx_space space;
    enum ptx_compare compare;
    enum ptx_combine combine;
    enum ptx_rounding rounding;
    enum ptx_atomic atomic;
    enum ptx_permutation permutation;
    enum ptx_test test;
    unsigned modifiers;
    unsigned vector; /* 1, 2, 4 */
    const struct ptx_symbol *guard;
    bool guard_inverted;
    bool in_assembly; /* of the source: is meant as it is written */
    struct ptx_operand operand[PTX_OPERANDS_MAX];
    unsigned operand_count;
    struct cc_place place;
};

struct ptx_function {
    const char *name;
    bool is_kernel, has_body;
    struct ptx_symbol **parameters, **results;
    size_t parameter_count, parameter_capacity, result_count, result_capacity;
    struct ptx_insn *insns;
    size_t insn_count, insn_capacity;
    uint32_t register_count;
    struct ptx_symbol **locals; /* .local variables and .param ones of calls */
    size_t local_count, local_capacity;
    struct ptx_symbol **labels;
    size_t label_count, label_capacity;
    uint32_t block[3]; /* .reqntid */
    uint32_t max_registers;
    struct cc_place place, end;
    bool in_work;               /* while it is lowered: a call of it is recursion */
    struct instance *instances; /* of the kernel in work, see lower.h */
};

struct ptx_module {
    struct ptx_function **functions;
    size_t function_count, function_capacity;
    struct ptx_symbol **variables; /* of all functions, too, but .local ones */
    size_t variable_count, variable_capacity;
    unsigned address_bytes; /* 4 or 8 */
    unsigned target;        /* 20 of sm_20 */
};

/* Reads a text into *module, after what is there already. */
void ptx_read(struct cc *cc, const char *text, size_t size, struct ptx_module *module);

const char *ptx_op_name(enum ptx_op op);
const char *ptx_type_name(enum ptx_type type);
unsigned ptx_type_bytes(enum ptx_type type); /* 0: .pred */
char ptx_type_kind(enum ptx_type type);      /* 'b', 'u', 's', 'f', 'p' */

#endif
