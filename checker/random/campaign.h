/* SPDX-License-Identifier: Apache-2.0 */
/* Many kernels, one seed after the other, several at a time; what fails is shrunk and written down. */
#ifndef WARPSTEP_RANDOM_CAMPAIGN_H
#define WARPSTEP_RANDOM_CAMPAIGN_H

#include "trial.h"

enum { CAMPAIGN_TRIALS = 24, CAMPAIGN_WAIVERS = 16 };

/* What trials that keep going have found, each once. */
struct campaign_finding {
    struct symptom symptom;
    uint64_t seed, kernels; /* the first, and how many */
};

struct campaign {
    uint64_t seed, count; /* the first, and how many */
    unsigned seconds;     /* no more kernels are started then; 0: no limit */
    unsigned jobs;
    unsigned failures;       /* the search ends with so many */
    bool shrink;             /* what fails */
    unsigned shrink_seconds; /* most of them for one failure; the best so far is kept */
    const char *machine;     /* file of the declared machine, for the commands that repeat a failure; NULL: none */
    unsigned waiver_files;
    const char *waiver_file[CAMPAIGN_WAIVERS]; /* for the same commands; the trials have what they say */
    const char *out;                           /* directory for what fails, made when needed */
    unsigned trials;                           /* kernels take them in turn, by their seeds */
    struct trial trial[CAMPAIGN_TRIALS];
    struct make_options make;
};

struct campaign_result {
    uint64_t kernels, compared, cycles;
    unsigned failures; /* kernels that fail; of trials that keep going, different findings and other failures */
    unsigned findings;
    struct campaign_finding finding[FINDINGS_MOST];
    double seconds;
    uint64_t next; /* the least seed that was not run to its end */
};

/* Runs it, to its end or until a signal comes that is held (stop.h); says on stdout what failed. */
void campaign_run(const struct campaign *c, struct campaign_result *result);

/* failure.c: shrinks the kernel of a seed, writes it and how to repeat it, and says so on stdout. `target` is what of
 * the result stays in it, NULL where nothing of it has an operation and a field. */
void failure_investigate(const struct campaign *c, const struct trial *t, uint64_t seed,
                         const struct trial_result *result, const struct symptom *target);

#endif
