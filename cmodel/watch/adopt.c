/* SPDX-License-Identifier: Apache-2.0 */
/* Undefined values in lockstep, see adopt.h and ../core/watch.h. step.rtl is not NULL in any of these. */
#include "adopt.h"

#include "../core/step.h"

/* Replaces the lanes' values, and counts the lanes. */
static void adopt(struct step *s, uint32_t *value, const uint32_t *from, uint32_t lanes) {
    lanes_write(value, from, lanes);
    s->m->counts.adopted += lanes_count(lanes);
}

/* The record of a trap lacks the executing lanes: any of them may have executed. */
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

static void adopt_guessed_trap(struct step *s) {
    if ((s->raised >> s->rtl->trap & 1u) != 0) s->trap = (enum trap)s->rtl->trap;
}

static void adopt_trap(struct step *s, uint32_t align, unsigned bytes) {
    if ((s->rtl->trap == align && bytes > 1) || s->rtl->trap == align + 1) step_raise(s, (enum trap)s->rtl->trap);
}

static void adopt_results(struct step *s, uint32_t lanes) {
    if (s->d->dst_kind != RETIRE_DST_NONE) adopt(s, s->out.value, s->rtl->dst, lanes);
    for (uint32_t left = s->d->writes_c ? lanes : 0; left != 0; left = lanes_rest(left)) {
        flags_set(&s->flags, lanes_first(left), (uint8_t)s->rtl->c[lanes_first(left)]);
        s->m->counts.adopted++;
    }
}

static void adopt_areg(struct step *s, uint32_t lanes) { adopt(s, s->a, s->rtl->a, lanes); }

static void adopt_addresses(struct step *s) { adopt(s, s->addr, s->rtl->addr, s->undefined_addr); }

static void adopt_data(struct step *s) { adopt(s, s->data, s->rtl->data, s->undefined); }

static void adopt_data_rest(struct step *s, unsigned word) {
    if (word < retire_words(s->rtl)) adopt(s, s->rest[word - 1], s->rtl->data_rest[word - 1], s->undefined);
}

static void adopt_loaded_rest(struct step *s, unsigned word) {
    if (word < retire_words(s->rtl) && step_keeps_word(s, word))
        adopt(s, s->rest[word - 1], s->rtl->dst_rest[word - 1], s->undefined);
}

static uint32_t adopt_target(const struct step *s) { return s->rtl->next_pc; }

static uint32_t adopt_taken(struct step *s, uint32_t taken) {
    s->m->counts.adopted += lanes_count(s->undefined);
    return (taken & ~s->undefined) | (s->rtl->next_active & s->undefined);
}

static uint32_t adopt_atomic(const struct step *s, unsigned lane) { return s->rtl->data[lane]; }

const struct adoption ADOPTION = {
    .guard = adopt_guard,
    .guessed_trap = adopt_guessed_trap,
    .trap = adopt_trap,
    .results = adopt_results,
    .areg = adopt_areg,
    .addresses = adopt_addresses,
    .data = adopt_data,
    .data_rest = adopt_data_rest,
    .loaded_rest = adopt_loaded_rest,
    .target = adopt_target,
    .taken = adopt_taken,
    .atomic = adopt_atomic,
};
