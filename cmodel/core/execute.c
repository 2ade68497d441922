/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of one warp instruction, see execute.h. */
#include "execute.h"

#include "read.h"
#include "record.h"
#include "units.h"

/* False when the fetch itself traps. */
LANES_INLINE bool fetch(struct step *s) {
    s->d = decoded_at(&s->m->code, s->pc);
    if (s->d == NULL) {
        step_raise(s, TRAP_FETCH);
        return false;
    }
    s->insn = &s->d->insn;
    s->next = s->pc + s->insn->bytes;
    step_raise(s, (enum trap)s->d->trap);
    return s->trap == TRAP_NONE;
}

/* The lanes that execute: active, with a true guard. The RTL decides for an undefined C register. */
LANES_INLINE void apply_guard(struct step *s) {
    s->exec = s->active;
    if (!s->insn->guarded || s->insn->cond == ISA_COND_TRUE) return;
    const struct flags *flags = read_creg(s, s->insn->creg);
    s->exec = s->active & flags_where(flags, s->insn->cond);
    if (s->undefined != 0) {
        if (s->rtl != NULL) step_adoption(s)->guard(s);
        s->undefined = 0;
    }
}

/* Rule 3: a join finds SYNC or DIVERGE on top of the stack, or an empty stack. */
LANES_INLINE void check_marker(struct step *s) {
    if (s->insn->marker != ISA_MARK_JOIN || stack_is_empty(&s->warp->stack)) return;
    const enum model_token token = stack_top(&s->warp->stack).token;
    if (token == TOKEN_CALL || token == TOKEN_BREAK) step_raise(s, TRAP_STACK_MISMATCH);
}

LANES_INLINE void write_results(struct step *s) {
    struct regfile *file = &s->warp->file;
    if (step_adopts(s, s->undefined & s->write)) step_adoption(s)->results(s, s->undefined & s->write);
    switch (s->d->dst_kind) {
    case RETIRE_DST_REG32:
        regfile_write32(file, s->d->dst_reg, s->out.value, s->write);
        for (unsigned word = 1; word < s->d->words && step_keeps_word(s, word); word++)
            regfile_write32(file, s->d->dst_reg + word, s->rest[word - 1], s->write);
        break;
    case RETIRE_DST_REG16: regfile_write16(file, s->d->dst_reg, s->out.value, s->write); break;
    default: break;
    }
    if (s->d->writes_c) regfile_write_creg(file, s->insn->cdst, &s->flags, s->write);
}

static void write_areg(struct step *s) {
    const bool computed = s->insn->dst.kind == ISA_AREG; /* R2A, ADA; else post-increment */
    const uint32_t *old = s->warp->file.areg[s->d->a_reg];
    for (unsigned i = 0; i < WARP_LANES && !computed; i++) s->a[i] = (old[i] + (uint32_t)s->insn->inc_bytes) & 0xffffu;
    const uint32_t undefined = computed ? s->undefined : s->undefined_areg;
    if (step_adopts(s, undefined)) step_adoption(s)->areg(s, undefined);
    regfile_write_areg(&s->warp->file, s->d->a_reg, s->a, s->exec);
}

/* Sets the pc at which the warp continues, unless a flow operation has set it. */
LANES_INLINE void advance(struct step *s) {
    if (s->redirected) return;
    switch (s->insn->marker) {
    case ISA_MARK_JOIN: warp_join(s->warp, s->next); break;
    case ISA_MARK_END: warp_exit(s->warp); break;
    default: s->warp->pc = s->next; break;
    }
}

LANES_INLINE void execute(struct step *s) {
    apply_guard(s);
    check_marker(s);
    const bool overflows = s->trap == TRAP_STACK_OVERFLOW; /* a branch for which the RTL's stack has no room */
    if (!overflows && s->exec != 0) s->d->unit(s);
    if (s->guessed) step_adoption(s)->guessed_trap(s);
    if (s->trap != TRAP_NONE) return;
    if (s->mem_mask != 0) commit_memory(s);
    if (s->write != 0) write_results(s);
    if (s->d->a_reg != 0 && s->exec != 0) write_areg(s);
    advance(s);
}

/* The SM stops here; the grid reports its first trap. */
static void stop_grid(struct step *s) {
    s->warp->state = RETIRE_TRAPPED;
    struct sm *sm = &s->m->grid.sms[s->warp->sm];
    sm->trap = (struct model_trap){
        .code = s->trap,
        .sm = s->warp->sm,
        .slot = s->warp->slot,
        .pc = s->pc,
        .word_lo = s->insn != NULL ? s->insn->lo : 0,
        .word_hi = s->insn != NULL ? s->insn->hi : 0,
        .exec = s->exec,
        .undefined_addr = s->undefined_addr,
    };
    if (s->access.trap == s->trap && !s->guessed) sm->trap.access = s->access;
    if (s->m->trap.code == TRAP_NONE) s->m->trap = sm->trap;
}

static void finish(struct model *m, struct warp *warp) {
    if (m->grid.watch.finished != NULL)
        m->grid.watch.finished(m, warp);
    else
        sched_finish_warp(&m->grid, warp);
}

LANES_INLINE void count(struct step *s) {
    struct model_counts *counts = &s->m->counts;
    const unsigned active = lanes_count(s->active);
    counts->warp_instructions++;
    s->warp->steps++;
    counts->thread_instructions += active;
    counts->executed_threads += s->exec == s->active ? active : lanes_count(s->exec);
}

TWICE(step_warp, (struct model * m, struct warp *warp, const struct retire *rtl, struct retire *out),
      (m, warp, rtl, out)) {
    struct step s;
    s.m = m;
    s.warp = warp;
    s.rtl = rtl;
    s.insn = NULL;
    s.pc = warp->pc;
    s.active = warp->active;
    s.exec = 0;
    s.trap = TRAP_NONE;
    s.raised = 0;
    s.access.trap = TRAP_NONE;
    s.guessed = false;
    s.undefined = s.undefined_areg = s.undefined_addr = 0;
    s.redirected = false;
    s.write = s.mem_mask = 0;
    if (fetch(&s)) execute(&s);
    if (s.trap != TRAP_NONE) stop_grid(&s);
    if (out != NULL) record_step(&s, out);
    if (s.trap == TRAP_NONE) {
        count(&s);
        if (warp->state == RETIRE_FINISHED) finish(m, warp);
    }
}
