/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a record that depend on undefined values: they change with those values. An instruction is executed
 * FILLINGS times, each time with other values in the undefined places.
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

/* FILLING_NONE: undefined values are 0, as in the model. There is one filling for each nibble of flags. */
enum { FILLING_NONE, FILLINGS = 16 };

/* True if some operand of the instruction is of that kind. */
bool doubt_reads(const struct isa_insn *insn, enum isa_operand_kind kind);

/* Copies the memories that the instruction reads to o->filled, with the filling's values in their undefined bytes. */
void doubt_fill_memories(const struct opinion *o, const struct isa_insn *insn, unsigned filling);

/* Puts the filling's values into the undefined registers of a thread; its shared and local memory are those of
 * o->filled. */
void doubt_fill_thread(const struct opinion *o, const struct isa_insn *insn, unsigned filling, struct thread *t);

/* Notes the lanes in which fields with lanes differ. */
void doubt_compare(struct opinion *o, const struct retire *first, const struct retire *other);

void doubt_field(struct opinion *o, const char *name, uint32_t lanes);
void doubt_values(struct opinion *o, uint32_t lanes); /* of every field that has lanes */
void doubt_flow(struct opinion *o);                   /* the next pc and mask, and the trap */

#endif
