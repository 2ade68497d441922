/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and changes the model's state, for reports and tests: see model.h. */
#include "core/state.h"
#include "watch/loops.h"
#include "watch/racecheck.h"

const char *model_why(const struct model *m) { return m->why; }

bool model_finished(const struct model *m) { return m->trap.code != TRAP_NONE || sched_is_done(&m->grid); }

bool model_has_placed_all(const struct model *m) { return m->grid.next_block == m->grid.blocks; }

bool model_is_hung(const struct model *m) { return m->hung; }

void model_get_counts(const struct model *m, struct model_counts *counts) {
    *counts = m->counts;
    counts->clock_reads = m->clock_reads;
}

size_t model_undefined_count(const struct model *m) { return m->undefined.count; }

const struct model_undefined *model_undefined_at(const struct model *m, size_t i) {
    return i < m->undefined.count ? &m->undefined.entries[i] : NULL;
}

const struct model_race *model_races(const struct model *m, size_t *count) { return racecheck_races(&m->grid, count); }

bool model_races_failed(const struct model *m) { return racecheck_failed(&m->grid); }

void model_describe(const struct model *m, uint32_t pc, uint32_t word_lo, uint32_t word_hi, struct retire *r) {
    struct decoded d = {.ready = false};
    decoded_words(&m->code, pc / 4, word_lo, word_hi, &d);
    const bool executes = d.trap == TRAP_NONE;
    r->dst_kind = executes ? d.dst_kind : RETIRE_DST_NONE;
    r->dst_reg = executes && d.dst_kind != RETIRE_DST_NONE ? d.dst_reg : 0;
    r->c_reg = executes && d.writes_c ? d.insn.cdst : 0;
    r->a_reg = executes ? d.a_reg : 0;
    r->mem_kind = executes ? d.mem_kind : RETIRE_MEM_NONE;
    r->mem_bytes = executes ? d.mem_bytes : 0;
}

static struct warp *warp_at(const struct model *m, unsigned sm, unsigned slot) {
    return sm < m->grid.machine.sms && slot < m->grid.machine.warps ? &m->grid.sms[sm].warps[slot] : NULL;
}

void model_peek_warp(const struct model *m, unsigned sm, unsigned slot, struct model_warp *warp) {
    const struct warp *w = warp_at(m, sm, slot);
    *warp = (struct model_warp){0};
    if (w == NULL || w->block == NULL) return;
    *warp = (struct model_warp){
        .present = true,
        .block_x = w->block->x,
        .block_y = w->block->y,
        .warp = w->index,
        .pc = w->pc,
        .active = w->active,
        .alive = w->alive,
        .depth = w->stack.depth,
        .state = w->state,
        .barrier = w->barrier,
        .steps = w->steps,
        .repeats = w->state == RETIRE_READY && (m->hung || loops_hold(m, w)),
    };
}

struct model_stack_entry model_peek_stack(const struct model *m, unsigned sm, unsigned slot, unsigned i) {
    const struct warp *w = warp_at(m, sm, slot);
    return w != NULL && i < w->stack.depth ? w->stack.entries[i] : (struct model_stack_entry){0};
}

uint32_t model_peek_reg(const struct model *m, unsigned sm, unsigned slot, unsigned lane, unsigned reg) {
    const struct warp *w = warp_at(m, sm, slot);
    return w != NULL && lane < WARP_LANES && reg < w->file.count ? w->file.reg[reg][lane] : 0;
}

uint16_t model_peek_areg(const struct model *m, unsigned sm, unsigned slot, unsigned lane, unsigned areg) {
    const struct warp *w = warp_at(m, sm, slot);
    return w != NULL && lane < WARP_LANES && areg < REGFILE_AREGS ? (uint16_t)w->file.areg[areg][lane] : 0;
}

uint8_t model_peek_creg(const struct model *m, unsigned sm, unsigned slot, unsigned lane, unsigned creg) {
    const struct warp *w = warp_at(m, sm, slot);
    return w != NULL && lane < WARP_LANES && creg < REGFILE_CREGS ? flags_get(&w->file.creg[creg], lane) : 0;
}

void model_poke_reg(struct model *m, unsigned sm, unsigned slot, unsigned lane, unsigned reg, uint32_t value) {
    struct warp *w = warp_at(m, sm, slot);
    if (w != NULL && lane < WARP_LANES && reg < w->file.count) {
        uint32_t values[WARP_LANES];
        lanes_fill(values, value);
        regfile_write32(&w->file, reg, values, LANE_BIT[lane]);
    }
}

void model_poke_creg(struct model *m, unsigned sm, unsigned slot, unsigned lane, unsigned creg, uint8_t nibble) {
    struct warp *w = warp_at(m, sm, slot);
    if (w != NULL && lane < WARP_LANES && creg < REGFILE_CREGS) {
        flags_set(&w->file.creg[creg], lane, nibble);
        w->file.creg_defined[creg] |= LANE_BIT[lane];
    }
}

uint8_t *model_global(struct model *m) { return m->global.bytes; }

size_t model_stored_pages(const struct model *m, const uint32_t **pages) {
    _Static_assert((int)MODEL_PAGE_BYTES == (int)PAGES_BYTES, "pages.h");
    *pages = m->global.pages->list;
    return m->global.pages->failed ? SIZE_MAX : m->global.pages->count;
}

uint8_t *model_shared(struct model *m, unsigned sm, unsigned slot) {
    const struct warp *w = warp_at(m, sm, slot);
    return w != NULL && w->block != NULL ? w->block->shared.bytes : NULL;
}

uint8_t *model_local(struct model *m, unsigned sm, unsigned slot, unsigned lane) {
    const struct warp *w = warp_at(m, sm, slot);
    return w != NULL && w->block != NULL && lane < WARP_LANES ? w->local[lane].bytes : NULL;
}

_Static_assert((int)MODEL_AREGS == REGFILE_AREGS && (int)MODEL_CREGS == REGFILE_CREGS, "saved whole");

static void save_memories(const struct warp *w, struct model_saved *saved) {
    saved->shared = w->block->shared.bytes;
    saved->shared_defined = w->block->shared.defined;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        saved->local[lane] = w->local[lane].bytes;
        saved->local_defined[lane] = w->local[lane].defined;
    }
}

void model_save_warp(const struct model *m, unsigned sm, unsigned slot, struct model_saved *saved) {
    model_peek_warp(m, sm, slot, &saved->warp);
    if (!saved->warp.present) return;
    const struct warp *w = warp_at(m, sm, slot);
    const struct regfile *file = &w->file;
    const unsigned depth = w->stack.depth < MODEL_SAVED_STACK ? w->stack.depth : MODEL_SAVED_STACK;
    saved->parked_call = w->parked_call;
    saved->parked_break = w->parked_break;
    memcpy(saved->stack, w->stack.entries, depth * sizeof *saved->stack);
    saved->registers = file->count;
    memcpy(saved->reg, file->reg, file->count * sizeof *file->reg);
    memcpy(saved->areg, file->areg, sizeof saved->areg);
    for (unsigned i = 0; i < MODEL_CREGS; i++) {
        const struct flags *f = &file->creg[i];
        const uint32_t masks[4] = {f->zero, f->sign, f->carry, f->overflow};
        memcpy(saved->creg[i], masks, sizeof masks);
    }
    memcpy(saved->half_defined, file->half_defined, file->count * sizeof *file->half_defined);
    memcpy(saved->areg_defined, file->areg_defined, sizeof saved->areg_defined);
    memcpy(saved->creg_defined, file->creg_defined, sizeof saved->creg_defined);
    save_memories(w, saved);
}

struct model_trap model_get_trap(const struct model *m) {
    return m->trap;
}

struct model_trap model_get_sm_trap(const struct model *m, unsigned sm) {
    return sm < m->grid.machine.sms ? m->grid.sms[sm].trap : (struct model_trap){0};
}

const char *trap_name(enum trap code) {
    switch (code) {
#define TRAP(name, code, text) \
    case TRAP_##name:          \
        return text;
#include "../spec/trap.def"
#undef TRAP
    }
    return "unknown trap";
}
