/* SPDX-License-Identifier: Apache-2.0 */
#include "collect.h"

#include <stdlib.h>
#include <string.h>

#include "parts.h"

struct collector *collector_create(const struct space *space, const struct setting *setting) {
    struct collector *c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    c->space = space;
    c->setting = *setting;
    c->bits = calloc(space->bins / 64 + 1, sizeof *c->bits);
    c->warps = calloc((size_t)setting->sms * setting->warps, sizeof *c->warps);
    c->blocks = calloc((size_t)setting->sms * BARRIER_BLOCKS, sizeof *c->blocks);
    if (c->bits == NULL || c->warps == NULL || c->blocks == NULL) {
        collector_destroy(c);
        return NULL;
    }
    return c;
}

void collector_destroy(struct collector *c) {
    if (c == NULL) return;
    free(c->bits);
    free(c->warps);
    free(c->blocks);
    free(c);
}

const uint64_t *collector_bits(const struct collector *c) { return c->bits; }

/* -------------------------------------------------------------------------------------------------- instructions */

static void note_guard(struct collector *c, const struct word *w, const struct retire *r) {
    if (w->row->guard == SPACE_NONE) return;
    enum guard_bin bin = GUARD_MIXED;
    if (w->insn.cond == ISA_COND_TRUE)
        bin = GUARD_NONE;
    else if (r->exec == r->active)
        bin = GUARD_ALL;
    else if (r->exec == 0)
        bin = GUARD_NOBODY;
    mark(c, w->row->guard + bin);
}

static void note_flags(struct collector *c, const struct word *w, const struct retire *r) {
    if (w->row->flags == SPACE_NONE) return;
    for (uint32_t left = r->c_mask; left != 0; left &= left - 1)
        mark(c, w->row->flags + (r->c[__builtin_ctz(left)] & 15));
}

static enum mask_bin mask_shape(const struct warp_watch *warp, uint32_t active) {
    if (active == UINT32_MAX) return MASK_FULL;
    if (active == warp->alive) return MASK_LAST_WARP;
    if (active == 0x0000ffff) return MASK_FIRST_HALF;
    if (active == 0x55555555 || active == 0xaaaaaaaa) return MASK_ALTERNATING;
    return (active & (active - 1)) == 0 ? MASK_SINGLE : MASK_OTHER;
}

static void note_instruction(struct collector *c, const struct warp_watch *warp, const struct word *w,
                             const struct retire *r) {
    const bool stopped = r->trap == TRAP_BREAKPOINT; /* it ends as intended */
    if (r->trap != TRAP_NONE && !stopped) return;
    for (unsigned i = 0; i < w->retired_count; i++) mark(c, w->retired[i]);
    if (!stopped || w->insn.cond == ISA_COND_TRUE) note_guard(c, w, r);
    if (!stopped && !has_acted(w, r)) return;
    for (unsigned i = 0; i < w->executed_count; i++) mark(c, w->executed[i]);
    note_flags(c, w, r);
    mark(c, w->row->mask + mask_shape(warp, r->active));
}

/* ---------------------------------------------------------------------------------------------------------- traps */

/* One of three bins, by the lanes that accessed shared memory. */
static unsigned of_shared(const struct isa_insn *insn, unsigned first) {
    return first + (insn->op == OP_R2G ? 2 : insn->op == OP_G2R ? 1 : 0);
}

static unsigned of_const(const struct isa_insn *insn, unsigned first) {
    return first + (insn->op == OP_BRX ? 2 : insn->op == OP_MVC ? 1 : 0);
}

static unsigned of_global(const struct isa_insn *insn, unsigned first) {
    return first + (insn->op == OP_GRED ? 3 : insn->op == OP_GATOM ? 2 : insn->op == OP_GST ? 1 : 0);
}

static unsigned of_overflow(const struct isa_insn *insn) {
    switch (insn->op) {
    case OP_BRX: return TRAP_BIN_OVERFLOW_BRX;
    case OP_SSY: return TRAP_BIN_OVERFLOW_SSY;
    case OP_CAL: return TRAP_BIN_OVERFLOW_CAL;
    case OP_PBK: return TRAP_BIN_OVERFLOW_PBK;
    case OP_PRET: return TRAP_BIN_OVERFLOW_PRET;
    default: return TRAP_BIN_OVERFLOW_BRA;
    }
}

static unsigned of_undefined(const struct word *w) {
    struct isa_insn insn;
    if (isa_is_long(w->lo) && w->pc % 8 != 0) return TRAP_BIN_BOUNDARY;
    switch (isa_decode(w->lo, w->hi, &insn)) {
    case ISA_UNDEFINED: return TRAP_BIN_NO_ROW;
    case ISA_RESERVED_BITS: return TRAP_BIN_RESERVED_BITS;
    case ISA_OK: break;
    }
    return TRAP_BIN_OTHER_UNDEFINED;
}

static unsigned trap_bin(const struct warp_watch *warp, const struct word *w, const struct retire *r) {
    const struct isa_insn *insn = &w->insn;
    (void)warp;
    switch ((enum trap)r->trap) {
    case TRAP_UNDEFINED: return of_undefined(w);
    case TRAP_FETCH: return TRAP_BIN_FETCH;
    case TRAP_SHARED_ALIGN: return of_shared(insn, TRAP_BIN_SHARED_ALIGN_OPERAND);
    case TRAP_SHARED_RANGE: return of_shared(insn, TRAP_BIN_SHARED_RANGE_OPERAND);
    case TRAP_CONST_ALIGN: return of_const(insn, TRAP_BIN_CONST_ALIGN_OPERAND);
    case TRAP_CONST_RANGE: return of_const(insn, TRAP_BIN_CONST_RANGE_OPERAND);
    case TRAP_GLOBAL_ALIGN: return of_global(insn, TRAP_BIN_GLOBAL_ALIGN_LOAD);
    case TRAP_GLOBAL_RANGE: return of_global(insn, TRAP_BIN_GLOBAL_RANGE_LOAD);
    case TRAP_LOCAL_ALIGN: return TRAP_BIN_LOCAL_ALIGN_LOAD + (insn->op == OP_LST);
    case TRAP_LOCAL_RANGE: return TRAP_BIN_LOCAL_RANGE_LOAD + (insn->op == OP_LST);
    case TRAP_STACK_OVERFLOW: return of_overflow(insn);
    case TRAP_STACK_MISMATCH: return insn->op == OP_BRK ? TRAP_BIN_MISMATCH_BRK : TRAP_BIN_MISMATCH_JOIN;
    case TRAP_BARRIER_PARTIAL: return r->active != warp->alive ? TRAP_BIN_BARRIER_MASK : TRAP_BIN_BARRIER_OPTIONS;
    case TRAP_BREAKPOINT: return insn->op == OP_BPT ? TRAP_BIN_BREAKPOINT_BPT : TRAP_BIN_BREAKPOINT_TRAP;
    case TRAP_UNIMPLEMENTED:
    case TRAP_NONE: break;
    }
    return TRAP_BIN_ATOMICS;
}

static void note_trap(struct collector *c, const struct warp_watch *warp, const struct word *w,
                      const struct retire *r) {
    const bool lacks = r->trap == TRAP_UNIMPLEMENTED || r->trap == TRAP_UNDEFINED; /* undefined, for a row of the
                                                                                    * extension */
    if (lacks && w->row != NULL && !w->row->executes)
        mark(c, w->row->trapped);
    else
        mark(c, c->space->traps + trap_bin(warp, w, r));
}

/* ---------------------------------------------------------------------------------------------------------- warps */

static struct warp_watch *watch_of(struct collector *c, const struct retire *r) {
    if (r->sm >= c->setting.sms || r->slot >= c->setting.warps) return NULL;
    struct warp_watch *w = &c->warps[r->sm * c->setting.warps + r->slot];
    const bool same = w->present && w->block_x == r->block_x && w->block_y == r->block_y && w->warp == r->warp;
    if (!same) {
        *w = (struct warp_watch){.present = true, .block_x = r->block_x, .block_y = r->block_y, .warp = r->warp};
        w->alive = r->active;
    }
    return w;
}

static void keep_aregs(struct warp_watch *warp, const struct retire *r) {
    if (r->a_reg == 0 || r->a_reg >= AREGS) return;
    for (uint32_t left = r->a_mask; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        warp->a[r->a_reg][lane] = (uint16_t)r->a[lane];
    }
}

void collector_note(struct collector *c, const struct word *word, const struct retire *r) {
    struct warp_watch *warp = watch_of(c, r);
    if (warp == NULL) return;
    if (r->trap != TRAP_NONE) note_trap(c, warp, word, r);
    if (word->defined && word->row->executes) {
        note_instruction(c, warp, word, r);
        note_arrival(c, warp, word, r);
        note_hazards(c, warp, word, r);
        note_tokens(c, warp, word, r);
        note_accesses(c, warp, word, r);
        note_values(c, warp, word, r);
        keep_aregs(warp, r);
        keep_registers(warp, r);
    }
    if (r->state == RETIRE_FINISHED) note_finished(c, r);
    if (r->state == RETIRE_FINISHED || r->state == RETIRE_TRAPPED) warp->present = false;
}
