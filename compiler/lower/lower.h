/* SPDX-License-Identifier: Apache-2.0 */
/* PTX instructions to operations on virtual registers (ir.h). A PTX register of up to 32 bits is one register, whose
 * bits beyond the type are anything; one of 64 bits is two; a predicate is a mask (all ones, zero) and its flags, of
 * which only what is used will be left. */
#ifndef WARPSTEP_CC_LOWER_H
#define WARPSTEP_CC_LOWER_H

#include "../ir/ir.h"
#include "../ptx/ptx.h"

/* Words of a value: one, or two for 64 bits, the low one first. */
struct value {
    struct ir_operand w[2];
};

/* What a PTX register is. */
struct slot {
    ir_reg r[2]; /* of a predicate: r[0] is the mask */
    ir_reg flags;
};

/* A .param variable of a call: a register for each word, or for a narrower piece at its byte. */
enum cells_kind { CELLS_LOCAL, CELLS_INPUT, CELLS_OUTPUT }; /* a parameter, a result of the routine */

struct cells {
    ir_reg *reg;    /* by the offset of its first byte */
    uint8_t *bytes; /* how many it holds */
    enum cells_kind kind;
    uint32_t size;
    uint32_t local;      /* of a parameter whose address is used: where it is in local memory; 0: in registers */
    unsigned provenance; /* of the addresses that it may hold */
    uint64_t parameters;
    struct cell_store *stored; /* the first store of each cell, by the offset of its first byte */
};

struct cell_store {
    const struct frame *in; /* NULL: none */
    size_t at;              /* instruction */
};

/* Where an address may come from: bits. */
enum provenance {
    FROM_GLOBAL = 1,
    FROM_CONST = 2, /* a variable of constant memory */
    FROM_SHARED = 4,
    FROM_LOCAL = 8,
    FROM_PARAMETER = 16, /* of a kernel: a buffer */
    FROM_MEMORY = 32,    /* loaded */
};

/* A piece of a parameter or result that is passed: which one of them, from which byte, how many. */
struct piece {
    uint32_t symbol, byte, bytes;
};
#define THREAD_ID UINT32_MAX /* R0 of the kernel, passed like a parameter */

/* A function as a routine, for parameters that point to certain memories. */
struct instance {
    const struct ptx_function *function;
    struct instance *next; /* of the same function */
    unsigned *from, *result_from;
    uint64_t *result_parameters;
    struct piece *inputs, *outputs;
    size_t input_count, input_capacity, output_count, output_capacity;
    struct ir_routine routine;
};

struct known {
    uint32_t defs;
    bool is_constant;
    uint64_t value;
    unsigned provenance;
    uint64_t parameters;                /* of the kernel, by bit, that it may be the value of */
    const struct ptx_symbol *parameter; /* a function's, of which it is the address, plus value */
};

struct reaching;

/* A function that is being lowered. */
struct frame {
    const struct ptx_function *function;
    struct slot *slots;   /* by register index */
    struct known *known;  /* likewise */
    struct ir_block **at; /* by instruction: the block that begins there, or NULL */
    struct cells **cells; /* by index of a local .param variable */
    struct cells **parameters, **results;
    struct cells *const *given; /* what the first call passes for the parameters, or NULL */
    uint32_t *local_address;    /* by index of a .local variable */
    struct ir_block *after;     /* where control goes at ret */
    ir_reg carry;               /* the flags of add.cc */
    bool has_news;              /* of where results of calls point, for the buffers among the parameters */
    struct reaching *reaching;
    struct frame *caller;
};

/* Notes that are given once: bits of cc.notes_given. */
enum { NOTE_DOUBLE = 1 };

struct lower {
    struct cc *cc;
    struct ir *ir;
    const struct ptx_module *module;
    struct ptx_module *support; /* empty until it is needed */
    const struct ptx_function *kernel;
    struct ir_routine **routines; /* all that are called, each behind those that it calls */
    size_t routine_count, routine_capacity;
    struct ir_routine *routine;       /* in work; NULL: the kernel */
    const uint32_t *parameter_offset; /* of the kernel's, in the block */
    uint32_t parameter_limit;         /* offsets from here on are in constants, from spilled_at; 0: none is */
    uint32_t spilled_at;
    uint32_t printed_at; /* address of PRINTED in constants */
    bool prints;
    uint32_t *shared_address; /* by index of a variable; 0: not used yet */
    uint32_t shared_end, dynamic_shared;
    bool uses_dynamic_shared;
    uint32_t local_used;
    bool constants_in_global, wants_constants_in_global;
    /* Generic addresses say in their upper bits which memory is meant, where the text alone does not show it: an
     * address of local or shared memory goes to memory (escapes), and one from there, or any, is used. */
    bool tags, wants_tags, escapes, uses_any;
    struct frame *frame;
    struct ir_block *block;
    const struct ptx_insn *insn; /* in work */
    ir_reg guard;                /* of it */
    uint8_t cond;
    ir_reg fresh; /* registers from here on were made for this instruction */
    unsigned depth;
    const struct cc_place *place; /* of all instructions, while a routine of support.c is lowered; else NULL */
};

/* lower.c */
void lower_kernel(struct lower *l);
void lower_function(struct lower *l, struct frame *frame);
void lower_insn(struct lower *l, const struct ptx_insn *insn);
void lower_fail(const struct lower *l, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
void lower_bad_types(const struct lower *l) __attribute__((noreturn));
uint32_t lower_align(uint32_t value, uint32_t align);
uint32_t lower_new_local(struct lower *l, const struct ptx_symbol *s); /* its address */

/* parameter.c: parameters of a function whose addresses are used. */
void lower_find_parameters(struct lower *l, struct frame *f);
void lower_store_parameters(struct lower *l, struct frame *f);
struct known *lower_known(const struct frame *f, const struct ptx_operand *o); /* of a register; else NULL */
/* Those of a parameter of the frame's function, or NULL. */
struct cells *lower_parameter_cells(const struct frame *f, const struct ptx_symbol *s);

/* operand.c: values of operands; constants are immediates. */
struct slot *lower_slot(struct lower *l, const struct ptx_operand *o);
struct value lower_value(struct lower *l, unsigned operand, enum ptx_type type);
struct value lower_operand(struct lower *l, const struct ptx_operand *o, enum ptx_type type);
struct ir_operand lower_word(struct lower *l, unsigned operand, enum ptx_type type);     /* up to 32 bits, as it is */
struct ir_operand lower_extended(struct lower *l, unsigned operand, enum ptx_type type); /* extended to 32 bits */
struct ir_operand lower_mask(struct lower *l, const struct ptx_operand *o);              /* of a predicate */
uint32_t lower_address_of(struct lower *l, const struct ptx_symbol *s);
bool lower_is_spilled(const struct lower *l, size_t parameter); /* one of the kernel's is in constants */
void lower_set(struct lower *l, const struct ptx_operand *o, struct value v, enum ptx_type type);
void lower_set_word(struct lower *l, unsigned operand, struct ir_operand word, enum ptx_type type);
/* The flags and the condition under which a predicate operand holds. */
ir_reg lower_flags(struct lower *l, const struct ptx_operand *o, uint8_t *cond);
/* An instruction that writes mask and flags of a predicate operand. */
struct ir_insn *lower_set_predicate(struct lower *l, const struct ptx_operand *o, enum ir_op op);

/* build.c: instructions at the end of the block; each gives its result. */
struct ir_insn *build(struct lower *l, enum ir_op op);
void build_jump(struct lower *l, struct ir_block *to); /* the end of the block */
void build_branch(struct lower *l, ir_reg flags, uint8_t cond, struct ir_block *yes, struct ir_block *no);
struct ir_operand build1(struct lower *l, enum ir_op op, struct ir_operand a);
struct ir_operand build2(struct lower *l, enum ir_op op, struct ir_operand a, struct ir_operand b);
struct ir_operand build_add(struct lower *l, struct ir_operand a, struct ir_operand b);
struct ir_operand build_sub(struct lower *l, struct ir_operand a, struct ir_operand b);
struct ir_operand build_neg(struct lower *l, struct ir_operand a);
struct ir_operand build_logic(struct lower *l, enum ir_logic logic, struct ir_operand a, struct ir_operand b);
struct ir_operand build_not(struct lower *l, struct ir_operand a);
struct ir_operand build_shl(struct lower *l, struct ir_operand a, struct ir_operand count);
struct ir_operand build_shr(struct lower *l, struct ir_operand a, struct ir_operand count, bool is_signed);
struct ir_operand build_set(struct lower *l, enum ir_cond compare, bool is_signed, struct ir_operand a,
                            struct ir_operand b); /* a mask */
/* mask ? a : b */
struct ir_operand build_select(struct lower *l, struct ir_operand mask, struct ir_operand a, struct ir_operand b);
/* compare ? x : y */
struct ir_operand build_choose(struct lower *l, enum ir_cond compare, bool is_signed, struct ir_operand a,
                               struct ir_operand b, struct ir_operand x, struct ir_operand y);
struct ir_operand build_minmax(struct lower *l, bool is_max, bool is_signed, struct ir_operand a, struct ir_operand b);
struct ir_operand build_mul(struct lower *l, struct ir_operand a, struct ir_operand b);
struct ir_operand build_mulhi(struct lower *l, bool is_signed, struct ir_operand a, struct ir_operand b);
struct ir_operand build_extend(struct lower *l, struct ir_operand a, unsigned bits, bool is_signed);
struct ir_operand build_move(struct lower *l, struct ir_operand a);     /* to a new register */
struct ir_operand build_register(struct lower *l, struct ir_operand a); /* to a register, unless it is in one */

/* wide.c: 64 bits. */
struct value wide_add(struct lower *l, struct value a, struct value b);
struct value wide_sub(struct lower *l, struct value a, struct value b);
struct value wide_mul(struct lower *l, struct value a, struct value b);
struct value wide_product(struct lower *l, bool is_signed, struct ir_operand a, struct ir_operand b);
struct value wide_select(struct lower *l, struct ir_operand mask, struct value a, struct value b);
struct ir_operand wide_set(struct lower *l, enum ir_cond compare, bool is_signed, struct value a, struct value b);
struct value wide_extend(struct ir_operand a, bool is_signed, struct lower *l);
void lower_wide_shift(struct lower *l, const struct ptx_insn *insn);
void lower_wide_arithmetic(struct lower *l, const struct ptx_insn *insn);
struct value wide_number(uint64_t number);
struct value wide_shift(struct lower *l, bool left, bool is_signed, struct value a, struct ir_operand count);

/* One function for a group of PTX instructions. */
void lower_arithmetic(struct lower *l, const struct ptx_insn *insn); /* add sub min max abs neg, carries */
void lower_product(struct lower *l, const struct ptx_insn *insn);    /* mul mad mul24 mad24 madc sad div rem */
void lower_logic(struct lower *l, const struct ptx_insn *insn);      /* and or xor not cnot shl shr */
void lower_bits(struct lower *l, const struct ptx_insn *insn);       /* bfe bfi bfind brev clz popc prmt shf */
void lower_compare(struct lower *l, const struct ptx_insn *insn);    /* set setp selp slct */
void lower_float(struct lower *l, const struct ptx_insn *insn);
void lower_double(struct lower *l, const struct ptx_insn *insn);
void lower_convert(struct lower *l, const struct ptx_insn *insn); /* cvt cvta */
void lower_move(struct lower *l, const struct ptx_insn *insn);
void lower_memory(struct lower *l, const struct ptx_insn *insn); /* ld ldu st atom red */
void lower_call(struct lower *l, const struct ptx_insn *insn);

struct ir_operand float_set(struct lower *l, enum ptx_compare compare, struct ir_operand a, struct ir_operand b);
uint8_t lower_float_code(const struct lower *l, enum ptx_compare compare);

/* print.c: printf, which has no body. */
bool lower_is_print(const struct ptx_function *f);
void lower_print(struct lower *l, const struct ptx_function *f, const struct ptx_operand *results,
                 const struct ptx_operand *arguments);

/* call.c: a routine of support.h, words in and out. */
void lower_support(struct lower *l, const char *name, const struct ir_operand *arguments, unsigned count,
                   struct ir_operand *results, unsigned result_count);

/* The registers of a .param variable of the function or of a call; NULL: it is none. */
struct cells *lower_find_cells(struct lower *l, const struct ptx_symbol *s);

/* cells.c: what is loaded, whose upper bits may be anything; the register for what is stored. */
struct cells *lower_new_cells(struct lower *l, uint32_t size, enum cells_kind kind);
struct ir_operand lower_load_cell(struct lower *l, struct cells *c, uint32_t byte, uint32_t bytes);
ir_reg lower_store_cell(struct lower *l, struct cells *c, uint32_t byte, uint32_t bytes);
bool lower_cell_is_written(const struct cells *c, uint32_t byte, uint32_t bytes); /* some of it; an input is */

/* Upper four bits of a generic address of local and of shared memory. */
enum { TAG_SHIFT = 28, TAG_SHARED = 14, TAG_LOCAL = 15 };

/* spaces.c: where the addresses in the registers of a function come from. */
void lower_find_spaces(struct lower *l, struct frame *frame);
/* A value goes to memory: the address of a variable may come back from there. */
void lower_note_store(struct lower *l, const struct ptx_operand *value, enum ptx_type type);
/* Of the parameters of the frame's function, by bit, one is an address of a memory. */
void lower_note_buffers(const struct frame *f, uint64_t mask, enum ptx_space space);
/* The memory of an access; PTX_NO_SPACE: the tag of the address says it. */
enum ptx_space lower_space(struct lower *l, const struct ptx_operand *o, enum ptx_space written);
enum ptx_space lower_space_from(struct lower *l, unsigned from, const char *name, enum ptx_space written);
/* A mask: whether an address is of `wanted`, where `space` is what lower_space says of it. */
struct ir_operand lower_is_in_space(struct lower *l, struct ir_operand address, enum ptx_space space,
                                    enum ptx_space wanted);

#endif
