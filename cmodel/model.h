/* SPDX-License-Identifier: Apache-2.0 */
/* The C golden model: an executable specification of the machine. One step is one warp instruction: fetch, decode,
 * read, execute, write. It keeps no globals (a process may hold many models), never prints and never exits. load.c
 * creates and launches, execute.c steps, peek.c shows state; run/own.c and run/follow.c pick the warp.
 *
 *     struct machine machine = MACHINE_DEFAULT;
 *     struct model *m = model_create(&machine);
 *     model_launch(m, image, &d);
 *     struct retire r;
 *     while (model_run_step(m, &r) == MODEL_RETIRED) ...;      // own scheduling: warp-run
 *
 * In lockstep each record of the RTL drives a step:
 *
 *     model_step_follow(m, &rtl, &r);                          // step that warp, adopt undefined values from the RTL
 *     ... compare rtl and r ...
 */
#ifndef WARPSTEP_MODEL_H
#define WARPSTEP_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../assembler/base/linkage.h"
#include "../assembler/image/image.h"
#include "machine.h"
#include "retire.h"

C_LINKAGE_BEGIN

struct model;

enum model_result {
    MODEL_RETIRED, /* one warp instruction executed, *out is its record */
    MODEL_DONE,    /* every block of the grid has finished */
    MODEL_TRAPPED, /* a trap has stopped the grid, or in lockstep this SM (the step that trapped returned its record) */
    MODEL_STUCK,   /* no remaining warp makes progress: each waits at a barrier, or loops for ever */
    MODEL_REFUSED, /* lockstep: the step is impossible, model_why gives the reason; nothing changed */
};

struct model *model_create(const struct machine *machine); /* NULL if out of memory */
void model_destroy(struct model *m);

/* Loads code, constants, global memory and parameters and starts the grid. The image must fit the machine (launch_check
 * of run/launch.h); it is only read during the call. A second call starts afresh. */
enum status model_launch(struct model *m, const struct image *image, struct diag *d);

/* Like model_launch, but global memory keeps its contents: the image's initial memory is ignored. Zero after
 * model_create. */
enum status model_relaunch(struct model *m, const struct image *image, struct diag *d);

/* Executes one warp instruction of a warp that the model's own scheduler picks: blocks go in order to the first SM with
 * room, warps take turns. `out` may be NULL (faster). */
enum model_result model_run_step(struct model *m, struct retire *out);

/* Runs up to `limit` warp instructions by the model's own scheduling and stores their number in *steps. MODEL_RETIRED:
 * limit reached. */
enum model_result model_run(struct model *m, uint64_t limit, uint64_t *steps);

/* Executes one instruction of the warp that `rtl` names by its sm, slot, block and warp. A new block is placed as the
 * RTL placed it; the model refuses (MODEL_REFUSED) a block outside the grid, a block twice, an occupied slot, resources
 * beyond the machine's, a warp that waits at a barrier or has finished. If the instruction consumes an undefined value
 * in a lane, that lane's results (values, flags, addresses, data, guard) are taken from `rtl`. */
enum model_result model_step_follow(struct model *m, const struct retire *rtl, struct retire *out);
const char *model_why(const struct model *m);

/* From now on each step keeps the state that it changes, so that model_amend can change it; this takes time. False if
 * out of memory. */
bool model_keep_steps(struct model *m);

/* Replaces the effects of the last step in lockstep, whose record is *done, by those of *wanted: registers, flags, A
 * registers, stores, next pc and mask, state and trap. The other fields have no state of their own. The stack loses
 * entries that *wanted has not pushed, and regains those that it has not popped; entries that *wanted pushed itself are
 * in no record, and the stack stays as it is. A warp that waits at a barrier in *wanted alone is left ready. Lanes that
 * store outside a memory store nothing, and the result is false. */
bool model_amend(struct model *m, const struct retire *done, const struct retire *wanted);

/* The last step is final: a finished warp leaves its block. The next step implies this. */
void model_settle(struct model *m);

/* Before a step: a ready warp continues at another pc, with other lanes. */
void model_redirect(struct model *m, unsigned sm, unsigned slot, uint32_t pc, uint32_t active);

/* By the model's own scheduling: true if every block of the grid has been placed on an SM. */
bool model_has_placed_all(const struct model *m);

/* True if all blocks finished or a trap stopped the grid; lockstep checks it at the end. */
bool model_finished(const struct model *m);

/* True if the remaining warps loop for ever or wait at barriers. In lockstep this holds only while no memory was
 * changed from outside and no step was amended. */
bool model_is_hung(const struct model *m);

/* Discards the state of the loop detectors of single warps, which start anew. */
void model_forget_loops(struct model *m);

struct model_counts {
    uint64_t warp_instructions;
    uint64_t thread_instructions; /* active lanes, summed */
    uint64_t executed_threads;    /* of these, lanes with a true guard */
    uint64_t undefined_reads;     /* lane reads of undefined values, see model_undefined */
    uint64_t adopted;             /* lane values adopted from the RTL */
    uint64_t clock_reads;         /* instructions that read the clock, which belongs to the RTL */
    uint64_t atomics, places;     /* atomic operations; instructions that read SM and slot of their warp */
};
void model_get_counts(const struct model *m, struct model_counts *counts);

/* The places of undefined reads by executing lanes, one entry a pc, in order of first occurrence. */
struct model_undefined {
    uint32_t pc;
    char what[24]; /* "R5", "C0", "A1", "shared 0x24", "local 0x8" */
    uint8_t sm, slot, lane;
};
size_t model_undefined_count(const struct model *m);
const struct model_undefined *model_undefined_at(const struct model *m, size_t i);

/* After a launch: detects races until the next launch (watch/racecheck.h defines them), which takes time. False if out
 * of memory. */
bool model_check_races(struct model *m);

enum model_access_kind { MODEL_LOAD, MODEL_STORE, MODEL_ATOMIC };
struct model_racer {
    enum model_access_kind kind;
    uint32_t pc;
    uint16_t block_x, block_y;
    uint8_t warp, lane;
};

/* Two instructions whose accesses raced: the first two such accesses of a byte, and the number of others. */
struct model_race {
    struct model_racer first, second;
    bool shared;   /* in a block's shared memory, else in global memory */
    bool lanes;    /* two lanes of one store, with different values */
    uint32_t addr; /* byte */
    uint64_t count;
};

/* In order of first occurrence; NULL and 0 if none was found or no detection is on. */
const struct model_race *model_races(const struct model *m, size_t *count);

/* Out of memory: races may be missing. */
bool model_races_failed(const struct model *m);

/* The fields of a record that the instruction word alone determines: dst_kind, dst_reg, c_reg, a_reg, mem_kind and
 * mem_bytes, all 0 if the word itself traps. Other members of *r are unchanged. */
void model_describe(const struct model *m, uint32_t pc, uint32_t word_lo, uint32_t word_hi, struct retire *r);

/* State of one warp slot, for reports. */
struct model_warp {
    bool present;
    uint16_t block_x, block_y;
    uint8_t warp;
    uint32_t pc, active, alive;
    unsigned depth;
    enum retire_state state;
    uint8_t barrier; /* barrier id, in state RETIRE_BARRIER */
    bool repeats;    /* it loops for ever, see watch/loops.h */
    uint64_t steps;  /* instructions that it has executed */
};
void model_peek_warp(const struct model *m, unsigned sm, unsigned slot, struct model_warp *warp);

enum model_token { TOKEN_SYNC, TOKEN_DIVERGE, TOKEN_CALL, TOKEN_BREAK };
struct model_stack_entry {
    enum model_token token;
    uint32_t mask, pc;
};
/* Entry i (0 is the bottom) of a warp's stack. */
struct model_stack_entry model_peek_stack(const struct model *m, unsigned sm, unsigned slot, unsigned i);

/* Reads state; lanes and registers beyond the launch read 0. */
uint32_t model_peek_reg(const struct model *m, unsigned sm, unsigned slot, unsigned lane, unsigned reg);
uint16_t model_peek_areg(const struct model *m, unsigned sm, unsigned slot, unsigned lane, unsigned areg);
uint8_t model_peek_creg(const struct model *m, unsigned sm, unsigned slot, unsigned lane, unsigned creg);
void model_poke_reg(struct model *m, unsigned sm, unsigned slot, unsigned lane, unsigned reg, uint32_t value);
void model_poke_creg(struct model *m, unsigned sm, unsigned slot, unsigned lane, unsigned creg, uint8_t nibble);

/* Whole global memory (machine.global_bytes), and one block's shared memory (by the SM and a warp slot of that
 * block). */
uint8_t *model_global(struct model *m);
uint8_t *model_shared(struct model *m, unsigned sm, unsigned slot);

/* The local memory of one thread, with the launch's local bytes; NULL: no warp there. */
uint8_t *model_local(struct model *m, unsigned sm, unsigned slot, unsigned lane);

/* The pages of global memory that the launch has stored to so far: page numbers in units of MODEL_PAGE_BYTES, each
 * once, valid until the next step. SIZE_MAX: out of memory, any page may have changed. */
enum { MODEL_PAGE_BYTES = 4096 };
size_t model_stored_pages(const struct model *m, const uint32_t **pages);

/* A copy of one warp slot, for use after the warp has moved on. Entries beyond `registers` and `depth` are stale. */
enum { MODEL_AREGS = 5, MODEL_CREGS = 4, MODEL_SAVED_STACK = 128 };
struct model_saved {
    struct model_warp warp;             /* not present: no warp yet, and the other members are undefined */
    uint32_t parked_call, parked_break; /* threads that wait on a CALL, a BREAK entry */
    struct model_stack_entry stack[MODEL_SAVED_STACK]; /* 0 is the bottom; only the first entries of a deeper stack */
    unsigned registers;                                /* registers of a thread */
    uint32_t reg[128][WARP_LANES], areg[MODEL_AREGS][WARP_LANES];
    uint32_t creg[MODEL_CREGS][4]; /* bit L of the masks Z, S, C, O: that flag of lane L */
    /* Lanes that have written the low and the high half of a register; an A register; a C register. */
    uint32_t half_defined[128][2], areg_defined[MODEL_AREGS], creg_defined[MODEL_CREGS];
    /* The memories themselves, valid until another block replaces them; definedness: bit i % 32 of word i / 32 is byte
     * i. NULL: no warp there. */
    uint8_t *shared, *local[WARP_LANES];
    const uint32_t *shared_defined, *local_defined[WARP_LANES];
};
void model_save_warp(const struct model *m, unsigned sm, unsigned slot, struct model_saved *saved);

/* The memory access that raised a trap. */
struct model_access {
    enum trap trap;
    uint32_t lanes; /* lanes whose accesses raised this trap; 0: none known */
    uint32_t addr;  /* address of the lowest of these lanes */
    uint32_t bytes; /* size of the access */
    uint32_t limit; /* end of the memory */
};

/* The first trap, which stopped the grid: code, sm, slot, pc. In the model the instruction has had no effect; the RTL
 * may have executed part of it. */
struct model_trap {
    enum trap code;
    unsigned sm, slot;
    uint32_t pc, word_lo, word_hi;
    uint32_t exec;           /* lanes that executed it, or may have if the guard is undefined */
    uint32_t undefined_addr; /* of these, the lanes whose memory address is undefined */
    struct model_access access;
};
struct model_trap model_get_trap(const struct model *m);

/* The trap that stopped one SM. In lockstep, while an SM stops, the others still finish their issued instructions
 * (model_step_follow takes their records), which may trap too. */
struct model_trap model_get_sm_trap(const struct model *m, unsigned sm);
const char *trap_name(enum trap code); /* "undefined instruction", ... */

C_LINKAGE_END

#endif
