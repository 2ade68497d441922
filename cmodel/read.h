/* SPDX-License-Identifier: Apache-2.0 */
/* The read stage: source operands as 32 lane values, from registers, shared memory, constants or the instruction
 * itself. Reads of undefined values are noted, bad addresses raise their trap. */
#ifndef WARPSTEP_READ_H
#define WARPSTEP_READ_H

#include "step.h"

/* Source `i` of the instruction for the lanes of step.exec; the values of other lanes mean nothing. Returns the lanes
 * in `room` or in the register file itself, valid until something is written. */
const uint32_t *read_source(struct step *s, unsigned i, uint32_t room[WARP_LANES]);

/* 32-bit register `reg` (an address or data register of a memory instruction). */
const uint32_t *read_register(struct step *s, unsigned reg);

/* Byte addresses of a memory operand: offset + A, without wrapping. `room` holds them; returns the lanes whose A is
 * undefined. */
uint32_t read_addresses(struct step *s, const struct isa_operand *operand, uint32_t room[WARP_LANES]);

/* A register (0..4) of all lanes, undefined reads noted. */
const uint32_t *read_areg(struct step *s, unsigned areg);

/* The bits of C register `creg`, undefined reads noted. */
const struct flags *read_creg(struct step *s, unsigned creg);

#endif
