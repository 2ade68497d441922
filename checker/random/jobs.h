/* SPDX-License-Identifier: Apache-2.0 */
/* Several processes at a time, one for each seed, until no more are wanted or a held signal arrives (stop.h). */
#ifndef WARPSTEP_RANDOM_JOBS_H
#define WARPSTEP_RANDOM_JOBS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { JOBS_MOST = 64 };

struct job {
    bool busy;
    pid_t process;
    int from; /* readable once the process has output, or ends */
    uint64_t seed;
};

struct jobs {
    unsigned count; /* at a time */
    void *state;    /* for the functions */
    bool (*wants_more)(const void *state);
    bool (*start)(void *state, struct job *job);  /* sets all members but busy; false: no process */
    void (*finish)(void *state, struct job *job); /* closes and waits */
    struct job job[JOBS_MOST];
};

/* The caller finishes the processes that a signal has left busy. */
void jobs_run(struct jobs *jobs);

#endif
