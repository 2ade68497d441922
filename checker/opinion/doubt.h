/* SPDX-License-Identifier: Apache-2.0 */
/* Which fields of a record depend on values that were never written: those that come out otherwise when other values
 * stand in their place. An instruction is executed FILLINGS times, each time with others.
 *
 *     for (filling = FILLING_NONE + 1; filling < FILLINGS; filling++) {
 *         doubt_fill_memories(o, &insn, filling);
 *         for each thread: doubt_fill_thread(o, &insn, filling, &thread), execute it
 *         doubt_compare(o, &first, &record);
 *     }
 *     if ((o->doubt[retire_field_index(f)] >> lane & 1) != 0) ...
 */
#ifndef WARPSTEP_OPINION_DOUBT_H
#define WARPSTEP_OPINION_DOUBT_H

#include "../../golden/calculator/instruction.h"
#include "form.h"

/* FILLING_NONE: undefined values are 0, as the model keeps them. There is one for each nibble of flags. */
enum { FILLING_NONE, FILLINGS = 16 };

/* Some operand of the instruction is of that kind. */
bool doubt_reads(const struct isa_insn *insn, enum isa_operand_kind kind);

/* Copies the memories that the instruction reads to o->filled, other values in their undefined bytes. */
void doubt_fill_memories(const struct opinion *o, const struct isa_insn *insn, unsigned filling);

/* Other values in the undefined registers of a thread; its shared and local memory are those of o->filled. */
void doubt_fill_thread(const struct opinion *o, const struct isa_insn *insn, unsigned filling, struct thread *t);

/* Notes the lanes in which fields with lanes differ. */
void doubt_compare(struct opinion *o, const struct retire *first, const struct retire *other);

void doubt_field(struct opinion *o, const char *name, uint32_t lanes);
void doubt_values(struct opinion *o, uint32_t lanes); /* of every field that has some */
void doubt_flow(struct opinion *o);                   /* where the warp goes on, and whether it traps */

#endif
