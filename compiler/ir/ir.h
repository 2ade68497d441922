/* SPDX-License-Identifier: Apache-2.0 */
/* Intermediate representation of a kernel: blocks of sm_10 instructions on virtual registers, and of pseudo
 * instructions
 * (ops.def), which expand.c replaces. An operand may be of any kind, for instance an immediate or a parameter in shared
 * memory, until legal.c moves those that the instruction cannot take to a register.
 *
 * A register that is written once is written before all its uses; others may be written anywhere. A guarded write
 * leaves the old value in the lanes that do not execute it. */
#ifndef WARPSTEP_CC_IR_H
#define WARPSTEP_CC_IR_H

#include <stdbool.h>

#include "../base/context.h"

typedef uint32_t ir_reg; /* 0 if none */

enum ir_class { IR_R, IR_C, IR_A, IR_CLASSES };

enum ir_op {
    IR_NO_OP,
#define IR_OP(name, kind) IR_##name,
#include "ops.def"
    IR_OP_COUNT
};

enum ir_kind { IR_NONE, IR_REG, IR_IMM, IR_SHARED, IR_CONST };
enum ir_half { IR_WHOLE, IR_LOW, IR_HIGH };
enum ir_cell { IR_U8, IR_U16, IR_S16, IR_B32 }; /* as in the encoding */

struct ir_operand {
    uint8_t kind, half, cell, bank;
    bool negative, absolute; /* absolute: of a logic operation, inverted */
    bool increments;         /* of memory: post-increment of the A register by `value` */
    ir_reg reg;              /* of memory: its A register */
    uint32_t value;          /* value of an immediate; byte address in memory */
};

enum ir_flag {
    IR_SIGN_A = 1 << 0, /* source a, or the whole operation, is signed */
    IR_SIGN_B = 1 << 1,
    IR_SIGN_D = 1 << 2, /* conversions: the result is signed */
    IR_M24 = 1 << 3,    /* 24-bit factors, else 16-bit */
    IR_HI = 1 << 4,
    IR_SAT = 1 << 5,
    IR_SRC16 = 1 << 6, /* conversions: the source is a half register */
    IR_DST16 = 1 << 7, /* conversions: the result goes to the low half */
    IR_BYTE = 1 << 8,  /* conversions: the source is the low byte */
    IR_INTEGRAL = 1 << 9,
    IR_W16 = 1 << 10, /* the operation is 16 bits wide */
    IR_VOLATILE = 1 << 11,
    IR_FUSIBLE = 1 << 12, /* FMUL, FADD: may become part of FMAD */
    IR_JOIN = 1 << 13,    /* .S */
    IR_EXIT = 1 << 14,    /* END */
    IR_FRESH = 1 << 15,   /* guarded: the old value of the destination is never read */
};

enum ir_logic { IR_AND, IR_OR, IR_XOR, IR_PASS };

/* Conditions, by their encoding: docs/isa.md 2.7. */
enum ir_cond {
    IR_FALSE,
    IR_LT,
    IR_EQ,
    IR_LE,
    IR_GT,
    IR_NE,
    IR_GE,
    IR_NUM,
    IR_NAN,
    IR_LTU,
    IR_EQU,
    IR_LEU,
    IR_GTU,
    IR_NEU,
    IR_GEU,
    IR_ALWAYS,
    IR_CARRY_SET = 17,
    IR_SIGN_SET = 19,
    IR_SIGN_CLEAR = 28,
    IR_CARRY_CLEAR = 30,
};

enum ir_rounding { IR_NEAREST, IR_FLOOR, IR_CEIL, IR_TRUNC };

enum ir_size { IR_SIZE_U8, IR_SIZE_S8, IR_SIZE_U16, IR_SIZE_S16, IR_SIZE_64, IR_SIZE_128, IR_SIZE_U32 };

struct ir_block;
struct ir_call;

enum { IR_MORE = 3 };

struct ir_insn {
    uint8_t op, sub, rounding, size;
    uint8_t cond; /* condition of the guard */
    uint16_t flags;
    ir_reg dst, fdst;     /* destination register and destination flags */
    ir_reg more[IR_MORE]; /* further words of a wide load or store, after dst or src[1] */
    ir_reg guard, carry;  /* flags that it reads */
    struct ir_operand src[3];
    int32_t offset;          /* memory: offset of the address */
    struct ir_block *target; /* of SSY and PBK */
    struct ir_call *call;    /* of CAL */
    const struct cc_place *place;
    struct ir_block *block;
    struct ir_insn *prev, *next;
    uint32_t order;
};

enum ir_end { IR_JUMP, IR_BRANCH, IR_RETURN };

/* The end of a block. RETURN ends the thread. */
struct ir_block {
    struct ir_insn *first, *last;
    enum ir_end end;
    ir_reg guard; /* BRANCH: to next[0] if cond holds, else to next[1] */
    uint8_t cond;
    bool breaks[2]; /* the edge is a BRK: it leaves a PBK region */
    struct ir_block *next[2];
    struct ir_block **previous;
    size_t previous_count, previous_capacity;
    uint32_t number; /* index in ir->order */
    uint32_t first_order, last_order;
    const struct cc_place *place; /* place of the end */
    bool reached;
    struct ir_block *copy; /* its copy, during inlining */

    /* dominators and loops, see cfg.h */
    struct ir_block *dominator;
    uint32_t depth;
    /* position in the dominator tree, and number of blocks in its subtree, itself included */
    uint32_t tree_first, tree_size;
    struct ir_loop *loop;

    /* registers live at its start and at its end, see live.h */
    ir_reg *live_in, *live_out;
    size_t live_in_count, live_out_count, live_in_capacity, live_out_capacity;
};

struct ir_vreg {
    uint8_t cls;
    bool low;       /* its halves are used: must be one of R0 to R63 */
    bool divergent; /* may differ between threads of a warp */
    uint32_t defs, uses;
    struct ir_insn *def; /* its definition if there is only one, else NULL */
    uint32_t bits;       /* the value is below 2^(bits - 1); 0 if unknown so far */
    uint32_t sbits;      /* the value fits in a signed number of this many bits */
    int fixed;           /* required physical register, or -1 */
    int home;            /* assigned physical register, or -1 */
};

struct ir {
    struct cc *cc;
    struct ir_vreg *regs; /* index 0 is unused */
    size_t reg_count, reg_capacity;
    struct ir_block *entry;
    struct ir_block **blocks; /* all blocks */
    size_t block_count, block_capacity;
    struct ir_block **order; /* reachable blocks, in reverse postorder, later in the order of the code */
    size_t order_count;
    ir_reg r0; /* initial value of R0 */
    uint32_t local_bytes;
    uint32_t first_shared;        /* byte address of the first variable in shared memory */
    struct ir_live *live;         /* working memory of live.c */
    struct ir_literals *literals; /* shared by the kernel and its routines */
    const struct cc_place *place; /* place of new instructions */
    uint32_t stack_room;          /* warp stack entries for SSY, PBK and CAL */
    bool reads_r0;                /* a routine that reads R0: its caller passes it */
};

/* Words of constant bank 1. */
struct ir_literals {
    uint32_t *list;
    size_t count, capacity;
};

enum { IR_STACK_ROOM = 33 }; /* warp stack entries beyond those of 31 open branches: docs/isa.md 6.1 */

/* A function compiled separately: see docs/c.md, calling convention. Before register allocation nothing writes its
 * inputs, and each output is the source of a KEEP in the last block. */
struct ir_routine {
    const char *name;
    struct ir *ir;
    ir_reg *inputs;
    size_t input_count, input_capacity;
    struct ir_insn **outputs;
    size_t output_count, output_capacity;
    struct ir_block *exit; /* its last block */
    bool ends_threads;     /* uses exit, which a routine cannot replace by RET */
    bool has_no_lines;     /* has no line information: its code gets the line of the call */
    bool stays;            /* is called; otherwise inlined */
    size_t size, sites;    /* number of instructions; number of call sites */
    /* Set after compilation, callees included: it uses R0 to registers - 1, the C and A registers of these bit
     * masks, and this many entries of the warp stack. */
    unsigned registers, flags, addresses, depth;
    uint32_t loops, need, height; /* nesting depths: of loops; of loops and calls, callees included; of calls */
    uint32_t label;
};

/* Arguments and results of a call, in the order of the routine's inputs and outputs. */
enum { IR_ARGUMENTS = 16, IR_RESULTS = 8 }; /* maximum for a routine that is not inlined */
struct ir_call {
    struct ir_routine *routine;
    ir_reg *arguments, *results;
};

ir_reg ir_new_reg(struct ir *ir, enum ir_class cls);
struct ir_block *ir_new_block(struct ir *ir);

/* Adds a new instruction at the end of a block, or before another instruction. */
struct ir_insn *ir_append(struct ir *ir, struct ir_block *block, enum ir_op op);
struct ir_insn *ir_insert(struct ir *ir, struct ir_insn *before, enum ir_op op);
void ir_remove(struct ir_insn *insn);

static inline struct ir_operand ir_use(ir_reg reg) { return (struct ir_operand){.kind = IR_REG, .reg = reg}; }
static inline struct ir_operand ir_imm(uint32_t value) { return (struct ir_operand){.kind = IR_IMM, .value = value}; }
static inline struct ir_operand ir_half_of(ir_reg reg, enum ir_half half) {
    return (struct ir_operand){.kind = IR_REG, .reg = reg, .half = (uint8_t)half};
}
static inline struct ir_operand ir_shared(uint32_t address, enum ir_cell cell) {
    return (struct ir_operand){.kind = IR_SHARED, .value = address, .cell = (uint8_t)cell};
}
static inline bool ir_is_reg(const struct ir_operand *o) { return o->kind == IR_REG; }
static inline bool ir_is_imm(const struct ir_operand *o, uint32_t value) {
    return o->kind == IR_IMM && o->value == value;
}

/* Lists the registers that an instruction reads (with guard and carry, and the destination if the guard keeps its
 * old value), or that it writes. Returns their number, at most IR_USES_MAX or IR_DEFS_MAX. */
enum { IR_USES_MAX = 12 + IR_ARGUMENTS, IR_DEFS_MAX = 6 + IR_RESULTS };
unsigned ir_uses(const struct ir_insn *insn, ir_reg uses[IR_USES_MAX]);
unsigned ir_defs(const struct ir_insn *insn, ir_reg defs[IR_DEFS_MAX]);

static inline bool ir_dominates(const struct ir_block *a, const struct ir_block *b) {
    return b->tree_first >= a->tree_first && b->tree_first - a->tree_first < a->tree_size;
}

/* Recounts definitions and uses. A register with one definition that does not dominate all its reads counts as
 * defined twice. */
void ir_count(struct ir *ir);

/* Returns the only definition of a register operand, or NULL. */
struct ir_insn *ir_def_of(const struct ir *ir, const struct ir_operand *o);

bool ir_has_effect(const struct ir_insn *insn); /* stores, barriers, calls and the like */
bool ir_is_load(const struct ir_insn *insn);

uint8_t ir_opposite(uint8_t cond); /* returns the negated condition */

const char *ir_op_name(enum ir_op op);
void ir_dump(const struct ir *ir, FILE *out);

#endif
