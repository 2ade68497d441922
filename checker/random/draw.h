/* SPDX-License-Identifier: Apache-2.0 */
/* Draws instructions from the instruction table: any row that the machine executes, any field values that keep the
 * kernel legal. struct rules defines "legal": the machine state that every instruction may rely on and must not
 * destroy. The memory layout (rules.c computes the numbers, setup.c the state):
 *
 *     shared   header, parameters | read by all | 256 bytes of each warp | rest
 *     global   data, read by all | atomics of all warps | 1024 bytes of each warp
 *
 * so that no warp observes another one, and every order of warps gives the same results. */
#ifndef WARPSTEP_RANDOM_DRAW_H
#define WARPSTEP_RANDOM_DRAW_H

#include "kernel.h"
#include "rng.h"

enum {
    TABLE_ROWS_MAX = 2048,
    AREGS = 4,
    NO_ADDRESS = 0,
    /* Registers that drawn instructions never write: R1 .. R11. */
    REG_WARP_BASE = 1, /* global address of the warp's own bytes */
    REG_LANE_BASE = 2, /* REG_WARP_BASE plus 4 times the lane */
    REG_SCRATCH = 3,
    REG_THREAD = 4,  /* linear thread number in the block */
    REG_COUNTER = 5, /* R5 .. R10: loop counters */
    REG_SLICE = 11,  /* shared address of the warp's own bytes */
    REG_FREE = 12,
    REGS_LEAST = REG_FREE + 3, /* of any kernel */
    COUNTERS = REG_SLICE - REG_COUNTER,
    SLICE_BYTES = 256,
    AREG_LIMIT = 128, /* an A register is below it, or below it relative to the slice's first byte */
    WARP_BYTES = 1024,
    ATOMICS_BASE = 1024, /* end of the global memory for atomics of all warps */
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
    MASK_EXCHANGE, /* for an address in all of shared memory, with AREG_LIMIT bytes after it */
    CONST_MASKS
};

/* Parts of the prologue that a declared machine can execute; ours executes all. See setup.c. */
struct ability {
    bool grid;       /* distinguish blocks */
    bool warps;      /* distinguish the warps of a block */
    bool shared;     /* fill shared memory */
    bool dimensions; /* distinguish threads in blocks with more than one dimension */
    bool memory;     /* hold addresses of global memory */
    bool aregs;      /* set A registers */
    bool faults;     /* make addresses that are wrong in some lanes */
};

/* The rows that the machine executes, by their drawing function. */
struct table {
    const struct declared *declared; /* the declared machine; NULL: our own, which has everything */
    unsigned wide, dividers;         /* its units of sm_10x */
    struct ability can;
    size_t plain, memory; /* how many */
    uint16_t plain_row[TABLE_ROWS_MAX];
    enum isa_op plain_op[TABLE_ROWS_MAX];
    uint16_t memory_row[TABLE_ROWS_MAX];
};

/* An A register points into the warp's slice of shared memory, or is an index for constants and local memory. */
struct areg_rule {
    bool shared;
    unsigned unit; /* a multiple of 1, 2 or 4 (relative to the slice's first byte) */
};

struct rules {
    const struct table *table;
    unsigned regs;          /* registers of a thread */
    uint32_t shared_read;   /* bytes of shared memory that are read only */
    uint32_t shared_own;    /* any warp may write up to here, if alone or if races are wanted; else 0 */
    uint32_t shared_bytes;  /* shared memory of a block */
    uint32_t local_bytes;   /* of a thread, all written before it is read */
    struct machine machine; /* with atomics and sm_10x as the kernel needs them */
    bool undefined;         /* registers and memories may be read before they are written */
    bool clocked;           /* S2R may read the clock and the warp's place */
    uint16_t arrive_only;   /* barriers, by bit, at which no warp waits */
    bool alone;             /* one warp: its slice of shared memory has a known place */
    uint32_t const_bytes;   /* of a constant bank, CONST_BYTES at most */
    uint8_t banks[4]; /* constant banks of this size; [1] has the masks, and the first two are 0 and 1 if they exist */
    uint32_t mask[CONST_MASKS];
    unsigned guard_percent;           /* percentage of instructions with a guard */
    struct areg_rule areg[AREGS + 1]; /* [0] is unused */
};

/* rules.c */
void table_find(struct table *t);
void table_extend(struct table *t, unsigned wide, unsigned dividers); /* with those of sm_10x: cmodel/machine.h */
void table_restrict(struct table *t, const struct declared *machine); /* restricted to the rows of the declared machine;
                                                                       * keeps the pointer */
void rules_draw(struct rules *r, struct kernel *k, const struct table *t, struct rng *rng); /* also draws the launch of
                                                                                             * k */
void rules_draw_data(const struct rules *r, struct kernel *k, struct rng *rng);
void rules_probe(struct rules *r, struct kernel *k, const struct table *t); /* for setup_find: draws nothing */

/* setup.c: adds the prologue that establishes the rules. */
void setup_add(const struct rules *r, struct kernel *k, struct rng *rng);

/* setup.c: finds the parts of the prologue that a declared machine can execute, with the rows of the table. False if
 * out of memory. */
bool setup_find(const struct table *t, struct ability *can);

/* Adds one drawn instruction (a pair, if it is a half one) and the repairs of A registers after it. */
void draw_instruction(const struct rules *r, struct rng *rng, struct kernel *k);

/* Adds one drawn long instruction with the marker, at the label (or NO_LABEL), which is placed there. */
void draw_marked(const struct rules *r, struct rng *rng, struct kernel *k, enum isa_marker marker, int label);

/* draw_memory.c: adds a global or local load or store, or an atomic operation, with the instructions that make its
 * address. */
void draw_memory(const struct rules *r, struct rng *rng, struct kernel *k);

/* draw_memory.c: draws an access that may be anywhere, alone: its address is in REG_LANE_BASE. False if a declared
 * machine seems to have none. */
bool draw_lane_access(const struct rules *r, struct rng *rng, enum isa_marker marker, struct isa_insn *insn);

/* draw_memory.c: draws an access to global memory of at least this number of bytes, its address in REG_SCRATCH. */
bool draw_global_access(const struct rules *r, struct rng *rng, unsigned least_bytes, struct isa_insn *insn);

/* draw_barrier.c: adds barriers, or reads of other warps' stores between two barriers, in a place that all warps reach
 * with all their remaining threads. */
void draw_barrier(const struct rules *r, struct rng *rng, struct kernel *k);

/* draw_wild.c: adds any instruction except jumps, with any field values: it may trap, or destroy state that the kernel
 * relies on. */
void draw_wild(const struct rules *r, struct rng *rng, struct kernel *k);

/* draw_trap.c: adds instructions that trap with k->trap, possibly not in all lanes or warps, and not in all places. */
void draw_trap(const struct rules *r, struct rng *rng, struct kernel *k);

/* Guard text for kernel_add, "" or " (C0.NE)"; buffer of at least 24 bytes. */
const char *draw_guard(const struct rules *r, struct rng *rng, char buffer[24]);

/* A register number that may be written. */
unsigned draw_register(const struct rules *r, struct rng *rng);

/* An A register with this use, or 0. */
unsigned draw_areg(const struct rules *r, struct rng *rng, bool shared, unsigned unit);

/* A value for a field of the row, half of the time within the rules. */
uint32_t draw_field(const struct rules *r, struct rng *rng, size_t row, enum isa_field name);

/* Draws all fields of a row and decodes it; false if the word is not legal. A global access has the address register
 * `address`, or NO_ADDRESS. */
bool draw_word(const struct rules *r, struct rng *rng, size_t row, enum isa_marker marker, unsigned address,
               struct isa_insn *insn);

/* Makes A[areg] satisfy the rules, from any value; nothing if areg is 0. */
void draw_repair(const struct rules *r, struct kernel *k, unsigned areg);

/* The trap of the words themselves at an 8-byte boundary, or none. */
enum trap words_trap(uint32_t lo, uint32_t hi, const struct machine *machine);

#endif
