/* SPDX-License-Identifier: Apache-2.0 */
/* Undefined values in lockstep. Where an instruction consumes a value that was never written, no result is wrong: the
 * model takes over what the RTL made of it, lane by lane, and goes on from there. All of this does nothing where the
 * model runs by itself (step.rtl is NULL). */
#ifndef WARPSTEP_ADOPT_H
#define WARPSTEP_ADOPT_H

#include "../core/step.h"

/* Of lanes that depend on an undefined value: those that the RTL decides. */
static inline uint32_t adopt_lanes(const struct step *s, uint32_t undefined) { return s->rtl != NULL ? undefined : 0; }

/* Which of the lanes of step.undefined execute. */
void adopt_guard(struct step *s);

/* step.guessed: of the traps that were raised the RTL's is the right one. */
void adopt_guessed_trap(struct step *s);

/* The address of these lanes in an access of `bytes` was undefined. Where the RTL trapped as such an access can, so do
 * we; `align` is the first of the memory's pair of traps. */
void adopt_trap(struct step *s, uint32_t undefined, enum trap align, unsigned bytes);

void adopt_results(struct step *s);                    /* destination and flags, in the lanes of step.undefined */
void adopt_areg(struct step *s, uint32_t undefined);   /* the new A register */
void adopt_addresses(struct step *s);                  /* in the lanes of step.undefined_addr */
void adopt_data(struct step *s);                       /* of a store, in the lanes of step.undefined */
void adopt_data_rest(struct step *s, unsigned word);   /* the same of a word behind the first */
void adopt_loaded_rest(struct step *s, unsigned word); /* the word of a load */

/* BRX: where the lowest lane goes, which lanes go there. */
uint32_t adopt_target(const struct step *s, unsigned lane, uint32_t target);
uint32_t adopt_taken(struct step *s, uint32_t taken);

/* The word that an atomic operation leaves behind. */
uint32_t adopt_atomic(const struct step *s, unsigned lane, uint32_t value);

#endif
