/* SPDX-License-Identifier: Apache-2.0 */
/* Runs many kernels, one seed after the other, several at a time; shrinks and records failures. */
#ifndef WARPSTEP_RANDOM_CAMPAIGN_H
#define WARPSTEP_RANDOM_CAMPAIGN_H

#include "trial.h"

enum { CAMPAIGN_TRIALS = 24, CAMPAIGN_WAIVERS = 16 };

/* Findings of trials that keep going, each once. */
struct campaign_finding {
    struct symptom symptom;
    uint64_t seed, kernels; /* the first seed, and the number of kernels */
};

struct campaign {
    uint64_t seed, count; /* the first seed, and the number */
    unsigned seconds;     /* no more kernels start after this time; 0: no limit */
    unsigned jobs;
    unsigned failures;       /* the search ends after this number */
    bool shrink;             /* what fails */
    unsigned shrink_seconds; /* limit of shrinking one failure; the best kernel so far is kept */
    const char *machine;     /* file of the declared machine, for the commands that repeat a failure; NULL: none */
    unsigned waiver_files;
    const char *waiver_file[CAMPAIGN_WAIVERS]; /* for the same commands; the trials hold their contents */
    const char *out;                           /* directory for failures, made on first use */
    unsigned trials;                           /* kernels use them in turn, by seed */
    struct trial trial[CAMPAIGN_TRIALS];
    struct make_options make;
};

struct campaign_result {
    uint64_t kernels, compared, cycles;
    unsigned failures; /* failing kernels; for trials that keep going, distinct findings and other failures */
    unsigned findings;
    struct campaign_finding finding[FINDINGS_MOST];
    double seconds;
    uint64_t next; /* the least seed that was not completed */
};

/* Runs it to its end, or until a held signal arrives (stop.h); reports failures on stdout. */
void campaign_run(const struct campaign *c, struct campaign_result *result);

/* failure.c: shrinks the kernel of a seed, writes it with the command that repeats it, and reports it on stdout.
 * `target` is the difference that must stay, NULL if no difference has an operation and a field. */
void failure_investigate(const struct campaign *c, const struct trial *t, uint64_t seed,
                         const struct trial_result *result, const struct symptom *target);

#endif
