/* SPDX-License-Identifier: Apache-2.0 */
/* Where a warp continues after an instruction: the rules of isa.md 6.1, for the third opinion.
 *
 *     struct course c;
 *     course_begin(&c, &saved);
 *     course_follow(&c, &insn, exec, targets, machine.stack_depth);
 *     if (c.trap == TRAP_NONE) ... c.pc, c.active, c.depth
 */
#ifndef WARPSTEP_OPINION_COURSE_H
#define WARPSTEP_OPINION_COURSE_H

#include "../../assembler/isa/isa.h"
#include "../../cmodel/model.h"

struct course {
    uint32_t pc, active, alive;
    uint32_t on_call, on_break; /* threads that wait on a CALL, a BREAK token */
    struct model_stack_entry stack[MODEL_SAVED_STACK + 1];
    unsigned depth;
    bool finished;
    enum trap trap; /* a stack or barrier rule is broken; then the other members are undefined */
};

/* Starts from the warp as saved. */
void course_begin(struct course *c, const struct model_saved *saved);

/* One instruction, executed by the threads `exec`. `targets`: the target of each thread's BRX. `room`: capacity of the
 * machine's stack in tokens, at most MODEL_SAVED_STACK. */
void course_follow(struct course *c, const struct isa_insn *insn, uint32_t exec, const uint32_t targets[WARP_LANES],
                   unsigned room);

#endif
