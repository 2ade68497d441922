/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel on its way to machine code: blocks of instructions of sm_10 on virtual registers, and a few that sm_10 does
 * not have (ops.def), which expand.c replaces. Operands may be whatever is known of them, an immediate or a parameter
 * in shared memory, until legal.c moves to a register what an instruction cannot take.
 *
 * A register that is written once is written before all its uses; others may be written anywhere. A guarded write
 * leaves the old value in the lanes that do not execute it. */
#ifndef WARPSTEP_CC_IR_H
#define WARPSTEP_CC_IR_H

#include <stdbool.h>

#include "../base/context.h"

typedef uint32_t ir_reg; /* 0: none */

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
    bool negative, absolute; /* of logic: inverted */
    bool increments;         /* of memory: at the A register, which then grows by `value` */
    ir_reg reg;              /* of memory: the A register */
    uint32_t value;          /* immediate; byte address in memory */
};

enum ir_flag {
    IR_SIGN_A = 1 << 0, /* the first source is signed, or the operation */
    IR_SIGN_B = 1 << 1,
    IR_SIGN_D = 1 << 2, /* conversions: the result is */
    IR_M24 = 1 << 3,    /* products of 24 bits; else of 16 */
    IR_HI = 1 << 4,
    IR_SAT = 1 << 5,
    IR_SRC16 = 1 << 6, /* conversions: from a half register */
    IR_DST16 = 1 << 7, /* conversions: to the low half */
    IR_BYTE = 1 << 8,  /* conversions: from the low byte */
    IR_INTEGRAL = 1 << 9,
    IR_W16 = 1 << 10, /* the operation is 16 bits wide */
    IR_VOLATILE = 1 << 11,
    IR_FUSIBLE = 1 << 12, /* FMUL, FADD: may become part of FMAD */
    IR_JOIN = 1 << 13,    /* .S */
    IR_EXIT = 1 << 14,    /* END */
    IR_FRESH = 1 << 15,   /* guarded: what the destination held before is never read */
};

enum ir_logic { IR_AND, IR_OR, IR_XOR, IR_PASS };

/* Conditions, as encoded: docs/isa.md 2.7. */
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
    uint8_t cond; /* of the guard */
    uint16_t flags;
    ir_reg dst, fdst;     /* register and flags that are written */
    ir_reg more[IR_MORE]; /* further words of a wide load or store, behind dst or src[1] */
    ir_reg guard, carry;  /* flags that are read */
    struct ir_operand src[3];
    int32_t offset;          /* memory: added to the address */
    struct ir_block *target; /* SSY, PBK */
    struct ir_call *call;    /* CAL */
    const struct cc_place *place;
    struct ir_block *block;
    struct ir_insn *prev, *next;
    uint32_t order;
};

enum ir_end { IR_JUMP, IR_BRANCH, IR_RETURN };

/* How control leaves a block: by RETURN the thread ends. */
struct ir_block {
    struct ir_insn *first, *last;
    enum ir_end end;
    ir_reg guard; /* BRANCH: to next[0] where cond holds, else to next[1] */
    uint8_t cond;
    bool breaks[2]; /* the edge leaves a PBK region: BRK */
    struct ir_block *next[2];
    struct ir_block **previous;
    size_t previous_count, previous_capacity;
    uint32_t number; /* place in ir.order */
    uint32_t first_order, last_order;
    const struct cc_place *place; /* of its end */
    bool reached;
    struct ir_block *copy; /* while a body is copied */

    /* dominators and loops, see cfg.h */
    struct ir_block *dominator;
    uint32_t depth;
    uint32_t tree_first, tree_size; /* place in the tree of dominators, and blocks below, itself included */
    struct ir_loop *loop;

    /* registers that live into it and out of it, see live.h */
    ir_reg *live_in, *live_out;
    size_t live_in_count, live_out_count, live_in_capacity, live_out_capacity;
};

struct ir_vreg {
    uint8_t cls;
    bool low;       /* its halves are used: R0 to R63 */
    bool divergent; /* may differ between the threads of a warp */
    uint32_t defs, uses;
    struct ir_insn *def; /* where it is written once */
    uint32_t bits;       /* the value is below 2^(bits - 1); 0: not known yet */
    uint32_t sbits;      /* the value fits as a signed number of so many bits */
    int fixed;           /* the physical register that it must be, -1 */
    int home;            /* the physical register that it is, -1 */
};

struct ir {
    struct cc *cc;
    struct ir_vreg *regs; /* from 1 */
    size_t reg_count, reg_capacity;
    struct ir_block *entry;
    struct ir_block **blocks; /* all */
    size_t block_count, block_capacity;
    struct ir_block **order; /* those that are reached: reverse postorder, later the layout */
    size_t order_count;
    ir_reg r0; /* what R0 holds at the start */
    uint32_t local_bytes;
    uint32_t first_shared;        /* address of the first variable in shared memory */
    struct ir_live *live;         /* room for live.c */
    struct ir_literals *literals; /* the kernel and its routines have them in common */
    const struct cc_place *place; /* for new instructions */
    uint32_t stack_room;          /* entries of the warp stack for SSY, PBK and CAL */
    bool reads_r0;                /* a routine: its caller has to pass it */
};

/* Words of constant bank 1. */
struct ir_literals {
    uint32_t *list;
    size_t count, capacity;
};

enum { IR_STACK_ROOM = 33 }; /* entries that are left beside those of 31 branches under way: docs/isa.md 6.1 */

/* A function that is compiled by itself: see docs/c.md, the convention of calls. Until registers are given out its
 * inputs are registers that nothing writes; each output is the source of a KEEP in its last block. */
struct ir_routine {
    const char *name;
    struct ir *ir;
    ir_reg *inputs;
    size_t input_count, input_capacity;
    struct ir_insn **outputs;
    size_t output_count, output_capacity;
    struct ir_block *exit; /* where it returns */
    bool ends_threads;     /* by exit, which a routine cannot do in place of RET */
    bool has_no_lines;     /* its code is that of the line that calls it */
    bool stays;            /* is called; else it stands in place of its calls */
    size_t size, sites;    /* instructions; calls */
    /* Once it has been compiled: R0 up to registers - 1, these C and A registers (bits) and so much of the warp stack
     * are used, with all that it calls. */
    unsigned registers, flags, addresses, depth;
    uint32_t loops, need, height; /* inside each other: loops; loops and calls, with what it calls; calls */
    uint32_t label;
};

/* What goes in and comes out, in the order of the routine's. */
enum { IR_ARGUMENTS = 16, IR_RESULTS = 8 }; /* at most, where the routine stays */
struct ir_call {
    struct ir_routine *routine;
    ir_reg *arguments, *results;
};

ir_reg ir_new_reg(struct ir *ir, enum ir_class cls);
struct ir_block *ir_new_block(struct ir *ir);

/* A new instruction at the end of a block, or before another. */
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

/* All registers that an instruction reads (guard, carry and, where a guard leaves it, the destination included), and
 * that it writes. At most IR_USES_MAX. Returns their number. */
enum { IR_USES_MAX = 12 + IR_ARGUMENTS, IR_DEFS_MAX = 6 + IR_RESULTS };
unsigned ir_uses(const struct ir_insn *insn, ir_reg uses[IR_USES_MAX]);
unsigned ir_defs(const struct ir_insn *insn, ir_reg defs[IR_DEFS_MAX]);

static inline bool ir_dominates(const struct ir_block *a, const struct ir_block *b) {
    return b->tree_first >= a->tree_first && b->tree_first - a->tree_first < a->tree_size;
}

/* Counts definitions and uses anew. A register that is written in one place, but read where that may not have been
 * passed, counts as written twice. */
void ir_count(struct ir *ir);

/* The only definition of a register operand, or NULL. */
struct ir_insn *ir_def_of(const struct ir *ir, const struct ir_operand *o);

bool ir_has_effect(const struct ir_insn *insn); /* stores, barriers, ... */
bool ir_is_load(const struct ir_insn *insn);

uint8_t ir_opposite(uint8_t cond); /* the condition that holds exactly where this one does not */

const char *ir_op_name(enum ir_op op);
void ir_dump(const struct ir *ir, FILE *out);

#endif
