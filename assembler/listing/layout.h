/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of each bit of an instruction word, and the diagram of it. */
#ifndef WARPSTEP_LAYOUT_H
#define WARPSTEP_LAYOUT_H

#include <stdio.h>

#include "../../spec/table.h"
#include "../isa/isa.h"

enum bit_kind { BIT_FIXED, BIT_ZERO, BIT_IGNORED, BIT_FIELD };

/* Rows with equal layouts share a diagram: only the values of their fixed bits differ. */
struct layout {
    uint8_t shape;
    uint8_t kind[64];  /* enum bit_kind */
    uint8_t field[64]; /* BIT_FIELD: enum isa_field; high piece of a split field: + LAYOUT_HIGH */
};

enum { LAYOUT_HIGH = 128 };

void layout_of_row(size_t row, struct layout *layout);

/* The diagram of rows that share the layout; fixed bits that differ (varying) are shown as x. */
void layout_draw(FILE *out, const struct layout *layout, uint64_t match, uint64_t varying);

/* The diagram of an instruction's row with the bits of its words, and a line for each field: name, value, meaning of
 * the value, meaning of the field. */
void layout_draw_insn(FILE *out, const struct isa_insn *insn);

#endif
