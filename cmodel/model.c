/* SPDX-License-Identifier: Apache-2.0 */
/* The public face of the model, see model.h: creation, launch, the two ways of stepping, and looking at state. */
#include "model.h"

#include <stdlib.h>

#include "state.h"
#include "step.h"

struct model *model_create(const struct machine *machine) {
    struct model *m = calloc(1, sizeof *m);
    if (m == NULL) return NULL;
    if (!sched_create(&m->grid, machine) || !mem_create(&m->global, machine->global_bytes, false)) {
        model_destroy(m);
        return NULL;
    }
    return m;
}

static void destroy_launch(struct model *m) {
    code_destroy(&m->code);
    for (unsigned i = 0; i < IMAGE_CONST_BANKS; i++) mem_destroy(&m->bank[i]);
    free(m->undefined.seen);
    free(m->undefined.entries);
    m->undefined = (struct undefined_log){0};
}

void model_destroy(struct model *m) {
    if (m == NULL) return;
    destroy_launch(m);
    sched_destroy(&m->grid);
    mem_destroy(&m->global);
    free(m);
}

static bool load_image(struct model *m, const struct image *image) {
    m->undefined.seen = calloc(image->code_words / 32 + 1, sizeof *m->undefined.seen);
    m->undefined.entries = calloc(image->code_words + 1, sizeof *m->undefined.entries);
    if (m->undefined.seen == NULL || m->undefined.entries == NULL ||
        !code_load(&m->code, image->code, image->code_words, image->regs, m->grid.machine.has_atomics))
        return false;
    for (unsigned i = 0; i < IMAGE_CONST_BANKS; i++) {
        if (!mem_create(&m->bank[i], (uint32_t)image->bank[i].size, false)) return false;
        if (image->bank[i].size > 0) memcpy(m->bank[i].bytes, image->bank[i].bytes, image->bank[i].size);
    }
    mem_reset(&m->global);
    for (size_t i = 0; i < image->global_count; i++)
        memcpy(m->global.bytes + image->global[i].addr, image->global[i].bytes, image->global[i].size);
    return true;
}

/* Places blocks in order as long as one fits. */
static void dispatch(struct model *m) {
    while (sched_dispatch(&m->grid)) {}
}

enum status model_launch(struct model *m, const struct image *image, struct diag *d) {
    destroy_launch(m);
    m->counts = (struct model_counts){0};
    m->trap = (struct model_trap){0};
    m->mode = MODE_OPEN;
    m->why[0] = '\0';
    if (!load_image(m, image) || !sched_launch(&m->grid, image))
        return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for the model");
    dispatch(m);
    return STATUS_OK;
}

/* ---------------------------------------------------------------------------- own scheduling */

enum model_result model_run_step(struct model *m, struct retire *out) {
    if (m->trap.code != TRAP_NONE) return MODEL_TRAPPED;
    if (m->mode == MODE_FOLLOW) return MODEL_REFUSED;
    m->mode = MODE_OWN;
    struct warp *warp = sched_next_warp(&m->grid);
    if (warp == NULL) return sched_is_done(&m->grid) ? MODEL_DONE : MODEL_STUCK;
    const uint64_t finished = m->grid.finished_blocks;
    step_warp(m, warp, NULL, out);
    if (m->grid.finished_blocks != finished) dispatch(m);
    return MODEL_RETIRED;
}

enum model_result model_run(struct model *m, uint64_t limit, uint64_t *steps) {
    enum model_result result = MODEL_RETIRED;
    const uint64_t before = m->counts.warp_instructions;
    while (result == MODEL_RETIRED && m->counts.warp_instructions - before < limit) result = model_run_step(m, NULL);
    *steps = m->counts.warp_instructions - before;
    return result;
}

/* ---------------------------------------------------------------------------- state, for reports */

const char *model_why(const struct model *m) { return m->why; }

bool model_finished(const struct model *m) { return m->trap.code != TRAP_NONE || sched_is_done(&m->grid); }

void model_get_counts(const struct model *m, struct model_counts *counts) { *counts = m->counts; }

size_t model_undefined_count(const struct model *m) { return m->undefined.count; }

const struct model_undefined *model_undefined_at(const struct model *m, size_t i) {
    return i < m->undefined.count ? &m->undefined.entries[i] : NULL;
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

uint8_t *model_shared(struct model *m, unsigned sm, unsigned slot) {
    const struct warp *w = warp_at(m, sm, slot);
    return w != NULL && w->block != NULL ? w->block->shared.bytes : NULL;
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
#include "trap.def"
#undef TRAP
    }
    return "unknown trap";
}
