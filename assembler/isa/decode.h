/* SPDX-License-Identifier: Apache-2.0 */
/* Between decode.c, which finds the row, and operands.c, which knows what its fields mean. */
#ifndef WARPSTEP_ISA_DECODE_H
#define WARPSTEP_ISA_DECODE_H

#include "../../spec/table.h"
#include "isa.h"

/* Fills *insn from the fields *w of `word`, which is the instruction `row`. */
void insn_fill(size_t row, uint64_t word, const struct word_fields *w, struct isa_insn *insn);

#endif
