/* SPDX-License-Identifier: Apache-2.0 */
/* Amends a step by another record: restores the effects that keep.h has kept, and applies those of the record. */
#include <stdio.h>

#include "../core/step.h"
#include "keep.h"

/* Writes to a register beyond the launch, or to R127, are dropped, as in a step. */
static void write_registers(struct warp *warp, const struct retire *r) {
    struct regfile *file = &warp->file;
    const unsigned words =
        r->mem_kind == RETIRE_MEM_GLOBAL_LOAD || r->mem_kind == RETIRE_MEM_LOCAL_LOAD ? retire_words(r) : 1;
    if (r->dst_kind == RETIRE_DST_REG32) {
        for (unsigned word = 0; word < words; word++)
            if (regfile_is_writable(file, r->dst_reg + word))
                regfile_write32(file, r->dst_reg + word, word == 0 ? r->dst : r->dst_rest[word - 1], r->dst_mask);
    } else if (r->dst_kind == RETIRE_DST_REG16 && r->dst_reg / 2 < file->count) {
        regfile_write16(file, r->dst_reg, r->dst, r->dst_mask);
    }
    for (uint32_t left = r->c_mask; left != 0 && r->c_reg < REGFILE_CREGS; left = lanes_rest(left))
        flags_set(&file->creg[r->c_reg], lanes_first(left), (uint8_t)r->c[lanes_first(left)]);
    if (r->c_reg < REGFILE_CREGS) file->creg_defined[r->c_reg] |= r->c_mask;
    if (r->a_reg > 0 && r->a_reg < REGFILE_AREGS) regfile_write_areg(file, r->a_reg, r->a, r->a_mask);
}

static bool is_store(uint32_t kind) {
    return kind == RETIRE_MEM_GLOBAL_STORE || kind == RETIRE_MEM_GLOBAL_ATOMIC || kind == RETIRE_MEM_SHARED_STORE ||
           kind == RETIRE_MEM_LOCAL_STORE;
}

/* True if a memory access can have this size. */
static bool is_access(uint32_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16; }

/* Stores outside a memory are omitted, and the result is false. */
static bool write_memory(struct model *m, struct warp *warp, const struct retire *r) {
    bool all = true;
    for (uint32_t left = is_store(r->mem_kind) ? r->mem_mask : 0; left != 0; left = lanes_rest(left)) {
        const unsigned lane = lanes_first(left);
        struct mem *mem = step_memory(m, warp, r->mem_kind, lane);
        if (!is_access(r->mem_bytes) || mem_check(mem, r->addr[lane], r->mem_bytes, TRAP_GLOBAL_ALIGN) != TRAP_NONE) {
            all = false;
            continue;
        }
        mem_touch(mem, r->addr[lane]);
        mem_store(mem, r->addr[lane], r->mem_bytes < 4 ? r->mem_bytes : 4, r->data[lane]);
        for (unsigned word = 1; word < retire_words(r); word++)
            mem_store(mem, r->addr[lane] + 4 * word, 4, r->data_rest[word - 1][lane]);
    }
    return all;
}

static bool same_lanes(const uint32_t *a, const uint32_t *b) { return memcmp(a, b, WARP_LANES * sizeof *a) == 0; }

static bool same_memory(const struct retire *a, const struct retire *b) {
    return a->mem_kind == b->mem_kind && a->mem_bytes == b->mem_bytes && a->mem_mask == b->mem_mask &&
           same_lanes(a->addr, b->addr) && same_lanes(a->data, b->data) &&
           (retire_words(a) == 1 || memcmp(a->data_rest, b->data_rest, sizeof a->data_rest) == 0);
}

/* The model raised a trap that the RTL did not: the SM continues, and the grid unless another trap has stopped it. */
static void take_back_trap(struct model *m, struct warp *warp, const struct retire *done) {
    m->grid.sms[warp->sm].trap = (struct model_trap){0};
    if (m->trap.sm == warp->sm) m->trap = (struct model_trap){0};
    warp->state = RETIRE_READY;
    m->counts.warp_instructions++;
    m->counts.thread_instructions += lanes_count(done->active);
}

static void raise_trap(struct model *m, struct warp *warp, const struct retire *done, enum trap trap) {
    struct sm *sm = &m->grid.sms[warp->sm];
    sm->trap = (struct model_trap){.code = trap,
                                   .sm = warp->sm,
                                   .slot = warp->slot,
                                   .pc = done->pc,
                                   .word_lo = done->word_lo,
                                   .word_hi = done->word_hi,
                                   .exec = done->exec};
    if (m->trap.code == TRAP_NONE || m->trap.sm == warp->sm) m->trap = sm->trap;
    if (done->trap == TRAP_NONE) {
        m->counts.warp_instructions--;
        m->counts.thread_instructions -= lanes_count(done->active);
        m->counts.executed_threads -= lanes_count(done->exec);
    }
    warp->state = RETIRE_TRAPPED;
    m->grid.watch.kept->finishing = false;
}

/* A warp that waits in the record alone continues, because nothing would wake it. */
static void take_state(struct model *m, struct warp *warp, const struct retire *done, const struct retire *wanted) {
    const bool runs = wanted->state == RETIRE_READY || wanted->state == RETIRE_BARRIER;
    if (done->state == RETIRE_FINISHED && runs) {
        warp->state = RETIRE_READY;
        warp->alive = m->grid.watch.kept->alive;
        m->grid.watch.kept->finishing = false;
    } else if (done->state == RETIRE_BARRIER && wanted->state == RETIRE_READY) {
        warp->state = RETIRE_READY;
        m->grid.sms[warp->sm].ready |= (uint64_t)1 << warp->slot;
    } else if (done->state != RETIRE_FINISHED && wanted->state == RETIRE_FINISHED) {
        warp->state = RETIRE_FINISHED;
        warp->alive = 0;
        m->grid.watch.kept->finishing = true;
    }
}

/* Restores entries that exist, or existed before the step, which has at most popped them. */
static void take_depth(const struct kept *kept, struct warp *warp, int32_t deeper) {
    const int64_t depth = (int64_t)warp->stack.depth + deeper;
    const unsigned most = warp->stack.depth > kept->depth ? warp->stack.depth : kept->depth;
    if (depth >= 0 && depth <= most) warp->stack.depth = (unsigned)depth;
}

/* The lanes that continue are alive and not parked. */
static void set_active(struct warp *warp, uint32_t active) {
    warp->active = active;
    warp->alive |= active;
    warp->parked_call &= ~active;
    warp->parked_break &= ~active;
}

static void take_flow(struct warp *warp, const struct retire *done, const struct retire *wanted) {
    if (done->next_pc != wanted->next_pc) warp->pc = wanted->next_pc;
    if (done->next_active != wanted->next_active) set_active(warp, wanted->next_active);
}

bool model_amend(struct model *m, const struct retire *done, const struct retire *wanted) {
    struct kept *kept = m->grid.watch.kept;
    if (kept == NULL || kept->warp == NULL) return false;
    struct warp *warp = kept->warp;
    if (wanted->trap != TRAP_NONE && wanted->trap == done->trap) return true; /* it had no effect, and has none */
    if (wanted->trap != TRAP_NONE) {
        warp->file = kept->file;
        keep_undo_stores(kept);
        raise_trap(m, warp, done, (enum trap)wanted->trap);
        return true;
    }
    if (done->trap != TRAP_NONE) take_back_trap(m, warp, done);
    warp->file = kept->file;
    write_registers(warp, wanted);
    bool all = true;
    if (!same_memory(done, wanted)) {
        keep_undo_stores(kept);
        all = write_memory(m, warp, wanted);
    }
    take_state(m, warp, done, wanted);
    take_flow(warp, done, wanted);
    take_depth(kept, warp, (int32_t)(wanted->depth - done->depth));
    return all;
}

void model_redirect(struct model *m, unsigned sm, unsigned slot, uint32_t pc, uint32_t active) {
    if (sm >= m->grid.machine.sms || slot >= m->grid.machine.warps) return;
    struct warp *warp = &m->grid.sms[sm].warps[slot];
    if (warp->block == NULL || warp->state != RETIRE_READY) return;
    warp->pc = pc;
    set_active(warp, active);
}
