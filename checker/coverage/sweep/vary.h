/* SPDX-License-Identifier: Apache-2.0 */
/* Words of one row of the instruction table that each differ from a base word in one field, so that together they have
 * every value of every option and every kind of operand.
 *
 *     struct isa_fields base;
 *     if (vary_base(row, &base)) vary_options(&program, row, &base);
 */
#ifndef WARPSTEP_SWEEP_VARY_H
#define WARPSTEP_SWEEP_VARY_H

#include "../../../assembler/isa/isa.h"
#include "program.h"

/* The simplest word that is legal after the prologue; false if there is none. */
bool vary_base(size_t row, struct isa_fields *base);

/* Appends the word of these fields, twice if it is a half word, unless it is undefined. */
bool vary_emit(struct program *p, size_t row, const struct isa_fields *fields);

/* Appends variations: options and operands, except the marker END; the lanes with a true guard; flags. */
void vary_options(struct program *p, size_t row, const struct isa_fields *base);
void vary_guard(struct program *p, size_t row, const struct isa_fields *base);
void vary_flags(struct program *p, size_t row, const struct isa_fields *base, unsigned count);

#endif
