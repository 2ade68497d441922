/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction selection: from operations of PTX to instructions of sm_10. Each pass keeps the meaning of the kernel. */
#ifndef WARPSTEP_CC_SELECT_H
#define WARPSTEP_CC_SELECT_H

#include "../ir/ir.h"

/* simplify.c: propagates constants and copies, folds constants into address offsets, removes dead code. */
void select_simplify(struct ir *ir);
void select_remove_dead(struct ir *ir);

/* The first returns whether an instruction can read a cell of shared memory as operand i. The second sets the cell
 * to the form that operand i reads, and returns false if it is out of reach. The third moves the shared operand to
 * source a, where it must be. */
bool select_takes_shared(const struct ir_insn *insn, unsigned i, enum ir_cell cell);
bool select_read_in_place(const struct ir_insn *insn, unsigned i, struct ir_operand *cell);
void select_shared_first(struct ir_insn *insn);

/* Returns whether a register that `from` reads has the same value at `at`. */
bool select_same_at(const struct ir *ir, ir_reg reg, const struct ir_insn *from, const struct ir_insn *at);

/* range.c: sets bits and sbits of all registers. */
void select_find_ranges(struct ir *ir);
uint32_t select_bits(const struct ir *ir, const struct ir_operand *o);  /* n, for a value below 2^n */
uint32_t select_sbits(const struct ir *ir, const struct ir_operand *o); /* n, for a value that fits in n signed bits */

/* expand.c: replaces pseudo instructions. */
void select_expand(struct ir *ir);
void select_expand_selects(struct ir *ir);

/* fuse.c: FMAD, IMAD, and flags of instructions in place of comparisons. */
void select_fuse(struct ir *ir);

/* fold.c: folds loads from shared and constant memory into their only reader. Runs after select_addresses. */
void select_fold_loads(struct ir *ir);

/* cse.c: common subexpressions. */
void select_share(struct ir *ir);

/* compare.c: comparisons that free a register. */
void select_compare(struct ir *ir);

/* address.c: address operands. */
void select_addresses(struct ir *ir);

/* induct.c: A registers that grow with each iteration; then post-increments. */
void select_grow_addresses(struct ir *ir);
void select_increment(struct ir *ir);

/* hoist.c: loop-invariant A registers. */
void select_hoist_addresses(struct ir *ir);

/* legal.c: moves operands that an instruction cannot take to registers. */
void select_legalise(struct ir *ir);
/* Returns the index of a literal in constant bank 1, which is added if needed; -1 if the bank is full. */
int select_literal(struct ir *ir, uint32_t value);

#endif
