/* SPDX-License-Identifier: Apache-2.0 */
/* One kernel on RTL and model in lockstep, in a process of its own: whatever happens there becomes a verdict.
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
    VERDICT_HANG,      /* the RTL stops retiring, or never ends */
    VERDICT_TRAP,      /* a trap that is not the kernel's own, or none where there must be one */
    VERDICT_CYCLES,    /* two runs take different times */
    VERDICT_RECORDS,   /* two runs retire different records */
    VERDICT_BEFORE,    /* what is launched first does not end */
    VERDICT_GENERATOR, /* the kernel is not what it says: found by the model alone */
    VERDICT_CRASH,     /* the process died */
    VERDICT_TIMEOUT,   /* the process took too long */
};

const char *verdict_name(enum verdict verdict); /* "mismatch" */

enum { TRIAL_SIMS = 2, TRIAL_TEXT = 640 };

struct trial {
    const char *sim[TRIAL_SIMS]; /* one, or two to compare */
    unsigned sims, cores, sms;
    struct sim_bus bus;
    struct waivers *waivers; /* what may differ; NULL: nothing */
    unsigned keep_going;     /* findings of a kernel that are collected; 0: the first one ends it */
    bool after;              /* runs once more, launched without a reset after another kernel: nothing must differ */
    struct sim_library lib[TRIAL_SIMS];
    const struct table *table;
    const struct make_options *make;
    unsigned seconds; /* most processor time for one kernel */
    unsigned wall;    /* most seconds by the clock on the wall; 0: some times as many as of processor time */
};

struct trial_result {
    enum verdict verdict;
    char text[TRIAL_TEXT]; /* what was found, in a line */
    struct symptoms symptoms;
    uint64_t compared, cycles;
    uint64_t digest; /* of the records; 0 where some of them depend on what the launch leaves undefined: the cycles of
                        two simulations, which begin with other contents, are not compared then */
};

/* Opens the simulations that the trial names. */
enum status trial_open(struct trial *t, struct diag *d);

/* Runs the kernel in this process; a report of what was found goes to `report`, where that is not NULL. */
void trial_run_here(const struct trial *t, const struct kernel *k, struct trial_result *result, FILE *report);

/* Limits this process to the time that a kernel may take; a signal ends it then. Wall time is limited, too, but wide:
 * the machine may have other work. */
void trial_limit(const struct trial *t);

/* Starts a process that makes the kernel of a seed and runs it, or, where `k` is not NULL, runs k; what it has to say
 * can be read from *from. */
pid_t trial_start(const struct trial *t, uint64_t seed, const struct kernel *k, int *from);

/* Waits for the end of a process, reads what it said, and closes `from`. */
void trial_finish(pid_t process, int from, struct trial_result *result);

/* Both results are of one failure: the same verdict, of a process that died the same words, and what differs as in
 * symptoms_show. */
bool trial_shows(const struct trial *t, const struct trial_result *result, const struct trial_result *than,
                 const struct symptom *target);

/* Both. */
void trial_run(const struct trial *t, const struct kernel *k, struct trial_result *result);

/* Contents of what the launch leaves undefined, as --seed of warp-lockstep takes it. */
uint32_t trial_contents(const struct kernel *k);

/* Makes the kernel that is launched before one of this seed, with `after`: one of the next seed that ends, or traps.
 * `why` has JUDGE_WHY bytes (judge.h). */
bool trial_make_before(const struct trial *t, uint64_t seed, struct kernel *before, char *why);

#endif
