/* SPDX-License-Identifier: Apache-2.0 */
/* Physical registers for virtual ones: R0 up, as few as possible; C0 to C3; A1 to A4. */
#ifndef WARPSTEP_CC_ALLOC_H
#define WARPSTEP_CC_ALLOC_H

#include "../ir/ir.h"

/* Gives all registers of the kernel a home, of R at most `most`. What finds no room goes to local memory, flags to
 * registers. Returns how many R are used. */
unsigned alloc_registers(struct ir *ir, unsigned most);

/* schedule.c: loads early, uses late. */
void alloc_schedule(struct ir *ir, unsigned most);

/* sink.c: results move down to the copies that alone read them. */
void alloc_sink(struct ir *ir);

/* range.c: where a register is in use. Positions: an instruction reads at its order * 2 and writes at * 2 + 1. */
struct alloc_piece {
    uint32_t start, end; /* [start, end) */
};

enum { ALLOC_HOMES = 128 };

struct alloc_group;

/* A place where a register is written: position, and the register that is copied there, or 0. */
struct alloc_write {
    uint32_t at;
    ir_reg copied;
    struct alloc_write *next;
};

struct alloc_range {
    struct alloc_piece *pieces; /* ascending, apart */
    size_t count, capacity;
    ir_reg reg;
    uint32_t weight; /* reads and writes, more of them in loops */
    int home;
    bool low, spilled, is_temporary;
    int fixed;
    bool at_start;             /* has a value before the first instruction */
    struct alloc_group *group; /* of the words of a wide access, or NULL */
    struct alloc_write *writes, *last_write;
    size_t write_count;
};

/* Registers that follow each other, the first a multiple of their number. */
struct alloc_group {
    ir_reg reg[4];
    unsigned count;
};

bool alloc_is_copy(const struct ir *ir, const struct ir_insn *insn);
void alloc_find_ranges(struct ir *ir, struct alloc_range *ranges);
bool alloc_overlaps(const struct alloc_range *a, const struct alloc_range *b);
/* Whether one of two is written while the other holds another value: a copy of the other is none. `root` leads from
 * each register to the one that it has been united with. */
bool alloc_conflicts(const struct alloc_range *a, const struct alloc_range *b, ir_reg *root);
ir_reg alloc_root(ir_reg *root, ir_reg r);
void alloc_unite(struct ir *ir, struct alloc_range *a, struct alloc_range *b); /* b becomes empty */

/* reserved.c: where homes are taken by what must be there, fixed registers and what calls overwrite. A bit for each
 * position. */
struct alloc_reserved {
    uint64_t *bits; /* NULL: nowhere */
    size_t words;
};

void alloc_find_reserved(struct ir *ir, const struct alloc_range *ranges, struct alloc_reserved (*homes)[ALLOC_HOMES]);
bool alloc_is_reserved(const struct alloc_reserved *home, const struct alloc_range *r);
void alloc_reserve(struct ir *ir, struct alloc_reserved *home, const struct alloc_range *r);

/* spill.c; what is split has registers of its own for the wide access alone. */
void alloc_split_groups(struct ir *ir);
void alloc_spill(struct ir *ir, const bool *is_spilled, const ir_reg *root);

#endif
