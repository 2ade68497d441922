/* SPDX-License-Identifier: Apache-2.0 */
/* Words of one row of the instruction table that differ from a base word in one thing each, so that together they have
 * every value of every option and every kind of operand.
 *
 *     struct isa_fields base;
 *     if (vary_base(row, &base)) vary_options(&program, row, &base);
 */
#ifndef WARPSTEP_SWEEP_VARY_H
#define WARPSTEP_SWEEP_VARY_H

#include "../../../assembler/isa/isa.h"
#include "program.h"

/* The plainest word that is legal with what the prologue leaves; false where there is none. */
bool vary_base(size_t row, struct isa_fields *base);

/* Appends the word of these fields, twice where it is a half one, unless it is undefined. */
bool vary_emit(struct program *p, size_t row, const struct isa_fields *fields);

/* Appends variations: options and operands, but the marker END; the lanes in which the guard is true; flags. */
void vary_options(struct program *p, size_t row, const struct isa_fields *base);
void vary_guard(struct program *p, size_t row, const struct isa_fields *base);
void vary_flags(struct program *p, size_t row, const struct isa_fields *base, unsigned count);

#endif
