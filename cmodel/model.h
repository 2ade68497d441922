/* SPDX-License-Identifier: Apache-2.0 */
/* The C golden model: an executable specification of the machine. One step is one warp instruction: fetch, decode,
 * read, execute, write. It keeps no globals (many models may live in one process), never prints and never exits.
 * load.c creates and launches, execute.c steps, peek.c shows state; run/own.c and run/follow.c pick the warp.
 *
 *     struct machine machine = MACHINE_DEFAULT;
 *     struct model *m = model_create(&machine);
 *     model_launch(m, image, &d);
 *     struct retire r;
 *     while (model_run_step(m, &r) == MODEL_RETIRED) ...;      // own scheduling: warp-run
 *
 * Lockstep drives it the other way: for each record of the RTL,
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
    MODEL_RETIRED, /* one warp instruction executed, *out says what it changed */
    MODEL_DONE,    /* every block of the grid has finished */
    MODEL_TRAPPED, /* a trap has stopped the grid, following: this SM (the step that trapped returned its record) */
    MODEL_STUCK,   /* warps are left and none gets on: each waits at a barrier, or repeats itself for ever */
    MODEL_REFUSED, /* follow: this step is impossible, model_why says why in words; nothing changed */
};

struct model *model_create(const struct machine *machine); /* NULL when memory is out */
void model_destroy(struct model *m);

/* Loads code, constants, global memory and parameters and starts the grid. The image must fit the machine, as
 * launch_check of run/launch.h finds out; it is only read during the call. May be called again: the model starts
 * afresh. */
enum status model_launch(struct model *m, const struct image *image, struct diag *d);

/* The same, but global memory stays as it is: the image's pieces of it are not looked at. Zero after model_create. */
enum status model_relaunch(struct model *m, const struct image *image, struct diag *d);

/* Executes one warp instruction of a warp that the model's own scheduler picks: blocks dispatched in order to the
 * first SM with room, warps round robin. `out` may be NULL (faster). */
enum model_result model_run_step(struct model *m, struct retire *out);

/* Runs up to `limit` warp instructions by the model's own scheduling; *steps says how many. MODEL_RETIRED: limit
 * reached. */
enum model_result model_run(struct model *m, uint64_t limit, uint64_t *steps);

/* Executes one instruction of the warp that `rtl` names: its sm, slot, block and warp. A block seen for the first
 * time is placed as the RTL placed it; the model refuses (MODEL_REFUSED) a block outside the grid, a block twice, a
 * slot that is taken, resources beyond the machine's, a warp that waits at a barrier or has finished. Where the
 * instruction consumes an undefined value in a lane, that lane's results (values, flags, addresses, data, guard) are
 * taken from `rtl`. */
enum model_result model_step_follow(struct model *m, const struct retire *rtl, struct retire *out);
const char *model_why(const struct model *m);

/* From now on what a step of following changes can be amended, which takes time: each keeps what it found. False when
 * memory is out. */
bool model_keep_steps(struct model *m);

/* Gives the last step of following, whose record is *done, the effects that *wanted says instead: registers, flags, A
 * registers, stores, next pc and mask, state and trap. The other fields have no state of their own. A stack loses what
 * *wanted has not pushed, and gets back what it has not popped; what it has pushed itself no record says, and the stack
 * stays as it is. A warp that is to wait at a barrier where the model's need
 * not is left ready. Lanes that store outside a memory store nothing, and the result is false. */
bool model_amend(struct model *m, const struct retire *done, const struct retire *wanted);

/* The last step is final: a warp that finished leaves its block. The next step does the same. */
void model_settle(struct model *m);

/* Before a step: a warp that is ready goes on at another pc, with other lanes. */
void model_redirect(struct model *m, unsigned sm, unsigned slot, uint32_t pc, uint32_t active);

/* All blocks finished (or a trap stopped the grid): what lockstep asks at the end. */
bool model_finished(const struct model *m);

/* The warps that are left loop without an end, or wait at barriers. Following: as far as the memories have not been
 * changed from outside, and no step was amended. */
bool model_is_hung(const struct model *m);

/* What has been seen of loops of single warps so far no longer counts: they are to be found anew. */
void model_forget_loops(struct model *m);

struct model_counts {
    uint64_t warp_instructions;
    uint64_t thread_instructions; /* active lanes, summed */
    uint64_t executed_threads;    /* of these, guard true */
    uint64_t undefined_reads;     /* lane reads of undefined values, see model_undefined */
    uint64_t adopted;             /* lane values taken over from the RTL */
    uint64_t clock_reads;         /* instructions that read the clock, which is the RTL's */
};
void model_get_counts(const struct model *m, struct model_counts *counts);

/* The places where an executing lane read an undefined value, once per pc, in order of first occurrence. */
struct model_undefined {
    uint32_t pc;
    char what[24]; /* "R5", "C0", "A1", "shared 0x24", "local 0x8" */
    uint8_t sm, slot, lane;
};
size_t model_undefined_count(const struct model *m);
const struct model_undefined *model_undefined_at(const struct model *m, size_t i);

/* After a launch: until the next one, races are looked for (racecheck.h says what they are), which takes time. False
 * when memory is out. */
bool model_check_races(struct model *m);

enum model_access_kind { MODEL_LOAD, MODEL_STORE, MODEL_ATOMIC };
struct model_racer {
    enum model_access_kind kind;
    uint32_t pc;
    uint16_t block_x, block_y;
    uint8_t warp, lane;
};

/* Two instructions whose accesses raced: the first such two accesses of a byte, and how often others of them did. */
struct model_race {
    struct model_racer first, second;
    bool shared;   /* memory of a block, else global memory */
    bool lanes;    /* two lanes of one store, with different values */
    uint32_t addr; /* byte */
    uint64_t count;
};

/* In order of their first occurrence; NULL and 0 where none was found or nobody looks. */
const struct model_race *model_races(const struct model *m, size_t *count);

/* Memory ran out, and races may be missing. */
bool model_races_failed(const struct model *m);

/* What follows from an instruction word alone: dst_kind, dst_reg, c_reg, a_reg, mem_kind and mem_bytes of its record,
 * all 0 where the word itself traps. Other members of *r stay as they are. */
void model_describe(const struct model *m, uint32_t pc, uint32_t word_lo, uint32_t word_hi, struct retire *r);

/* State of one warp slot, for reports. */
struct model_warp {
    bool present;
    uint16_t block_x, block_y;
    uint8_t warp;
    uint32_t pc, active, alive;
    unsigned depth;
    enum retire_state state;
    uint8_t barrier; /* id waited for, when state is RETIRE_BARRIER */
    bool repeats;    /* it loops without an end, see repeat.h */
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

/* The local memory of one thread, as many bytes as the launch gives each; NULL: no warp is there. */
uint8_t *model_local(struct model *m, unsigned sm, unsigned slot, unsigned lane);

/* Pages of global memory at which the launch has stored so far: numbers of MODEL_PAGE_BYTES, each once, valid until the
 * next step. SIZE_MAX: memory ran out, it may have been any. */
enum { MODEL_PAGE_BYTES = 4096 };
size_t model_stored_pages(const struct model *m, const uint32_t **pages);

/* A copy of one warp slot, to look at when the warp has gone on. What is beyond `registers` and `depth` is stale. */
enum { MODEL_AREGS = 5, MODEL_CREGS = 4, MODEL_SAVED_STACK = 128 };
struct model_saved {
    struct model_warp warp;             /* not present: no warp is there (yet), and nothing else here means anything */
    uint32_t parked_call, parked_break; /* threads that wait on a CALL, a BREAK entry */
    struct model_stack_entry stack[MODEL_SAVED_STACK]; /* 0 is the bottom; the first ones of a deeper stack */
    unsigned registers;                                /* of a thread */
    uint32_t reg[128][WARP_LANES], areg[MODEL_AREGS][WARP_LANES];
    uint32_t creg[MODEL_CREGS][4]; /* bit L of the masks Z, S, C, O: a flag of lane L */
    /* Lanes that have written the low, the high half of a register; an A register; a C register. */
    uint32_t half_defined[128][2], areg_defined[MODEL_AREGS], creg_defined[MODEL_CREGS];
    /* The memories themselves, as they are until another block takes their place; which bytes were written: bit i % 32
     * of word i / 32 is byte i. NULL: no warp is there. */
    uint8_t *shared, *local[WARP_LANES];
    const uint32_t *shared_defined, *local_defined[WARP_LANES];
};
void model_save_warp(const struct model *m, unsigned sm, unsigned slot, struct model_saved *saved);

/* The access to memory that a trap is about. */
struct model_access {
    enum trap trap;
    uint32_t lanes; /* whose access trapped alike; 0: none is known */
    uint32_t addr;  /* of the lowest of them */
    uint32_t bytes; /* of the access */
    uint32_t limit; /* where the memory ends */
};

/* The first trap, which stopped the grid: code, sm, slot, pc. Here the instruction has had no effect; the RTL may have
 * executed part of it. */
struct model_trap {
    enum trap code;
    unsigned sm, slot;
    uint32_t pc, word_lo, word_hi;
    uint32_t exec;           /* lanes that executed it, or may have, where the guard is undefined */
    uint32_t undefined_addr; /* of these, the lanes whose address in memory is undefined */
    struct model_access access;
};
struct model_trap model_get_trap(const struct model *m);

/* The trap that stopped one SM. Lockstep: while an SM stops, the others still finish what they have issued
 * (model_step_follow takes their records), and that may trap too. */
struct model_trap model_get_sm_trap(const struct model *m, unsigned sm);
const char *trap_name(enum trap code); /* "undefined instruction", ... */

C_LINKAGE_END

#endif
