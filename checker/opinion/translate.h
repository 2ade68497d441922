/* SPDX-License-Identifier: Apache-2.0 */
/* Translates a decoded word to the calculator's instruction (golden/calculator). It uses nothing of the model: the
 * meaning of the word comes from the instruction table alone.
 *
 *     struct instruction i;
 *     if (translate_instruction(&insn, pc, &i)) problem = calculator_execute(&i, &thread);
 */
#ifndef WARPSTEP_OPINION_TRANSLATE_H
#define WARPSTEP_OPINION_TRANSLATE_H

#include "../../assembler/isa/isa.h"
#include "../../golden/calculator/instruction.h"

/* True if the machine, and no rule, defines the value read: the clock, a warp's place. */
bool translate_is_of_machine(const struct isa_insn *insn);

/* False if the calculator has no rule for the instruction. Instructions that move a warp (BRA, SSY, CAL ...) become one
 * without effect on a thread, see course.h; except BRX, whose target is read. `pc` is its byte address. */
bool translate_instruction(const struct isa_insn *insn, uint32_t pc, struct instruction *i);

#endif
