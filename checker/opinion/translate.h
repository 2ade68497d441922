/* SPDX-License-Identifier: Apache-2.0 */
/* From a decoded word to the calculator's instruction (golden/calculator). Of the model nothing is used: what the word
 * means comes from the instruction table alone.
 *
 *     struct instruction i;
 *     if (translate_instruction(&insn, pc, &i)) problem = calculator_execute(&i, &thread);
 */
#ifndef WARPSTEP_OPINION_TRANSLATE_H
#define WARPSTEP_OPINION_TRANSLATE_H

#include "../../assembler/isa/isa.h"
#include "../../golden/calculator/instruction.h"

/* True where the machine says what the instruction reads, and no rule does: the clock, a warp's place. */
bool translate_is_of_machine(const struct isa_insn *insn);

/* False where the calculator has no rule for the instruction. What moves a warp (BRA, SSY, CAL ...) becomes an
 * instruction that does nothing to a thread, see course.h; but BRX, whose target is read. `pc` is its byte address. */
bool translate_instruction(const struct isa_insn *insn, uint32_t pc, struct instruction *i);

#endif
