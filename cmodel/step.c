/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of one warp instruction, see step.h. */
#include "step.h"

#include <stdio.h>

#include "execute.h"
#include "read.h"

/* ---------------------------------------------------------------------------------------------- undefined values */

static void log_undefined(struct step *s, uint32_t lanes, const char *format, unsigned value) {
    struct undefined_log *log = &s->m->undefined;
    const uint32_t index = s->pc / 4;
    log->seen[index / 32] |= (uint32_t)1 << index % 32;
    struct model_undefined *entry = &log->entries[log->count++];
    *entry = (struct model_undefined){
        .pc = s->pc, .sm = s->warp->sm, .slot = s->warp->slot, .lane = (uint8_t)lanes_first(lanes)};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* the callers' formats are literals with one %u or %x */
    snprintf(entry->what, sizeof entry->what, format, value);
#pragma GCC diagnostic pop
}

void step_note_undefined(struct step *s, uint32_t lanes, const char *format, unsigned value) {
    const uint32_t index = s->pc / 4;
    s->undefined |= lanes;
    s->m->counts.undefined_reads += lanes_count(lanes);
    if ((s->m->undefined.seen[index / 32] >> index % 32 & 1u) == 0) log_undefined(s, lanes, format, value);
}

void step_adopt_trap(struct step *s, uint32_t lanes, enum trap align, unsigned bytes) {
    if (lanes == 0 || s->rtl == NULL) return;
    if ((s->rtl->trap == align && bytes > 1) || s->rtl->trap == align + 1) step_raise(s, (enum trap)s->rtl->trap);
}

static void adopt(struct step *s, uint32_t *value, const uint32_t *from, uint32_t lanes) {
    lanes_write(value, from, lanes);
    s->m->counts.adopted += lanes_count(lanes);
}

/* ----------------------------------------------------------------------------------------------------- the stages */

/* False when the fetch itself traps. */
static bool fetch(struct step *s) {
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

/* Whether the lanes of s->undefined execute is the RTL's to say. The record of a trap does not: then any of them may
 * have, and of the traps that this raises the RTL's is the right one (settle_trap). */
static void adopt_guard(struct step *s) {
    s->m->counts.adopted += lanes_count(s->undefined);
    if (s->rtl->trap == TRAP_NONE) {
        s->exec = (s->exec & ~s->undefined) | (s->rtl->exec & s->undefined);
        return;
    }
    s->guessed = true;
    s->exec |= s->undefined;
    const bool may_diverge = s->insn->op == OP_BRA && lanes_count(s->active) > 1;
    if (may_diverge && s->rtl->trap == TRAP_STACK_OVERFLOW && stack_is_full(&s->warp->stack))
        step_raise(s, TRAP_STACK_OVERFLOW);
}

static void settle_trap(struct step *s) {
    if (s->guessed && (s->raised >> s->rtl->trap & 1u) != 0) s->trap = (enum trap)s->rtl->trap;
}

/* The lanes that execute: active, and the guard holds. An undefined C register is the RTL's to decide. */
static void apply_guard(struct step *s) {
    s->exec = s->active;
    if (!s->insn->guarded || s->insn->cond == ISA_COND_TRUE) return;
    const struct flags *flags = read_creg(s, s->insn->creg);
    s->exec = s->active & flags_where(flags, s->insn->cond);
    if (s->undefined != 0 && s->rtl != NULL) adopt_guard(s);
    s->undefined = 0;
}

/* Rule 3: a join finds SYNC or DIVERGE on top, or nothing. */
static void check_marker(struct step *s) {
    if (s->insn->marker != ISA_MARK_JOIN || stack_is_empty(&s->warp->stack)) return;
    const enum model_token token = stack_top(&s->warp->stack).token;
    if (token == TOKEN_CALL || token == TOKEN_BREAK) step_raise(s, TRAP_STACK_MISMATCH);
}

static void write_registers(struct step *s) {
    struct regfile *file = &s->warp->file;
    if (s->rtl != NULL && (s->undefined & s->write) != 0 && s->d->dst_kind != RETIRE_DST_NONE)
        adopt(s, s->out.value, s->rtl->dst, s->undefined & s->write);
    switch (s->d->dst_kind) {
    case RETIRE_DST_REG32:
        regfile_write32(file, s->d->dst_reg, s->out.value, s->write);
        for (unsigned word = 1; word < s->d->words && step_keeps_word(s, word); word++)
            regfile_write32(file, s->d->dst_reg + word, s->rest[word - 1], s->write);
        break;
    case RETIRE_DST_REG16: regfile_write16(file, s->d->dst_reg, s->out.value, s->write); break;
    default: break;
    }
}

static void write_flags(struct step *s) {
    if (!s->d->writes_c || s->write == 0) return;
    for (uint32_t left = s->rtl != NULL ? s->undefined & s->write : 0; left != 0; left = lanes_rest(left)) {
        flags_set(&s->flags, lanes_first(left), (uint8_t)s->rtl->c[lanes_first(left)]);
        s->m->counts.adopted++;
    }
    regfile_write_creg(&s->warp->file, s->insn->cdst, &s->flags, s->write);
}

static void write_areg(struct step *s) {
    if (s->d->a_reg == 0 || s->exec == 0) return;
    const bool computed = s->insn->dst.kind == ISA_AREG; /* R2A, ADA; else post-increment */
    const uint32_t undefined = computed ? s->undefined : s->undefined_areg;
    const uint32_t *old = s->warp->file.areg[s->d->a_reg];
    for (unsigned i = 0; i < WARP_LANES && !computed; i++) s->a[i] = (old[i] + (uint32_t)s->insn->inc_bytes) & 0xffffu;
    if (s->rtl != NULL && undefined != 0) adopt(s, s->a, s->rtl->a, undefined);
    regfile_write_areg(&s->warp->file, s->d->a_reg, s->a, s->exec);
}

/* Where the warp goes on, unless a flow operation has said so. */
static void advance(struct step *s) {
    if (s->redirected) return;
    switch (s->insn->marker) {
    case ISA_MARK_JOIN: warp_join(s->warp, s->next); break;
    case ISA_MARK_END: warp_exit(s->warp); break;
    default: s->warp->pc = s->next; break;
    }
}

static void execute(struct step *s) {
    apply_guard(s);
    check_marker(s);
    const bool branches = s->trap != TRAP_STACK_OVERFLOW; /* adopt_guard has found that it cannot */
    if (branches && s->exec != 0) s->d->unit(s);
    settle_trap(s);
    if (s->trap != TRAP_NONE) return;
    if (s->mem_mask != 0) commit_memory(s);
    if (s->write != 0) {
        write_registers(s);
        write_flags(s);
    }
    write_areg(s);
    advance(s);
}

/* --------------------------------------------------------------------------------------------------- the record */

/* Words behind the first; those that a load drops, and those beyond the access, are 0. */
static void record_words(const struct step *s, struct retire *out, bool load) {
    memset(out->dst_rest, 0, sizeof out->dst_rest);
    memset(out->data_rest, 0, sizeof out->data_rest);
    for (unsigned word = 1; word < s->d->words; word++)
        if (!load)
            lanes_copy(out->data_rest[word - 1], s->rest[word - 1], s->mem_mask);
        else if (step_keeps_word(s, word))
            lanes_copy(out->dst_rest[word - 1], s->rest[word - 1], s->write);
}

static void record_values(const struct step *s, struct retire *out) {
    const struct decoded *d = s->d;
    out->exec = s->exec;
    out->dst_kind = d->dst_kind;
    if (d->dst_kind != RETIRE_DST_NONE) {
        out->dst_reg = d->dst_reg;
        out->dst_mask = s->write;
        lanes_copy(out->dst, s->out.value, s->write);
    }
    if (d->writes_c) {
        out->c_reg = s->insn->cdst;
        out->c_mask = s->write;
        for (uint32_t left = s->write; left != 0; left = lanes_rest(left))
            out->c[lanes_first(left)] = flags_get(&s->flags, lanes_first(left));
    }
    if (d->a_reg != 0) {
        out->a_reg = d->a_reg;
        out->a_mask = s->exec;
        lanes_copy(out->a, s->a, s->exec);
    }
    out->mem_kind = d->mem_kind;
    out->mem_bytes = d->mem_bytes;
    out->mem_mask = s->mem_mask;
    const bool load = d->mem_kind == RETIRE_MEM_GLOBAL_LOAD || d->mem_kind == RETIRE_MEM_LOCAL_LOAD;
    if (s->mem_mask != 0) {
        lanes_copy(out->addr, s->addr, s->mem_mask);
        lanes_copy(out->data, s->data, load ? 0 : s->mem_mask);
    }
    if (d->words > 1) record_words(s, out, load);
    out->next_pc = s->warp->pc;
    out->next_active = s->warp->active;
}

static void record(const struct step *s, struct retire *out) {
    const struct warp *warp = s->warp;
    memset(out, 0, offsetof(struct retire, dst_rest));
    out->cycle = s->m->counts.warp_instructions;
    out->sm = warp->sm;
    out->slot = warp->slot;
    out->block_x = warp->block->x;
    out->block_y = warp->block->y;
    out->warp = warp->index;
    out->pc = s->pc;
    out->word_lo = s->insn != NULL ? s->insn->lo : 0;
    out->word_hi = s->insn != NULL ? s->insn->hi : 0;
    out->active = s->active;
    out->depth = warp->stack.depth;
    out->state = warp->state;
    out->trap = s->trap;
    if (s->trap == TRAP_NONE) record_values(s, out);
}

/* The SM stops here; of several traps the first one stopped the grid. */
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
    if (s->m->trap.code == TRAP_NONE) s->m->trap = sm->trap;
}

static void count(struct step *s) {
    struct model_counts *counts = &s->m->counts;
    counts->warp_instructions++;
    counts->thread_instructions += lanes_count(s->active);
    counts->executed_threads += lanes_count(s->exec);
}

void step_warp(struct model *m, struct warp *warp, const struct retire *rtl, struct retire *out) {
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
    s.guessed = false;
    s.undefined = s.undefined_areg = s.undefined_addr = 0;
    s.redirected = false;
    s.write = s.mem_mask = 0;
    if (fetch(&s)) execute(&s);
    if (s.trap != TRAP_NONE) stop_grid(&s);
    if (out != NULL) record(&s, out);
    if (s.trap == TRAP_NONE) {
        count(&s);
        if (warp->state == RETIRE_FINISHED) sched_finish_warp(&m->grid, warp);
    }
}
