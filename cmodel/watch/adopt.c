/* SPDX-License-Identifier: Apache-2.0 */
/* Undefined values in lockstep, see adopt.h. */
#include "adopt.h"

/* Replaces the lanes, and counts them. */
static void adopt(struct step *s, uint32_t *value, const uint32_t *from, uint32_t lanes) {
    lanes_write(value, from, lanes);
    s->m->counts.adopted += lanes_count(lanes);
}

/* The record of a trap does not say which lanes executed: any of them may have. */
void adopt_guard(struct step *s) {
    if (s->rtl == NULL) return;
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

void adopt_guessed_trap(struct step *s) {
    if ((s->raised >> s->rtl->trap & 1u) != 0) s->trap = (enum trap)s->rtl->trap;
}

void adopt_trap(struct step *s, uint32_t undefined, enum trap align, unsigned bytes) {
    if (adopt_lanes(s, undefined) == 0) return;
    if ((s->rtl->trap == align && bytes > 1) || s->rtl->trap == align + 1) step_raise(s, (enum trap)s->rtl->trap);
}

void adopt_results(struct step *s) {
    const uint32_t lanes = adopt_lanes(s, s->undefined & s->write);
    if (lanes != 0 && s->d->dst_kind != RETIRE_DST_NONE) adopt(s, s->out.value, s->rtl->dst, lanes);
    for (uint32_t left = s->d->writes_c ? lanes : 0; left != 0; left = lanes_rest(left)) {
        flags_set(&s->flags, lanes_first(left), (uint8_t)s->rtl->c[lanes_first(left)]);
        s->m->counts.adopted++;
    }
}

void adopt_areg(struct step *s, uint32_t undefined) {
    if (adopt_lanes(s, undefined) != 0) adopt(s, s->a, s->rtl->a, undefined);
}

void adopt_addresses(struct step *s) {
    if (adopt_lanes(s, s->undefined_addr) != 0) adopt(s, s->addr, s->rtl->addr, s->undefined_addr);
}

void adopt_data(struct step *s) {
    if (adopt_lanes(s, s->undefined) != 0) adopt(s, s->data, s->rtl->data, s->undefined);
}

void adopt_data_rest(struct step *s, unsigned word) {
    if (s->rtl != NULL && word < retire_words(s->rtl))
        adopt(s, s->rest[word - 1], s->rtl->data_rest[word - 1], s->undefined);
}

void adopt_loaded_rest(struct step *s, unsigned word) {
    if (s->rtl != NULL && word < retire_words(s->rtl) && step_keeps_word(s, word))
        adopt(s, s->rest[word - 1], s->rtl->dst_rest[word - 1], s->undefined);
}

uint32_t adopt_target(const struct step *s, unsigned lane, uint32_t target) {
    return (adopt_lanes(s, s->undefined) & LANE_BIT[lane]) != 0 ? s->rtl->next_pc : target;
}

uint32_t adopt_taken(struct step *s, uint32_t taken) {
    const uint32_t lanes = adopt_lanes(s, s->undefined);
    if (lanes == 0) return taken;
    s->m->counts.adopted += lanes_count(lanes);
    return (taken & ~lanes) | (s->rtl->next_active & lanes);
}

uint32_t adopt_atomic(const struct step *s, unsigned lane, uint32_t value) {
    return (adopt_lanes(s, s->undefined) & LANE_BIT[lane]) != 0 ? s->rtl->data[lane] : value;
}
