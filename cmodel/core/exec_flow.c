/* SPDX-License-Identifier: Apache-2.0 */
/* Flow control: instructions that push, jump, wait or leave. Source: docs/isa.md 6; warp.c has the rules themselves. */
#include "read.h"
#include "units.h"

enum { CODE_ADDRESS_MASK = 0xfffffc };

void unit_nop(struct step *s) { (void)s; }

void unit_breakpoint(struct step *s) { step_raise(s, TRAP_BREAKPOINT); }

static void jump_back(struct step *s) {
    const struct watch *watch = &s->m->grid.watch;
    if (++s->warp->jumps % WATCH_JUMPS == 0 && watch->jumped != NULL) watch->jumped(s->m, s->warp);
}

void unit_bra(struct step *s) {
    if (s->exec != s->active && stack_is_full(&s->warp->stack)) {
        step_raise(s, TRAP_STACK_OVERFLOW);
        return;
    }
    warp_branch(s->warp, s->exec, s->insn->target, s->next);
    s->redirected = true;
    if (s->insn->target <= s->pc) jump_back(s);
}

static void push(struct step *s, enum model_token token, uint32_t entry_pc) {
    if (stack_is_full(&s->warp->stack)) {
        step_raise(s, TRAP_STACK_OVERFLOW);
        return;
    }
    warp_push(s->warp, token, entry_pc);
}

void unit_ssy(struct step *s) { push(s, TOKEN_SYNC, s->insn->target); }

void unit_pbk(struct step *s) { push(s, TOKEN_BREAK, s->insn->target); }

void unit_cal(struct step *s) {
    push(s, TOKEN_CALL, s->next);
    if (s->trap == TRAP_NONE) {
        s->warp->pc = s->insn->target;
        s->redirected = true;
    }
}

/* PRET: the next RET goes to the target. */
void unit_pret(struct step *s) { push(s, TOKEN_CALL, s->insn->target); }

/* The lanes that go to `target` now. */
static uint32_t brx_taken(struct step *s, const uint32_t targets[WARP_LANES], uint32_t target) {
    uint32_t taken = 0;
    for (uint32_t left = s->exec; left != 0; left = lanes_rest(left)) {
        const unsigned lane = lanes_first(left);
        taken |= (targets[lane] & CODE_ADDRESS_MASK) == target ? LANE_BIT[lane] : 0;
    }
    return step_adopts(s, s->undefined) ? step_adoption(s)->taken(s, taken) : taken;
}

/* BRX c[bank][A + offset]: the constant is the byte address of the target. The lanes whose target is that of the lowest
 * lane go there; the others find the BRX itself on the stack and execute it again. */
void unit_brx(struct step *s) {
    uint32_t room[WARP_LANES];
    const uint32_t *targets = read_source(s, 0, room);
    if (s->trap != TRAP_NONE) return;
    const unsigned lowest = lanes_first(s->exec);
    const bool adopts = step_adopts(s, s->undefined & LANE_BIT[lowest]);
    const uint32_t target = (adopts ? step_adoption(s)->target(s) : targets[lowest]) & CODE_ADDRESS_MASK;
    const uint32_t taken = brx_taken(s, targets, target);
    if (taken != s->active && stack_is_full(&s->warp->stack)) {
        step_raise(s, TRAP_STACK_OVERFLOW);
        return;
    }
    warp_branch(s->warp, taken, target, s->pc);
    s->redirected = true;
}

void unit_ret(struct step *s) {
    warp_return(s->warp, s->exec, s->next);
    s->redirected = true;
}

void unit_brk(struct step *s) {
    if (!stack_has(&s->warp->stack, TOKEN_BREAK)) {
        step_raise(s, TRAP_STACK_MISMATCH);
        return;
    }
    warp_break(s->warp, s->exec, s->next);
    s->redirected = true;
}

/* All lanes of the warp must be active. Source: docs/isa.md 6.6. */
void unit_bar(struct step *s) {
    const struct isa_insn *insn = s->insn;
    if (s->active != s->warp->alive || isa_barrier_is_partial(insn)) {
        step_raise(s, TRAP_BARRIER_PARTIAL);
        return;
    }
    s->warp->touched = true;
    sched_arrive(&s->m->grid, s->warp, insn->barrier, insn->barrier_wait);
}
