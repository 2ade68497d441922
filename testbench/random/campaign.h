/* SPDX-License-Identifier: Apache-2.0 */
/* Many kernels, one seed after the other, several at a time; what fails is shrunk and written down. */
#ifndef WARPSTEP_RANDOM_CAMPAIGN_H
#define WARPSTEP_RANDOM_CAMPAIGN_H

#include "trial.h"

enum { CAMPAIGN_TRIALS = 24, CAMPAIGN_JOBS = 64 };

struct campaign {
    uint64_t seed, count; /* the first, and how many */
    unsigned seconds;     /* no more kernels are started then; 0: no limit */
    unsigned jobs;
    unsigned failures;       /* the search ends with so many */
    bool shrink;             /* what fails */
    unsigned shrink_seconds; /* most of them for one failure; the best so far is kept */
    const char *machine;     /* file of the declared machine, for the commands that repeat a failure; NULL: none */
    const char *out;         /* directory for what fails, made when needed */
    unsigned trials;         /* kernels take them in turn, by their seeds */
    struct trial trial[CAMPAIGN_TRIALS];
    struct make_options make;
};

struct campaign_result {
    uint64_t kernels, compared, cycles;
    unsigned failures;
    double seconds;
    uint64_t next; /* the least seed that was not run to its end */
};

/* Runs it, to its end or until a signal comes that is held (stop.h); says on stdout what failed. */
void campaign_run(const struct campaign *c, struct campaign_result *result);

/* failure.c: shrinks the kernel of a seed, writes it and how to repeat it, and says so on stdout. */
void failure_investigate(const struct campaign *c, const struct trial *t, uint64_t seed,
                         const struct trial_result *result);

#endif
