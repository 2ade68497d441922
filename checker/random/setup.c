/* SPDX-License-Identifier: Apache-2.0 */
/* The prologue of a random kernel: it establishes the rules for registers and memories. */
#include <stdlib.h>

#include "../../spec/memory.h"
#include "bounds.h"
#include "corners.h"
#include "recipe.h"

enum { ROUNDS_UNROLLED = 160 };

/* Linear thread number. */
static void add_thread(struct kernel *k) {
    const struct kernel_mark mark = kernel_begin(k);
    kernel_add(k, NO_LABEL, "I2I.U32.U16 R4, R0L");
    const bool kept = kernel_keep(k, &mark), flat = k->block[1] * k->block[2] == 1;
    if (!kept) recipe_copy(k, REG_THREAD, 0);
    if (!kept && !flat) k->lacking = "I2I";
}

static void add_dimensions(const struct rules *r, struct kernel *k) {
    recipe_shift_right(k, 12, 0, 0x10);
    recipe_shift_right(k, 13, 0, 0x1a);
    recipe_mask(r, k, 12, 12, MASK_G);
    kernel_add(k, NO_LABEL, "IMUL32I.U16.U16 R12, R12L, 0x%x", k->block[0]);
    recipe_add(k, REG_THREAD, REG_THREAD, 12);
    kernel_add(k, NO_LABEL, "IMUL32I.U16.U16 R13, R13L, 0x%x", k->block[0] * k->block[1]);
    recipe_add(k, REG_THREAD, REG_THREAD, 13);
}

/* R12: number of the block's first warp in the grid. */
static void add_block(struct kernel *k) {
    kernel_add(k, NO_LABEL, "MOV.U16 R12L, g [0x7].U16");
    kernel_add(k, NO_LABEL, "IMUL32I.U16.U16 R12, R12L, 0x%x", k->grid[0]);
    WAYS(k, 2) {
        if (way == 0) {
            kernel_add(k, NO_LABEL, "I2I.U32.U16 R13, g [0x6].U16");
        } else {
            recipe_set(k, 13, 0);
            kernel_add(k, NO_LABEL, "MOV.U16 R13L, g [0x6].U16");
        }
    }
    recipe_add(k, 12, 12, 13);
    kernel_add(k, NO_LABEL, "IMUL32I.U16.U16 R12, R12L, 0x%x", kernel_warps(k));
}

static void add_lane_base(const struct rules *r, struct kernel *k) {
    recipe_mask(r, k, 14, REG_THREAD, MASK_LANE);
    recipe_shift_left(k, 14, 14, 2);
    recipe_join(k, REG_LANE_BASE, REG_WARP_BASE, 14);
}

/* The addresses of the warp's and the lane's global memory and of the warp's slice of shared memory. R12: the warp's
 * number in the grid, R13: in its block. */
static void add_warp(const struct rules *r, struct kernel *k) {
    const bool blocks = r->table->can.grid;
    recipe_shift_right(k, 13, REG_THREAD, 5);
    if (blocks) recipe_add(k, 12, 12, 13);
    recipe_add_number(k, REG_WARP_BASE, blocks ? 12 : 13, ATOMICS_BASE / WARP_BYTES + 1);
    recipe_shift_left(k, REG_WARP_BASE, REG_WARP_BASE, 0xa);
    add_lane_base(r, k);
    recipe_shift_left(k, REG_SLICE, 13, 8);
    recipe_add_number(k, REG_SLICE, REG_SLICE, r->shared_read);
}

/* The same for a single warp: its lanes may share an address. */
static void add_alone(const struct rules *r, struct kernel *k) {
    recipe_set(k, REG_WARP_BASE, WARP_BYTES * (ATOMICS_BASE / WARP_BYTES + 1));
    recipe_set(k, REG_SLICE, r->shared_read);
    const struct kernel_mark mark = kernel_begin(k);
    add_lane_base(r, k);
    if (!kernel_keep(k, &mark)) recipe_set(k, REG_LANE_BASE, WARP_BYTES * (ATOMICS_BASE / WARP_BYTES + 1));
}

/* Adds a part of the prologue; if it is lacking, the kernel may read undefined values. */
static void add_or_leave(struct kernel *k, const struct kernel_mark *mark) {
    if (!kernel_keep(k, mark)) k->undefined = true;
}

static void add_addresses(const struct rules *r, struct kernel *k) {
    const struct kernel_mark mark = kernel_begin(k);
    add_thread(k);
    if (k->block[1] * k->block[2] > 1) add_dimensions(r, k);
    add_or_leave(k, &mark);
    const struct kernel_mark bases = kernel_begin(k);
    if (r->table->can.warps) {
        if (r->table->can.grid) add_block(k);
        add_warp(r, k);
    } else {
        add_alone(r, k);
    }
    add_or_leave(k, &bases);
}

static void add_register(const struct rules *r, struct rng *rng, struct kernel *k, unsigned reg) {
    const uint32_t pick = rng_below(rng, 3);
    if (pick == 0) {
        recipe_set(k, reg, corner_word(rng));
    } else if (pick == 1 && reg < 64) {
        recipe_add_number(k, reg, REG_THREAD, corner_word(rng));
    } else {
        const unsigned part = kernel_open_part(k);
        recipe_shift_left(k, REG_SCRATCH, REG_THREAD, 2);
        recipe_add_number(k, REG_SCRATCH, REG_SCRATCH, 4 * rng_below(rng, KERNEL_DATA_WORDS));
        recipe_mask(r, k, REG_SCRATCH, REG_SCRATCH, MASK_G4);
        kernel_add(k, NO_LABEL, "GLD.U32 R%u, global14 [R3]", reg);
        kernel_close_part(k, part);
    }
}

static void add_registers(const struct rules *r, struct rng *rng, struct kernel *k) {
    const struct kernel_mark counters = kernel_begin(k);
    for (unsigned reg = REG_COUNTER; reg < REG_COUNTER + COUNTERS; reg++) recipe_set(k, reg, 0);
    add_or_leave(k, &counters);
    for (unsigned reg = REG_FREE; reg < r->regs && !r->undefined; reg++) {
        struct kernel_mark mark = kernel_begin(k);
        add_register(r, rng, k, reg);
        if (kernel_keep(k, &mark)) continue;
        mark = kernel_begin(k);
        recipe_set(k, reg, r->mask[MASK_G]);
        add_or_leave(k, &mark);
    }
}

/* Writes the thread's local memory, because unwritten memory is undefined. */
static void add_local(const struct rules *r, struct rng *rng, struct kernel *k) {
    const unsigned part = kernel_open_part(k);
    if (r->local_bytes <= AREG_LIMIT) {
        for (uint32_t at = 0; at < r->local_bytes; at += 4)
            kernel_add(k, NO_LABEL, "LST.U32 local [0x%x], R%u", at, draw_register(r, rng));
    } else {
        const int top = kernel_new_label(k);
        recipe_set(k, REG_COUNTER, r->local_bytes / 16);
        kernel_add(k, NO_LABEL, "ADA A1, A0, 0x0");
        kernel_place_label(k, top);
        kernel_add(k, NO_LABEL, "LST.S128 local [A1+++0x10], R12");
        recipe_add(k, 12, 12, REG_THREAD);
        recipe_add_number(k, REG_COUNTER, REG_COUNTER, 0xffffffff);
        recipe_flags(k, 0, REG_COUNTER);
        kernel_add(k, top, "BRA C0.NE, 0x0");
    }
    kernel_close_part(k, part);
}

/* All threads store 4 bytes at R3, except those beyond the end; then R3 advances. */
static void add_shared_words(const struct rules *r, struct kernel *k, unsigned from, bool all) {
    recipe_set(k, REG_COUNTER + 1, r->shared_bytes);
    WAYS(k, all ? 2 : 1) {
        if (way == 0) {
            kernel_add(k, NO_LABEL, "ISET.C1 o [0x7f], R3, R%d, LT", REG_COUNTER + 1);
            kernel_add(k, NO_LABEL, "R2A A1, R3");
            kernel_add(k, NO_LABEL, "R2G.U32.U32 g [A1+0x0] (C1.NE), R%u", from);
        } else {
            kernel_add(k, NO_LABEL, "R2A A1, R3");
            kernel_add(k, NO_LABEL, "R2G.U32.U32 g [A1+0x0], R%u", from);
        }
    }
    const struct kernel_mark mark = kernel_begin(k);
    recipe_add(k, 12, 12, REG_SCRATCH);
    kernel_keep(k, &mark); /* otherwise all words are equal */
    recipe_add_number(k, REG_SCRATCH, REG_SCRATCH, 4 * kernel_threads(k));
}

/* From `first` on, at a thread's number, then after those, to the end: in a loop, or without one. */
static void add_shared(const struct rules *r, struct rng *rng, struct kernel *k) {
    const unsigned part = kernel_open_part(k), threads = kernel_threads(k), from = draw_register(r, rng);
    const uint32_t first = HEADER_BYTES + 4 * k->param_count, words = (r->shared_bytes - first) / 4;
    const uint32_t rounds = (words + threads - 1) / threads;
    WAYS(k, rounds <= ROUNDS_UNROLLED ? 2 : 1) {
        const int top = kernel_new_label(k);
        if (way == 0) recipe_set(k, REG_COUNTER, rounds);
        recipe_shift_left(k, REG_SCRATCH, REG_THREAD, 2);
        recipe_add_number(k, REG_SCRATCH, REG_SCRATCH, first);
        kernel_place_label(k, top);
        for (uint32_t round = 0; round < (way == 0 ? 1 : rounds); round++)
            add_shared_words(r, k, from, words % threads == 0);
        if (way == 0) {
            recipe_add_number(k, REG_COUNTER, REG_COUNTER, 0xffffffff);
            recipe_flags(k, 0, REG_COUNTER);
            kernel_add(k, top, "BRA C0.NE, 0x0");
        }
    }
    kernel_close_part(k, part);
}

static void add_areg(const struct rules *r, struct rng *rng, struct kernel *k, unsigned areg) {
    const struct kernel_mark mark = kernel_begin(k);
    kernel_add(k, NO_LABEL, "R2A A%u, R%u", areg, draw_register(r, rng));
    kernel_keep(k, &mark);
    recipe_areg(r, k, areg);
}

static void add_files(const struct rules *r, struct rng *rng, struct kernel *k) {
    for (unsigned areg = 1; areg <= AREGS; areg++) {
        if (r->table->can.aregs) add_areg(r, rng, k, areg);
        const struct kernel_mark mark = kernel_begin(k);
        if (!r->undefined) recipe_any_flags(k, areg - 1, draw_register(r, rng));
        add_or_leave(k, &mark);
    }
    const struct kernel_mark mark = kernel_begin(k);
    recipe_set(k, REG_COUNTER + 1, 0);
    recipe_copy(k, REG_SCRATCH, REG_THREAD);
    add_or_leave(k, &mark);
}

void setup_add(const struct rules *r, struct kernel *k, struct rng *rng) {
    add_addresses(r, k);
    add_registers(r, rng, k);
    if (!r->undefined) {
        struct kernel_mark mark = kernel_begin(k);
        if (r->local_bytes != 0) add_local(r, rng, k);
        add_or_leave(k, &mark);
        mark = kernel_begin(k);
        if (r->table->can.shared) add_shared(r, rng, k);
        add_or_leave(k, &mark);
        if (bounds_have(k, "BAR")) kernel_add(k, NO_LABEL, "BAR.ARV.WAIT b0, 0xfff");
    }
    add_files(r, rng, k);
}

/* abilities of a declared machine */

/* Tries a part of the prologue on a scratch kernel. */
static bool can(struct kernel *k, void (*add)(const struct rules *r, struct kernel *k), const struct rules *r) {
    const struct kernel_mark mark = kernel_begin(k);
    add(r, k);
    return kernel_keep(k, &mark);
}

static void try_block(const struct rules *r, struct kernel *k) {
    (void)r;
    add_block(k);
}

static void try_shared(const struct rules *r, struct kernel *k) {
    struct rng rng = {0};
    add_shared(r, &rng, k);
}

static void try_dimensions(const struct rules *r, struct kernel *k) {
    add_thread(k);
    add_dimensions(r, k);
}

static void try_aregs(const struct rules *r, struct kernel *k) {
    recipe_areg(r, k, 1);
    recipe_areg(r, k, 2);
}

static void try_fault(const struct rules *r, struct kernel *k) {
    (void)r;
    recipe_set(k, REG_SCRATCH, 0);
    recipe_set(k, REG_HELP, 1);
    recipe_add(k, REG_SCRATCH, REG_SCRATCH, REG_HELP);
    kernel_add(k, NO_LABEL, "R2A A1, R%d", REG_SCRATCH);
}

static void find_all(struct ability *able, struct kernel *k, struct rules *r) {
    able->grid = can(k, try_block, r);
    able->warps = can(k, add_warp, r);
    able->grid = able->grid && able->warps;
    able->shared = can(k, try_shared, r);
    able->dimensions = can(k, try_dimensions, r);
    able->memory = able->warps || can(k, add_alone, r);
    r->alone = !able->warps;
    r->areg[1].shared = able->shared;
    able->aregs = able->memory && can(k, try_aregs, r);
    able->faults = can(k, try_fault, r);
}

bool setup_find(const struct table *t, struct ability *able) {
    struct kernel *k = calloc(1, sizeof *k);
    struct rules *r = calloc(1, sizeof *r);
    const bool done = k != NULL && r != NULL;
    if (done) {
        k->declared = t->declared;
        k->grid[0] = k->grid[1] = 2;
        k->block[0] = k->block[1] = 8;
        k->block[2] = 1;
        rules_probe(r, k, t);
        find_all(able, k, r);
    }
    free(k);
    free(r);
    return done;
}
