/* SPDX-License-Identifier: Apache-2.0 */
/* Interface between decode.c, which finds the row, and operands.c, which interprets its fields. */
#ifndef WARPSTEP_ISA_DECODE_H
#define WARPSTEP_ISA_DECODE_H

#include "../../spec/table.h"
#include "isa.h"

/* Fills *insn from the fields *w of `word`, an instruction of row `row`. */
void insn_fill(size_t row, uint64_t word, const struct word_fields *w, struct isa_insn *insn);

#endif
