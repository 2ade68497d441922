/* SPDX-License-Identifier: Apache-2.0 */
/* One kernel on RTL and model in lockstep, in its own process: any event there becomes a verdict.
 *
 *     struct trial_result result;
 *     trial_run(&trial, k, &result);
 *     if (result.verdict != VERDICT_PASS) puts(result.text); */
#ifndef WARPSTEP_RANDOM_TRIAL_H
#define WARPSTEP_RANDOM_TRIAL_H

#include <sys/types.h>

#include "../port/sim_library.h"
#include "make.h"
#include "symptom.h"

enum verdict {
    VERDICT_PASS,
    VERDICT_MISMATCH,  /* RTL and model differ */
    VERDICT_HANG,      /* a trap that is not the kernel's own, or a missing one */
    VERDICT_TRAP,      /* a trap that is not the kernel's own, or a missing one */
    VERDICT_CYCLES,    /* the numbers of cycles of two runs differ */
    VERDICT_RECORDS,   /* the records of two runs differ */
    VERDICT_BEFORE,    /* the kernel launched first does not end */
    VERDICT_GENERATOR, /* the kernel is not what it claims: found by the model alone */
    VERDICT_CRASH,     /* the process died */
    VERDICT_TIMEOUT,   /* the process took too long */
};

const char *verdict_name(enum verdict verdict); /* "mismatch" */

enum { TRIAL_SIMS = 2, TRIAL_TEXT = 640 };

struct trial {
    const char *sim[TRIAL_SIMS]; /* one, or two to compare */
    unsigned sims, cores, sms;
    struct sim_bus bus;
    struct waivers *waivers; /* allowed differences; NULL: none */
    unsigned keep_going;     /* number of findings of a kernel to collect; 0: the first one ends it */
    bool after;              /* runs a second time, launched without a reset after another kernel: nothing may differ */
    struct sim_library lib[TRIAL_SIMS];
    const struct table *table;
    const struct make_options *make;
    unsigned seconds; /* limit of processor time for one kernel */
    unsigned wall;    /* limit of wall-clock seconds; 0: a multiple of the processor time */
};

struct trial_result {
    enum verdict verdict;
    char text[TRIAL_TEXT]; /* the result, in a line */
    struct symptoms symptoms;
    uint64_t compared, cycles;
    uint64_t digest; /* digest of the records; 0 if some of them depend on undefined initial contents: then the cycles
                      * of */
};

/* Opens the simulations that the trial names. */
enum status trial_open(struct trial *t, struct diag *d);

/* Runs the kernel in this process; a report of the result goes to `report`, unless that is NULL. */
void trial_run_here(const struct trial *t, const struct kernel *k, struct trial_result *result, FILE *report);

/* Limits this process to the time of one kernel; a signal ends it then. Wall time is limited, too, but generously: the
 * machine may be busy. */
void trial_limit(const struct trial *t);

/* Starts a process that makes the kernel of a seed and runs it, or runs k if it is not NULL; its output can be read
 * from *from. */
pid_t trial_start(const struct trial *t, uint64_t seed, const struct kernel *k, int *from);

/* Waits for the end of a process, reads its output, and closes `from`. */
void trial_finish(pid_t process, int from, struct trial_result *result);

/* True if both results show the same failure: the same verdict, for a crashed process the same text, and differences as
 * in symptoms_show. */
bool trial_shows(const struct trial *t, const struct trial_result *result, const struct trial_result *than,
                 const struct symptom *target);

/* trial_start and trial_finish. */
void trial_run(const struct trial *t, const struct kernel *k, struct trial_result *result);

/* Initial undefined contents, for --seed of warp-lockstep. */
uint32_t trial_contents(const struct kernel *k);

/* Makes the kernel that is launched before one of this seed, with `after`: one of the next seed that ends, or traps.
 * `why` has JUDGE_WHY bytes (judge.h). */
bool trial_make_before(const struct trial *t, uint64_t seed, struct kernel *before, char *why);

#endif
