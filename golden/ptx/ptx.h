/* SPDX-License-Identifier: Apache-2.0 */
/* A PTX module as read: functions of instructions, and variables. Written from the PTX ISA alone; it shares nothing
 * with compiler/.
 *
 *     struct problem problem;
 *     struct module *module = module_read("k.ptx", text, &problem);
 *     if (module == NULL) fputs(problem.text, stderr);
 *     module_free(module);
 */
#ifndef GOLDEN_PTX_H
#define GOLDEN_PTX_H

#include "words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An error, as file:line:col: error: text, with its newline. */
struct problem {
    char text[400];
};

struct place {
    int line, column;
};

/* kind: b, u, s, f, or p for a predicate; 0: no type. */
struct type {
    char kind;
    uint8_t bits;
};

enum space { NO_SPACE, GLOBAL, SHARED, LOCAL, CONSTANT, PARAM };

/* An address put into a variable's initial value. */
struct fixup {
    size_t offset;
    unsigned bytes;
    struct variable *target;
    int64_t addend;
    struct fixup *next;
};

/* A variable of any space but registers. In PARAM and LOCAL, `address` is an offset in the frame of a call; in SHARED,
 * in the shared memory of a block; the others get theirs when the machine is loaded. */
struct variable {
    const char *name;
    struct place place;
    enum space space, points_to;
    struct type type; /* of an element */
    size_t align, bytes;
    bool unsized, is_array;
    uint8_t *initial; /* `bytes` of them, or NULL */
    struct fixup *fixups;
    uint64_t address;
    struct variable *next;
};

enum operand_kind { NO_OPERAND, REGISTER, NUMBER, SPECIAL, VECTOR, ADDRESS, SYMBOL, SINK, LABEL, CALLEE };
enum literal { INTEGER, F32_BITS, F64_BITS, DECIMAL };

enum special_register {
    TID,
    NTID,
    CTAID,
    NCTAID,
    LANEID,
    WARPID,
    NWARPID,
    SMID,
    NSMID,
    GRIDID,
    CLOCK,
    LANEMASK_EQ,
    LANEMASK_LE,
    LANEMASK_LT,
    LANEMASK_GE,
    LANEMASK_GT,
    ENVREG,
    WARP_SIZE,
    DYNAMIC_SHARED
};

struct operand {
    enum operand_kind kind;
    struct place place;
    bool negated;              /* !p */
    unsigned reg;              /* REGISTER, ADDRESS with has_register */
    bool has_register;         /* ADDRESS */
    enum literal literal;      /* NUMBER */
    uint64_t number;           /* NUMBER: its bits; ADDRESS, SYMBOL: offset */
    struct variable *variable; /* SYMBOL, ADDRESS or NULL */
    enum special_register special;
    unsigned axis; /* SPECIAL: 0 to 2 */
    unsigned count;
    struct operand *list;      /* VECTOR: its elements; p|q: count is 1 and the list has q */
    size_t target;             /* LABEL: an instruction of the function */
    struct table *table;       /* LABEL of .branchtargets */
    struct function *function; /* CALLEE */
    const char *name;          /* LABEL, CALLEE: until resolved */
    struct scope *scope;
};

/* .branchtargets */
struct table {
    struct operand *labels;
    unsigned count;
    struct table *next;
};

enum { MOST_OPERANDS = 5 };

struct instruction {
    struct place place;
    enum opcode opcode;
    struct word_set words;
    struct type types[4]; /* in the order written */
    unsigned type_count;
    enum word comparison, combination; /* of set, setp; atom has its operation in combination */
    enum word rounding;                /* NO_WORD if none is written */
    enum space space;
    unsigned vector; /* 1, 2 or 4 */
    bool guarded, guard_negated;
    unsigned guard;
    unsigned operand_count;
    struct operand operands[MOST_OPERANDS]; /* call: results, callee, arguments */
};

struct function {
    const char *name;
    struct place place;
    bool is_kernel, has_body;
    struct instruction *code;
    size_t code_count, code_room;
    struct type *registers;
    size_t register_count, register_room;
    struct operand *results, *parameters; /* REGISTER, or SYMBOL of a variable in PARAM */
    unsigned result_count, parameter_count;
    size_t given_bytes;              /* of its results and parameters */
    size_t param_bytes, local_bytes; /* of a frame */
    struct table *tables;
    struct function *next;
};

struct module {
    const char *file;
    unsigned address_bits;
    unsigned target;            /* 20 of sm_20 */
    struct variable *variables; /* GLOBAL, CONSTANT, SHARED; those of functions, too */
    struct function *functions;
    size_t shared_bytes;
    bool approximates; /* has instructions that need the chip's tables */
    struct allocation *allocations;
    size_t allocated; /* bytes */
};

/* NULL if the text is not a program; `problem` has the reason. */
struct module *module_read(const char *file, const char *text, struct problem *problem);
void module_free(struct module *module);

/* A kernel by its name in PTX or, from C++, by its name before mangling; NULL takes the first one. */
const struct function *module_kernel(const struct module *module, const char *name);

/* Memory that lives as long as the module, zeroed. */
void *module_allocate(struct module *module, size_t bytes);

#endif
