/* SPDX-License-Identifier: Apache-2.0 */
/* Draws instructions from the instruction table: any row that the machine executes, any field values that leave the
 * kernel legal. What "legal" needs is in struct rules: the machine state that every instruction may rely on and must
 * not spoil. The memory discipline (rules.c makes the numbers, setup.c the state):
 *
 *     shared   header, parameters | read by all | 256 bytes of each warp | rest
 *     global   data, read by all | atomics of all warps | 1024 bytes of each warp
 *
 * so that no warp sees what another one is doing, and every order of warps gives the same results. */
#ifndef WARPSTEP_RANDOM_DRAW_H
#define WARPSTEP_RANDOM_DRAW_H

#include "kernel.h"
#include "rng.h"

enum {
    TABLE_ROWS_MAX = 2048,
    AREGS = 4,
    NO_ADDRESS = 0,
    /* Registers that drawn instructions never write: R1 .. R11. */
    REG_WARP_BASE = 1, /* global address of the bytes that belong to the warp */
    REG_LANE_BASE = 2, /* REG_WARP_BASE plus 4 times the lane */
    REG_SCRATCH = 3,
    REG_THREAD = 4,  /* linear thread number in the block */
    REG_COUNTER = 5, /* R5 .. R10: loop counters */
    REG_SLICE = 11,  /* shared address of the bytes that belong to the warp */
    REG_FREE = 12,
    REGS_LEAST = REG_FREE + 3, /* of any kernel */
    COUNTERS = REG_SLICE - REG_COUNTER,
    SLICE_BYTES = 256,
    AREG_LIMIT = 128, /* an A register is below it, or below it behind the slice's first byte */
    WARP_BYTES = 1024,
    ATOMICS_BASE = 1024, /* global memory that atomics of all warps go to */
    CONST_BYTES = 4 * KERNEL_BANK_WORDS,
};

/* The first words of c[1]: masks for values of A registers, for bytes of the warp's global memory, and others. */
enum mask {
    MASK_A,
    MASK_A2,
    MASK_A4,
    MASK_A8,
    MASK_A16,
    MASK_G,
    MASK_G2,
    MASK_G4,
    MASK_G8,
    MASK_G16,
    MASK_LANE,
    MASK_2,
    MASK_CASE,
    MASK_EXCHANGE, /* for an address in all of shared memory, with AREG_LIMIT bytes behind it */
    CONST_MASKS
};

/* What a prologue can do on a declared machine; all of it on ours. See setup.c. */
struct ability {
    bool grid;       /* tell blocks apart */
    bool warps;      /* tell warps of a block apart */
    bool shared;     /* fill shared memory */
    bool dimensions; /* tell threads of blocks with more than one dimension apart */
    bool memory;     /* hold addresses of global memory */
    bool aregs;      /* set A registers */
    bool faults;     /* make addresses that are wrong in some lanes */
};

/* The rows that the machine executes, by what draws them. */
struct table {
    const struct declared *declared; /* what it keeps to; NULL: our own machine, which has everything */
    unsigned wide, dividers;         /* units of sm_10x that it has */
    struct ability can;
    size_t plain, memory; /* how many */
    uint16_t plain_row[TABLE_ROWS_MAX];
    enum isa_op plain_op[TABLE_ROWS_MAX];
    uint16_t memory_row[TABLE_ROWS_MAX];
};

/* An A register points into the warp's slice of shared memory, or is an index for constants and local memory. */
struct areg_rule {
    bool shared;
    unsigned unit; /* it is a multiple of 1, 2 or 4 (behind the slice's first byte) */
};

struct rules {
    const struct table *table;
    unsigned regs;          /* registers of a thread */
    uint32_t shared_read;   /* bytes of shared memory that are only read */
    uint32_t shared_own;    /* any warp may write up to here, alone or where races are wanted; else 0 */
    uint32_t shared_bytes;  /* all of a block */
    uint32_t local_bytes;   /* of a thread, all written before it is read */
    struct machine machine; /* with atomics and sm_10x as the kernel wants them */
    bool undefined;         /* registers and memories are not written before they are read */
    bool clocked;           /* S2R may read the clock and the warp's place */
    uint16_t arrive_only;   /* barriers, by bit, at which nobody waits */
    bool alone;             /* one warp: its slice of shared memory is at a place known here */
    uint32_t const_bytes;   /* of a constant bank, CONST_BYTES at most */
    uint8_t banks[4]; /* constant banks of so many bytes; [1] has the masks, and the first two are 0 and 1 if there */
    uint32_t mask[CONST_MASKS];
    unsigned guard_percent;           /* how many instructions have a guard */
    struct areg_rule areg[AREGS + 1]; /* [0] is not used */
};

/* rules.c */
void table_find(struct table *t);
void table_extend(struct table *t, unsigned wide, unsigned dividers); /* with those of sm_10x: cmodel/machine.h */
void table_restrict(struct table *t, const struct declared *machine); /* to the rows that it has; keeps the pointer */
void rules_draw(struct rules *r, struct kernel *k, const struct table *t, struct rng *rng); /* and the launch of k */
void rules_draw_data(const struct rules *r, struct kernel *k, struct rng *rng);
void rules_probe(struct rules *r, struct kernel *k, const struct table *t); /* for setup_find: nothing is drawn */

/* setup.c: adds the prologue that makes true what the rules say. */
void setup_add(const struct rules *r, struct kernel *k, struct rng *rng);

/* setup.c: what prologues can do on a declared machine, with the rows of the table. False when memory is out. */
bool setup_find(const struct table *t, struct ability *can);

/* Adds one drawn instruction (a pair, where it is a half one) and what repairs A registers after it. */
void draw_instruction(const struct rules *r, struct rng *rng, struct kernel *k);

/* Adds one drawn long instruction that carries the marker, at the label (or NO_LABEL), which is placed there. */
void draw_marked(const struct rules *r, struct rng *rng, struct kernel *k, enum isa_marker marker, int label);

/* draw_memory.c: adds a global or local load or store, or an atomic operation, with what makes its address. */
void draw_memory(const struct rules *r, struct rng *rng, struct kernel *k);

/* draw_memory.c: draws an access that may stand anywhere, by itself: its address is in REG_LANE_BASE. False where a
 * declared machine seems to have none. */
bool draw_lane_access(const struct rules *r, struct rng *rng, enum isa_marker marker, struct isa_insn *insn);

/* draw_memory.c: draws an access to global memory of at least so many bytes, its address in REG_SCRATCH. */
bool draw_global_access(const struct rules *r, struct rng *rng, unsigned least_bytes, struct isa_insn *insn);

/* draw_barrier.c: adds barriers, or reads of what other warps wrote between two of them, where all threads of the warp
 * that are left are and all warps come by. */
void draw_barrier(const struct rules *r, struct rng *rng, struct kernel *k);

/* draw_wild.c: adds any instruction but jumps, with any field values: it may well trap, or spoil what the kernel relies
 * on. */
void draw_wild(const struct rules *r, struct rng *rng, struct kernel *k);

/* draw_trap.c: adds what traps with k->trap, perhaps not in all lanes or warps, and not everywhere. */
void draw_trap(const struct rules *r, struct rng *rng, struct kernel *k);

/* Guard text for kernel_add, "" or " (C0.NE)"; buffer of at least 24 bytes. */
const char *draw_guard(const struct rules *r, struct rng *rng, char buffer[24]);

/* A register number that may be written. */
unsigned draw_register(const struct rules *r, struct rng *rng);

/* An A register with such a use, or 0. */
unsigned draw_areg(const struct rules *r, struct rng *rng, bool shared, unsigned unit);

/* A value for a field of the row, half of the time within what the rules allow. */
uint32_t draw_field(const struct rules *r, struct rng *rng, size_t row, enum isa_field name);

/* Draws all fields of a row and decodes it; false when that is nothing legal. Of a global access the address register
 * is `address`, else NO_ADDRESS. */
bool draw_word(const struct rules *r, struct rng *rng, size_t row, enum isa_marker marker, unsigned address,
               struct isa_insn *insn);

/* Makes A[areg] what the rules say it is, from any value; nothing where areg is 0. */
void draw_repair(const struct rules *r, struct kernel *k, unsigned areg);

/* What the machine would do with the words at an 8-byte boundary: the trap that they are themselves, or none. */
enum trap words_trap(uint32_t lo, uint32_t hi, const struct machine *machine);

#endif
