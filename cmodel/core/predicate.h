/* SPDX-License-Identifier: Apache-2.0 */
/* The C registers of a warp and the conditions that test them. A register is stored as four lane masks, one for each
 * flag, so that evaluating a condition in 32 lanes takes a few logic operations.
 *
 *     uint32_t exec = active & flags_where(&w->file.c[insn->creg], insn->cond);
 */
#ifndef WARPSTEP_PREDICATE_H
#define WARPSTEP_PREDICATE_H

#include <stdint.h>

/* One C register of all lanes; bit L of each mask is lane L's flag. */
struct flags {
    uint32_t zero, sign, carry, overflow;
};

/* The lanes in which condition `cond` (0..31) holds; reserved codes hold nowhere. Source: docs/isa.md 2.7. */
uint32_t flags_where(const struct flags *flags, unsigned cond);

/* Lane L's nibble OCSZ (bits 3..0). */
uint8_t flags_get(const struct flags *flags, unsigned lane);
void flags_set(struct flags *flags, unsigned lane, uint8_t nibble);

/* Replaces the flags of the lanes of mask. */
void flags_write(struct flags *flags, const struct flags *value, uint32_t mask);

#endif
