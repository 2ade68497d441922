/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by spaces.c and reaching.c: the memories that a value may be an address of, and the parameters that it
 * derives from. */
#ifndef WARPSTEP_CC_ORIGIN_H
#define WARPSTEP_CC_ORIGIN_H

#include "lower.h"

struct origin {
    unsigned from; /* enum provenance */
    uint64_t parameters;
};

void origin_merge(struct origin *a, struct origin b);
unsigned origin_of_space(enum ptx_space space);
struct origin origin_of_operand(const struct frame *f, const struct ptx_operand *o);
struct origin origin_of_result(struct lower *l, const struct frame *f, const struct ptx_insn *insn);

/* Returns whether the result derives from operands *first to *last. */
bool origin_propagates(const struct frame *f, const struct ptx_insn *insn, unsigned *first, unsigned *last);

/* reaching.c: provenance of a register at the current instruction, a mask of enum provenance. */
unsigned lower_provenance_at(struct lower *l, const struct ptx_symbol *reg);

#endif
