/* SPDX-License-Identifier: Apache-2.0 */
/* Register allocation: R0 up, as few as possible; C0 to C3; A1 to A4. */
#ifndef WARPSTEP_CC_ALLOC_H
#define WARPSTEP_CC_ALLOC_H

#include "../ir/ir.h"

/* Assigns a home to each register of the kernel, at most `most` of class R. R registers that do not fit are spilled
 * to local memory, flags and address registers to R registers. Returns the number of R registers in use. */
unsigned alloc_registers(struct ir *ir, unsigned most);

/* schedule.c: moves loads up, away from their readers. */
void alloc_schedule(struct ir *ir, unsigned most);

/* sink.c: moves a result down to the copy that is its only reader. */
void alloc_sink(struct ir *ir);

/* range.c: live ranges. An instruction reads at position order * 2 and writes at order * 2 + 1. */
struct alloc_piece {
    uint32_t start, end; /* [start, end) */
};

enum { ALLOC_HOMES = 128 };

struct alloc_group;

/* A write to a register: its position, and the source if it is a copy, else 0. */
struct alloc_write {
    uint32_t at;
    ir_reg copied;
    struct alloc_write *next;
};

struct alloc_range {
    struct alloc_piece *pieces; /* ascending, disjoint */
    size_t count, capacity;
    ir_reg reg;
    uint32_t weight; /* reads and writes, weighted by loop depth */
    int home;
    bool low, spilled, is_temporary;
    int fixed;
    bool at_start;             /* live at the entry of the kernel */
    struct alloc_group *group; /* the group of a wide access that it is part of, or NULL */
    struct alloc_write *writes, *last_write;
    size_t write_count;
};

/* Consecutive registers, the first aligned to their count. */
struct alloc_group {
    ir_reg reg[4];
    unsigned count;
};

bool alloc_is_copy(const struct ir *ir, const struct ir_insn *insn);
void alloc_find_ranges(struct ir *ir, struct alloc_range *ranges);
bool alloc_overlaps(const struct alloc_range *a, const struct alloc_range *b);
/* Returns whether a or b is written while the other is live, except by a copy of the other. `root` maps each
 * register to the one that it has been coalesced with. */
bool alloc_conflicts(const struct alloc_range *a, const struct alloc_range *b, ir_reg *root);
ir_reg alloc_root(ir_reg *root, ir_reg r);
void alloc_merge(struct ir *ir, struct alloc_range *a, struct alloc_range *b); /* empties b */

/* reserved.c: positions at which a home is occupied by a fixed register or overwritten by a call. One bit a
 * position. */
struct alloc_reserved {
    uint64_t *bits; /* NULL if never reserved */
    size_t words;
};

void alloc_find_reserved(struct ir *ir, const struct alloc_range *ranges, struct alloc_reserved (*homes)[ALLOC_HOMES]);
bool alloc_is_reserved(const struct alloc_reserved *home, const struct alloc_range *r);
void alloc_reserve(struct ir *ir, struct alloc_reserved *home, const struct alloc_range *r);

/* spill.c. alloc_split_groups gives each wide access registers of its own, which are live only there. */
void alloc_split_groups(struct ir *ir);
void alloc_spill(struct ir *ir, const bool *is_spilled, const ir_reg *root);

#endif
