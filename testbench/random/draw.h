/* SPDX-License-Identifier: Apache-2.0 */
/* Draws single instructions from the instruction table: any row and any field values that leave the kernel legal. What
 * "legal" needs is in struct rules: the machine state that every instruction may rely on and must not spoil. */
#ifndef WARPSTEP_RANDOM_DRAW_H
#define WARPSTEP_RANDOM_DRAW_H

#include "program.h"
#include "rng.h"

enum {
    DRAW_ROWS_MAX = 2048,
    /* Registers that drawn instructions never write: R1 .. R10. */
    REG_WARP_BASE = 1, /* global address of the bytes that belong to the warp */
    REG_LANE_BASE = 2, /* ... plus 4 times the lane */
    REG_SCRATCH = 3,
    REG_THREAD = 4,  /* linear thread number in the block */
    REG_COUNTER = 5, /* R5 .. R10: loop counters */
    REG_FREE = 11,
    COUNTERS = REG_FREE - REG_COUNTER,
    AREG_LIMIT = 256, /* A1 and A2 hold multiples of 4 below it, A3 of 2, A4 any number */
    CONST_BYTES = 768,
};

/* The first words of bank 1: masks for bytes of an A register, for bytes of the warp's global memory, and others. */
enum mask {
    MASK_A,
    MASK_A2,
    MASK_A4,
    MASK_LANE,
    MASK_G4,
    MASK_G2,
    MASK_G,
    MASK_2,
    MASK_G8,
    MASK_G16,
    MASK_A8,
    MASK_A16,
    MASK_CASE,
    CONST_MASKS
};

struct rules {
    unsigned regs;          /* registers of a thread */
    uint32_t shared_bytes;  /* shared memory of a block */
    uint32_t local_bytes;   /* local memory of a thread, all of it written before */
    bool atomics;           /* the kernel is for sm_11 */
    bool undefined;         /* registers and memories are not written before they are read */
    uint16_t arrive_only;   /* barriers, by bit, at which nobody waits */
    uint8_t banks[4];       /* constant banks of CONST_BYTES; the first two are 0 and 1 */
    unsigned guard_percent; /* how many instructions have a guard */
    size_t row_count;
    uint16_t row[DRAW_ROWS_MAX]; /* what is drawn from */
    enum isa_op op_of_row[DRAW_ROWS_MAX];
};

/* Fills r->row with the rows that the machine executes; regs, shared_bytes, banks, guard_percent are the caller's. */
void draw_init(struct rules *r);

/* Adds one drawn instruction (a pair, where it is a half one) and what repairs A registers after it. */
void draw_instruction(const struct rules *r, struct rng *rng, struct program *p);

/* Adds one drawn long instruction that carries the marker. */
void draw_marked(const struct rules *r, struct rng *rng, struct program *p, enum isa_marker marker);

/* draw_memory.c: adds a global or local load or store, or an atomic operation, with its address. */
void draw_memory(const struct rules *r, struct rng *rng, struct program *p);

/* draw_barrier.c: adds a barrier, or two, where all threads of the warp that are left are and all warps come by. */
void draw_barrier(const struct rules *r, struct rng *rng, struct program *p);

/* Adds any instruction but jumps, with any field values: it may well trap, or spoil what the kernel
 * relies on. */
void draw_wild(const struct rules *r, struct rng *rng, struct program *p);

/* Guard text for program_add, "" or " (C0.NE)"; buffer of at least 24 bytes. */
const char *draw_guard(const struct rules *r, struct rng *rng, char buffer[24]);

/* A register number that may be written. */
unsigned draw_register(const struct rules *r, struct rng *rng);

#endif
