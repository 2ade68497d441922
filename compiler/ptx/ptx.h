/* SPDX-License-Identifier: Apache-2.0 */
/* PTX text as data: the variables and functions of a module, and the instructions of each function as written. The
 * reader resolves names, types and modifiers; lower/ gives instructions their meaning and checks their types.
 * Source: PTX ISA 3.2. */
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
    PTX_NO_SPACE, /* generic addresses */
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
    PTX_GE, /* signed or unsigned by the type; ordered for floats */
    PTX_LO,
    PTX_LS,
    PTX_HI,
    PTX_HS, /* unsigned */
    PTX_EQU,
    PTX_NEU,
    PTX_LTU,
    PTX_LEU,
    PTX_GTU,
    PTX_GEU, /* unordered */
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
    PTX_RPI, /* rounds to an integral value */
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
    PTX_MOD_NOTHING = 1 << 15, /* cache and scope modifiers, without effect here */
    PTX_MOD_CLAMP = 1 << 16,
    PTX_MOD_WRAP = 1 << 17,
    PTX_MOD_LEFT = 1 << 18,
    PTX_MOD_RIGHT = 1 << 19,
};

/* Operations of atom and red. */
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

/* Modes of prmt. */
enum ptx_permutation {
    PTX_PRMT_INDEX,
    PTX_PRMT_F4E,
    PTX_PRMT_B4E,
    PTX_PRMT_RC8,
    PTX_PRMT_ECL,
    PTX_PRMT_ECR,
    PTX_PRMT_RC16
};

/* Tests of testp. */
enum ptx_test { PTX_NO_TEST, PTX_FINITE, PTX_INFINITE, PTX_NUMBER_TEST, PTX_NOT_A_NUMBER, PTX_NORMAL, PTX_SUBNORMAL };

enum ptx_symbol_kind {
    PTX_REGISTER,
    PTX_REGISTERS, /* a range: %r<54> declares %r0 to %r53 */
    PTX_VARIABLE,
    PTX_PARAMETER, /* of a function or of a call */
    PTX_LABEL,
    PTX_FUNCTION,
    PTX_TARGETS, /* a list of .branchtargets */
    PTX_PROTOTYPE,
    PTX_SPECIAL,
};

struct ptx_function;
struct instance;

/* An address within the initial value of a variable. */
struct ptx_patch {
    uint32_t offset, bytes;
    const struct ptx_symbol *symbol;
    int64_t addend;
};

struct ptx_symbol {
    const char *name;
    enum ptx_symbol_kind kind;
    enum ptx_type type;
    enum ptx_space space, points_to; /* points_to: memory of a .ptr parameter's buffer */
    bool is_pointer;                 /* declared with .ptr */
    bool is_buffer;                  /* a parameter whose value is used as an address */
    unsigned vector;                 /* number of elements: 1, 2 or 4 */
    uint32_t count;                  /* of a range; elements of an array, else 1 */
    uint32_t size, align;            /* in bytes */
    bool is_array, open_ended;       /* open_ended: declared with [] */
    bool is_extern;
    bool holds_functions; /* its initial value has addresses of functions */
    /* of a register within its function, of a variable within its module, of a label: its instruction */
    uint32_t index;
    bool placed; /* the label has been defined */
    uint32_t address;
    uint8_t *data;
    struct ptx_patch *patches;
    size_t patch_count, patch_capacity;
    struct ptx_function *function;
    struct ptx_symbol **members; /* registers of a range that are used */
    const struct ptx_symbol **targets;
    size_t target_count, target_capacity;
    struct cc_place place;
    struct ptx_symbol *shadowed, *chained; /* for the table of names */
    uint32_t scope;
};

enum ptx_operand_kind {
    PTX_OPERAND_NONE,
    PTX_OPERAND_REGISTER,
    PTX_OPERAND_NUMBER,
    PTX_OPERAND_FLOAT,   /* value: the bits of a double */
    PTX_OPERAND_SYMBOL,  /* address of a variable, label or function */
    PTX_OPERAND_ADDRESS, /* [symbol + value] */
    PTX_OPERAND_VECTOR,  /* {a, b}; also the argument list of a call */
    PTX_OPERAND_SINK,    /* _ */
    PTX_OPERAND_PAIR,    /* p|q: two elements */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool inverted;     /* !p */
    bool exact_single; /* a FLOAT written as 0f...: value has the bits of a single */
    uint8_t component; /* component of a vector register, from 1; 0 for the whole register */
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
    unsigned vector; /* 1, 2 or 4 */
    const struct ptx_symbol *guard;
    bool guard_inverted;
    bool in_assembly; /* from inline assembly, so it is kept as written */
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
    struct ptx_symbol **locals; /* .local variables, and .param variables of calls */
    size_t local_count, local_capacity;
    struct ptx_symbol **labels;
    size_t label_count, label_capacity;
    uint32_t block[3]; /* .reqntid */
    uint32_t max_registers;
    struct cc_place place, end;
    bool being_lowered;         /* being lowered, so a call of it is a recursion */
    struct instance *instances; /* its instances in the current kernel, see lower.h */
};

struct ptx_module {
    struct ptx_function **functions;
    size_t function_count, function_capacity;
    struct ptx_symbol **variables; /* includes those of functions, except .local ones */
    size_t variable_count, variable_capacity;
    unsigned address_bytes; /* 4 or 8 */
    unsigned target;        /* 20 for sm_20 */
    bool is_of_llvm;        /* a text says that LLVM has written it */
};

/* Reads a text and adds its contents to *module. */
void ptx_read(struct cc *cc, const char *text, size_t size, struct ptx_module *module);

const char *ptx_op_name(enum ptx_op op);
const char *ptx_type_name(enum ptx_type type);
unsigned ptx_type_bytes(enum ptx_type type); /* 0 for .pred */
char ptx_type_kind(enum ptx_type type);      /* 'b', 'u', 's', 'f', 'p' */

#endif
