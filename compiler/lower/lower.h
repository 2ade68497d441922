/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers PTX instructions to operations on virtual registers (ir.h). A PTX register of up to 32 bits is one
 * register; bits beyond its type are undefined. A 64-bit register is two. A predicate is a mask (all ones or zero)
 * and its flags; the unused one is removed later. */
#ifndef WARPSTEP_CC_LOWER_H
#define WARPSTEP_CC_LOWER_H

#include "../ir/ir.h"
#include "../ptx/ptx.h"

/* Words of a value, low word first: one, or two for 64 bits. */
struct value {
    struct ir_operand w[2];
};

/* Registers of a PTX register. */
struct slot {
    ir_reg r[2]; /* r[0] of a predicate is its mask */
    ir_reg flags;
};

/* A .param variable in registers: one register for each word, or narrower piece, at the index of its first byte. */
enum cells_kind { CELLS_LOCAL, CELLS_INPUT, CELLS_OUTPUT }; /* INPUT: a parameter of a routine; OUTPUT: a result */

struct cells {
    ir_reg *reg;    /* by offset of its first byte */
    uint8_t *bytes; /* number of bytes in it */
    enum cells_kind kind;
    uint32_t size;
    uint32_t local;      /* address in local memory of a parameter whose address is used; 0 if in registers */
    unsigned provenance; /* of the addresses that it may hold */
    uint64_t parameters;
    struct cell_store *stored; /* first store of each cell, by offset of its first byte */
};

struct cell_store {
    const struct frame *in; /* NULL if none */
    size_t at;              /* index of the instruction */
};

/* Possible origins of an address, a bit mask. */
enum provenance {
    FROM_GLOBAL = 1,
    FROM_CONST = 2, /* a variable of constant memory */
    FROM_SHARED = 4,
    FROM_LOCAL = 8,
    FROM_PARAMETER = 16, /* a buffer parameter of a kernel */
    FROM_MEMORY = 32,    /* loaded from memory */
};

/* A piece of a parameter or result: its symbol, first byte, number of bytes. */
struct piece {
    uint32_t symbol, byte, bytes;
};
#define THREAD_ID UINT32_MAX /* R0 of the kernel, passed as a parameter */

/* A function compiled as a routine, for one combination of memories that its parameters point to. */
struct instance {
    const struct ptx_function *function;
    struct instance *next; /* next instance of the function */
    unsigned *from, *result_from;
    uint64_t *result_parameters;
    struct piece *inputs, *outputs;
    size_t input_count, input_capacity, output_count, output_capacity;
    struct ir_routine routine;
};

struct register_facts {
    uint32_t defs;
    const struct ptx_insn *definition; /* the last one; NULL if a parameter of the function is the only one */
    bool is_constant;
    uint64_t value;
    unsigned provenance;
    uint64_t parameters;                /* mask of the kernel parameters that it may derive from */
    const struct ptx_symbol *parameter; /* the function parameter whose address it is, plus value */
};

struct reaching;

/* State of a function during lowering. */
struct frame {
    const struct ptx_function *function;
    struct slot *slots;           /* by register index */
    struct register_facts *facts; /* by register index */
    struct ir_block **at;         /* by instruction: the block that starts there, or NULL */
    struct cells **cells;         /* by index of a local .param variable */
    struct cells **parameters, **results;
    struct cells *const *given; /* arguments of the first call, or NULL */
    uint32_t *local_address;    /* by index of a .local variable */
    struct ir_block *after;     /* target of ret */
    ir_reg carry;               /* flags of add.cc */
    bool origins_changed;       /* provenance of results of calls has changed: buffers are searched again */
    struct reaching *reaching;
    struct frame *caller;
};

/* Notes that are printed once: bits of cc.notes_given. */
enum { NOTE_DOUBLE = 1 };

struct lower {
    struct cc *cc;
    struct ir *ir;
    const struct ptx_module *module;
    struct ptx_module *support; /* empty until first used */
    const struct ptx_function *kernel;
    struct ir_routine **routines; /* all called routines, each behind its callees */
    size_t routine_count, routine_capacity;
    struct ir_routine *routine;       /* the current routine; NULL for the kernel */
    const uint32_t *parameter_offset; /* offsets of the kernel's parameters in the parameter block */
    uint32_t parameter_limit;         /* parameters from this offset on are in constants, at spilled_at; 0 if none */
    uint32_t spilled_at;
    uint32_t printed_at; /* address of PRINTED in constants */
    bool prints;
    uint32_t *shared_address; /* by index of a variable; 0 if unused */
    uint32_t shared_end, dynamic_shared;
    bool uses_dynamic_shared;
    uint32_t local_used;
    bool constants_in_global, wants_constants_in_global;
    /* Generic addresses carry the memory in their upper bits if it cannot be told at compile time: if an address of
     * local or shared memory is stored (address_escapes), and one loaded from memory, or of any origin, is used. */
    bool tags, wants_tags, address_escapes, uses_generic;
    struct frame *frame;
    struct ir_block *block;
    const struct ptx_insn *insn; /* the current instruction */
    ir_reg guard;                /* guard of the instruction */
    uint8_t cond;
    ir_reg first_new_reg; /* first register made for this instruction */
    unsigned depth;
    const struct cc_place *place; /* place of all instructions while a routine of support.c is lowered, else NULL */
};

/* lower.c */
void lower_kernel(struct lower *l);
void lower_function(struct lower *l, struct frame *frame);
void lower_insn(struct lower *l, const struct ptx_insn *insn);
void lower_fail(const struct lower *l, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
void lower_bad_types(const struct lower *l) __attribute__((noreturn));
uint32_t lower_align(uint32_t value, uint32_t align);
uint32_t lower_new_local(struct lower *l, const struct ptx_symbol *s); /* returns its address */

/* parameter.c: parameters whose addresses are used. */
void lower_find_parameters(struct lower *l, struct frame *f);
void lower_store_parameters(struct lower *l, struct frame *f);
struct register_facts *lower_facts(const struct frame *f,
                                   const struct ptx_operand *o); /* NULL unless it is a register */
/* Returns the cells of a parameter of the frame's function, or NULL. */
struct cells *lower_parameter_cells(const struct frame *f, const struct ptx_symbol *s);

/* operand.c: values of operands; constants become immediates. */
struct slot *lower_slot(struct lower *l, const struct ptx_operand *o);
struct value lower_value(struct lower *l, unsigned operand, enum ptx_type type);
struct value lower_operand(struct lower *l, const struct ptx_operand *o, enum ptx_type type);
/* up to 32 bits, upper bits undefined */
struct ir_operand lower_word(struct lower *l, unsigned operand, enum ptx_type type);
struct ir_operand lower_extended(struct lower *l, unsigned operand, enum ptx_type type); /* extended to 32 bits */
struct ir_operand lower_mask(struct lower *l, const struct ptx_operand *o);              /* mask of a predicate */
uint32_t lower_address_of(struct lower *l, const struct ptx_symbol *s);
bool lower_is_spilled(const struct lower *l, size_t parameter); /* the parameter of the kernel is in constants */
void lower_set(struct lower *l, const struct ptx_operand *o, struct value v, enum ptx_type type);
void lower_set_word(struct lower *l, unsigned operand, struct ir_operand word, enum ptx_type type);
/* Returns the flags of a predicate operand, and the condition under which it is true. */
ir_reg lower_flags(struct lower *l, const struct ptx_operand *o, uint8_t *cond);
/* Builds an instruction that writes the mask and the flags of a predicate operand. */
struct ir_insn *lower_set_predicate(struct lower *l, const struct ptx_operand *o, enum ir_op op);

/* build.c: instructions at the end of the current block. Each returns its result. */
struct ir_insn *build(struct lower *l, enum ir_op op);
void build_jump(struct lower *l, struct ir_block *to); /* ends the block */
void build_branch(struct lower *l, ir_reg flags, uint8_t cond, struct ir_block *yes, struct ir_block *no);
struct ir_operand build_unary(struct lower *l, enum ir_op op, struct ir_operand a);
struct ir_operand build_binary(struct lower *l, enum ir_op op, struct ir_operand a, struct ir_operand b);
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
struct ir_operand build_compare_select(struct lower *l, enum ir_cond compare, bool is_signed, struct ir_operand a,
                                       struct ir_operand b, struct ir_operand x, struct ir_operand y);
struct ir_operand build_minmax(struct lower *l, bool is_max, bool is_signed, struct ir_operand a, struct ir_operand b);
struct ir_operand build_mul(struct lower *l, struct ir_operand a, struct ir_operand b);
struct ir_operand build_mulhi(struct lower *l, bool is_signed, struct ir_operand a, struct ir_operand b);
struct ir_operand build_extend(struct lower *l, struct ir_operand a, unsigned bits, bool is_signed);
/* a float to [0, 1]; a NaN to 0 */
struct ir_operand build_saturate(struct lower *l, struct ir_operand a);
struct ir_operand build_move(struct lower *l, struct ir_operand a);     /* to a new register */
struct ir_operand build_register(struct lower *l, struct ir_operand a); /* unless it is in one already */

/* wide.c: 64-bit integers. */
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

/* Each lowers a group of PTX instructions. */
void lower_arithmetic(struct lower *l, const struct ptx_insn *insn); /* add sub min max abs neg, with carries */
void lower_product(struct lower *l, const struct ptx_insn *insn);    /* mul mad mul24 mad24 madc sad div rem */
void lower_logic(struct lower *l, const struct ptx_insn *insn);      /* and or xor not cnot shl shr */
void lower_bits(struct lower *l, const struct ptx_insn *insn);       /* bfe bfi bfind brev clz popc prmt shf */
void lower_compare(struct lower *l, const struct ptx_insn *insn);    /* set setp selp slct */
void lower_float(struct lower *l, const struct ptx_insn *insn);
void lower_double(struct lower *l, const struct ptx_insn *insn);
void lower_convert(struct lower *l, const struct ptx_insn *insn); /* cvt cvta */
void lower_move(struct lower *l, const struct ptx_insn *insn);
enum ir_rounding lower_rounding(enum ptx_rounding rounding);     /* also of the roundings to integers */
void lower_memory(struct lower *l, const struct ptx_insn *insn); /* ld ldu st atom red */
void lower_call(struct lower *l, const struct ptx_insn *insn);

struct ir_operand float_set(struct lower *l, enum ptx_compare compare, struct ir_operand a, struct ir_operand b);
uint8_t lower_float_condition(const struct lower *l, enum ptx_compare compare);

/* print.c: printf, a function without a body. */
bool lower_is_print(const struct ptx_function *f);
void lower_print(struct lower *l, const struct ptx_function *f, const struct ptx_operand *results,
                 const struct ptx_operand *arguments);

/* call.c: calls a routine of support.h, with words as arguments and results. */
void lower_support_call(struct lower *l, const char *name, const struct ir_operand *arguments, unsigned count,
                        struct ir_operand *results, unsigned result_count);

/* Returns the cells of a .param variable of the function or of a call; NULL if it is none. */
struct cells *lower_find_cells(struct lower *l, const struct ptx_symbol *s);

/* cells.c: loads return a value whose upper bits are undefined; stores return the register to write. */
struct cells *lower_new_cells(struct lower *l, uint32_t size, enum cells_kind kind);
struct ir_operand lower_load_cell(struct lower *l, struct cells *c, uint32_t byte, uint32_t bytes);
ir_reg lower_store_cell(struct lower *l, struct cells *c, uint32_t byte, uint32_t bytes);
/* at least one of the bytes; always true for an input */
bool lower_cell_is_written(const struct cells *c, uint32_t byte, uint32_t bytes);

/* Tags: the upper four bits of generic addresses of local and shared memory. */
enum { TAG_SHIFT = 28, TAG_SHARED = 14, TAG_LOCAL = 15 };

/* spaces.c: provenance of the addresses in a function's registers. */
void lower_find_spaces(struct lower *l, struct frame *frame);
/* Notes that a value is stored; an address stored to memory may be loaded again. */
void lower_record_store(struct lower *l, const struct ptx_operand *value, enum ptx_type type);
/* Notes that one of these parameters of the frame's function (a bit mask) is an address of this memory. */
void lower_mark_buffers(const struct frame *f, uint64_t mask, enum ptx_space space);
/* Returns the memory of an access; PTX_NO_SPACE if the tag of the address decides. */
enum ptx_space lower_space(struct lower *l, const struct ptx_operand *o, enum ptx_space written);
enum ptx_space lower_space_from(struct lower *l, unsigned from, const char *name, enum ptx_space written);
/* Returns a mask: whether an address is in `wanted`. `space` is the result of lower_space. */
struct ir_operand lower_is_in_space(struct lower *l, struct ir_operand address, enum ptx_space space,
                                    enum ptx_space wanted);

#endif
