/* SPDX-License-Identifier: Apache-2.0 */
/* Lockstep: compares a simulation of the RTL with the C model, warp instruction by warp instruction. A library without
 * globals that prints nothing, so that other testbenches can embed it. Two ways to use it:
 *
 * The checker drives (warp-lockstep does):
 *
 *     struct lockstep_options options = {.run = &run, .machine = MACHINE_DEFAULT, .silence = 20000};
 *     struct lockstep *l = lockstep_create(&options, &d);
 *     lockstep_run(l, api, &sim_options, &d);          // opens the simulation, runs it to its end, compares everything
 *     if (lockstep_result(l)->status != LOCKSTEP_PASS) lockstep_report(l, NULL, stdout);      // report.h
 *     lockstep_destroy(l);
 *
 * The testbench drives, and calls the checker:
 *
 *     for each record:   if (!lockstep_check(l, &record)) break;
 *     at the end:        lockstep_finish(l, SIM_DONE, NULL, NULL);
 *                        lockstep_check_memory(l, SIM_GLOBAL, bytes, size);
 *                        lockstep_check_counters(l, &counters);
 *                        lockstep_conclude(l);
 */
#ifndef WARPSTEP_LOCKSTEP_H
#define WARPSTEP_LOCKSTEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../assembler/base/linkage.h"
#include "../../cmodel/model.h"
#include "../opinion/opinion.h"
#include "../port/sim.h"
#include "../record/compare.h"
#include "../record/reported.h"
#include "finding.h"
#include "last_store.h"
#include "waive.h"

C_LINKAGE_BEGIN

struct lockstep;

enum { LOCKSTEP_HISTORY = 8 }; /* instructions kept for each warp, for the report */

enum lockstep_status {
    LOCKSTEP_RUNNING,     /* nothing wrong so far */
    LOCKSTEP_PASS,        /* both finished, everything agreed */
    LOCKSTEP_MISMATCH,    /* RTL and model differ, or the simulation failed */
    LOCKSTEP_TRAP,        /* the kernel trapped, equally in both */
    LOCKSTEP_HANG,        /* no progress; fault tells which side hangs */
    LOCKSTEP_INTERRUPTED, /* go_on returned false */
};

/* The first fault. */
enum lockstep_fault {
    FAULT_NONE,
    FAULT_FIELD,       /* a record differs from the model's */
    FAULT_REPEATED,    /* the RTL retired an instruction of a warp twice */
    FAULT_SKIPPED,     /* the RTL skipped an instruction of a warp */
    FAULT_REFUSED,     /* an impossible record: model_why */
    FAULT_EARLY,       /* the RTL reports done while the model has work left */
    FAULT_LATE,        /* a record after the grid was done or trapped */
    FAULT_TRAP,        /* the trap in the status registers differs from the model's */
    FAULT_MEMORY,      /* memories differ at the end */
    FAULT_COUNTERS,    /* the RTL's counters disagree with its records */
    FAULT_EMPTY,       /* nothing was compared */
    FAULT_SILENT,      /* the RTL retires nothing while the model could go on */
    FAULT_FAILED,      /* the simulation itself failed */
    FAULT_STUCK,       /* RTL and model both wait for ever: the kernel hangs */
    FAULT_CYCLES,      /* the kernel did not end within max_cycles */
    FAULT_FINDINGS,    /* keep_going: the run went on to its end despite differences */
    FAULT_INTERRUPTED, /* go_on returned false */
    FAULT_BEFORE,      /* the first launch did not end, by itself or within its max_cycles */
};

struct lasting;

struct lockstep_options {
    const struct launch *run;    /* must have passed launch_check, and stay valid */
    const struct launch *before; /* such a launch, too, perhaps the same; NULL: none. lockstep_run runs it first,
                                    unobserved, and no reset comes behind it */
    struct machine machine;
    uint64_t silence;        /* cycles without a record that count as a hang; 0: 20000 */
    uint64_t max_cycles;     /* of `run`; 0: no limit */
    struct waivers *waivers; /* known deviations, which count their uses; NULL: none */
    bool check_races;        /* of the kernel: model_races has them */
    unsigned keep_going;     /* number of findings to collect before the run ends; 0: none */
    bool look_ahead; /* with one SM that retires one warp instruction in a cycle at most: a run that takes long is a
                        hang where the model alone shows that it cannot end within max_cycles (outlook.h) */
    void (*observe)(void *observer, const struct retire *rtl); /* called with every agreed record; may be NULL */
    bool (*go_on)(void *observer, uint64_t cycle); /* called occasionally; false ends the run. May be NULL */
    void *observer;
    struct lasting *lasting; /* global memory that lasts over launches, for lasting_run (lasting.h); NULL: it is the
                                launch's */
};

struct lockstep_memory_diff {
    enum sim_memory memory;
    uint32_t first, count;            /* first differing byte, and number of differing bytes */
    uint8_t expected[16], actual[16]; /* bytes from `first` on, `shown` of them */
    unsigned shown;
};

struct lockstep_result {
    enum lockstep_status status;
    enum lockstep_fault fault;
    char text[320];           /* the fault in one line */
    uint64_t compared;        /* agreed records, except amended ones */
    uint64_t digest;          /* digest of all records of the RTL, see digest.h */
    uint64_t raced;           /* lane values of loads decided by races between SMs, see race.h */
    struct reported reported; /* the compared fields */
    uint64_t amended;         /* records in which the model took the RTL's side, by waivers or findings */
    const struct lockstep_findings *findings; /* NULL if none are collected */
    uint64_t cycle;                           /* of the last record, or of the end of the run */
    uint64_t last_record_cycle;               /* of the last record received */
    struct retire expected, actual;           /* FIELD, REPEATED, SKIPPED; only actual: REFUSED, LATE */
    struct compare_result differences;
    enum opinion_side opinion;      /* FIELD: the side that is right, by the rules of docs/isa.md, see opinion.h */
    struct opinion_operand operand; /* if it is the model: the operand that explains the RTL's result */
    struct lockstep_memory_diff memory;
    struct last_store last_store; /* result of lockstep_record_wave */
    bool has_counters;
    struct sim_counters counters;
    const char *sim_name;
    uint8_t *global; /* the RTL's global memory at the end, machine.global_bytes; NULL if it was not read */
};

/* Creates the checker with a launched model; NULL with *d filled if out of memory. */
struct lockstep *lockstep_create(const struct lockstep_options *options, struct diag *d);
void lockstep_destroy(struct lockstep *l);

/* Opens the simulation, runs it and checks everything. sim_options.machine must be the options' machine. False with *d
 * filled if the simulation cannot be opened or loaded. */
bool lockstep_run(struct lockstep *l, const struct sim_api *api, const struct sim_options *options, struct diag *d);

/* Before the first record: fields that the records lack, and fields to be filled in, as in reported.h; each may be
 * NULL. lockstep_run queries the simulation for them. */
enum status lockstep_declare(struct lockstep *l, const char *unreported, const char *filled, struct diag *d);

/* One record of the RTL: steps the model and compares. False after any fault, now or before. */
bool lockstep_check(struct lockstep *l, const struct retire *rtl);

/* The end of the records, as an event of the simulation. `trap` is the content of the status registers for SIM_TRAPPED,
 * `why` the simulation's own message; both may be NULL. False after any fault. */
bool lockstep_finish(struct lockstep *l, enum sim_event event, const struct sim_trap *trap, const char *why);

/* A whole memory of the RTL at the end, from byte 0. Code and constants are compared as far as the launch filled them;
 * bytes that a trapping instruction would have written, and local memory, are not compared. False after any fault.
 */
bool lockstep_check_memory(struct lockstep *l, enum sim_memory memory, const uint8_t *bytes, size_t size);
size_t lockstep_memory_size(const struct lockstep *l, enum sim_memory memory); /* bytes to compare */

bool lockstep_check_counters(struct lockstep *l, const struct sim_counters *counters);

/* The last call: a run that has collected findings, without a worse fault, becomes a mismatch. False after any
 * fault. */
bool lockstep_conclude(struct lockstep *l);

/* The result so far; valid until lockstep_destroy. */
const struct lockstep_result *lockstep_result(const struct lockstep *l);
struct model *lockstep_model(const struct lockstep *l);

/* The warp of the last record before its step; NULL: unknown. */
const struct model_saved *lockstep_warp_before(const struct lockstep *l);
const struct lockstep_options *lockstep_get_options(const struct lockstep *l);

/* 0 pass, 1 the RTL differs or hangs, 3 the kernel itself trapped or hung. */
int lockstep_exit_code(const struct lockstep_result *result);
const char *lockstep_status_name(enum lockstep_status status); /* "pass", "mismatch", "trap", "hang" */

/* The last steps of the warp that a record names, newest last; returns their number (at most LOCKSTEP_HISTORY). */
struct lockstep_step {
    uint64_t cycle;
    uint32_t pc, word_lo, word_hi, active, exec;
};
unsigned lockstep_history(const struct lockstep *l, const struct retire *record, struct lockstep_step *steps);

/* Runs the launch once more, unchecked, with waves of the cycles from..to into `path`. False: `why` has the reason.
 */
bool lockstep_record_wave(struct lockstep *l, const struct sim_api *api, const struct sim_options *options,
                          uint64_t from, uint64_t to, const char *path, char *why, size_t why_size);

C_LINKAGE_END

#endif
