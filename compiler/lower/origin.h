/* SPDX-License-Identifier: Apache-2.0 */
/* What spaces.c and reaching.c know of a value: which memory it may be an address of, which parameters it is made
 * of. */
#ifndef WARPSTEP_CC_ORIGIN_H
#define WARPSTEP_CC_ORIGIN_H

#include "lower.h"

struct origin {
    unsigned from; /* enum provenance */
    uint64_t parameters;
};

void origin_join(struct origin *a, struct origin b);
unsigned origin_of_space(enum ptx_space space);
struct origin origin_of_operand(const struct frame *f, const struct ptx_operand *o);
struct origin origin_of_result(struct lower *l, const struct frame *f, const struct ptx_insn *insn);

/* Whether the result is what some operands are: their numbers. */
bool origin_passes_on(const struct frame *f, const struct ptx_insn *insn, unsigned *first, unsigned *last);

/* reaching.c: of a register at the instruction in work; enum provenance. */
unsigned lower_provenance_at(struct lower *l, const struct ptx_symbol *reg);

#endif
