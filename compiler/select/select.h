/* SPDX-License-Identifier: Apache-2.0 */
/* From what PTX says to what sm_10 has. Each step leaves a kernel that means the same. */
#ifndef WARPSTEP_CC_SELECT_H
#define WARPSTEP_CC_SELECT_H

#include "../ir/ir.h"

/* simplify.c: constants and copies to where they are used, addresses with offsets, what nothing reads removed. */
void select_simplify(struct ir *ir);
void select_remove_dead(struct ir *ir);

/* Whether an instruction can read a cell of shared memory in place of operand i; then the cell as it reads it, false
 * where that is too far; then to put it first, where it must be. */
bool select_takes_shared(const struct ir_insn *insn, unsigned i, enum ir_cell cell);
bool select_read_in_place(const struct ir_insn *insn, unsigned i, struct ir_operand *cell);
void select_shared_first(struct ir_insn *insn);

/* Whether a register that `from` reads still has that value where `at` stands. */
bool select_same_at(const struct ir *ir, ir_reg reg, const struct ir_insn *from, const struct ir_insn *at);

/* range.c: bits and sbits of all registers that are written once. */
void select_find_ranges(struct ir *ir);
uint32_t select_bits(const struct ir *ir, const struct ir_operand *o);  /* value < 2^n */
uint32_t select_sbits(const struct ir *ir, const struct ir_operand *o); /* fits as a signed number of n bits */

/* expand.c: pseudo operations replaced. */
void select_expand(struct ir *ir);
void select_expand_selects(struct ir *ir);

/* fuse.c: FMAD, IMAD, shared operands, flags of what is computed anyway. */
void select_fuse(struct ir *ir);

/* fold.c: loads from shared and constant memory into their only use. Comes after the addresses. */
void select_fold_loads(struct ir *ir);

/* cse.c: what has been computed before. */
void select_share(struct ir *ir);

/* compare.c: comparisons that need less. */
void select_compare(struct ir *ir);

/* address.c: LDS, STS, LDC, A registers. */
void select_addresses(struct ir *ir);

/* induct.c: A registers that grow from turn to turn; then those that an access makes grow. */
void select_grow_addresses(struct ir *ir);
void select_increment(struct ir *ir);

/* hoist.c: A registers that are the same in each turn of a loop. */
void select_hoist_addresses(struct ir *ir);

/* legal.c: operands that an instruction cannot take go to registers. */
void select_legalise(struct ir *ir);
/* The index of a literal in constant bank 1, or -1 where it has no more room. */
int select_literal(struct ir *ir, uint32_t value);

#endif
