/* SPDX-License-Identifier: Apache-2.0 */
/* Long runs show life, and end well when they are interrupted. Where stderr is a terminal, a line on it says once a
 * second how far the run is and how fast; it is gone at the end. Ctrl-C, SIGTERM, SIGHUP or SIGQUIT end the run at the
 * next question (stop.h); the next of them ends the process. A run that begins anew counts anew.
 *
 *     struct progress p;
 *     progress_start(&p, "cycles");
 *     while (more && progress_go_on(&p, cycles)) ...;
 *     progress_end(&p);
 */
#ifndef WARPSTEP_PROGRESS_H
#define WARPSTEP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { PROGRESS_INTERRUPTED = 130 /* exit code, as shells have it for SIGINT */ };

struct progress {
    const char *unit;
    bool terminal, shown;
    struct timespec at;    /* the line was written, or the run began */
    uint64_t count;        /* as it was then */
    uint64_t instructions; /* warp instructions so far, for the line; 0: it does not say them */
};

void progress_start(struct progress *p, const char *unit);

/* Without the line. */
void progress_start_quietly(struct progress *p);

/* False when the run is to end. `count` is of the unit, so far. */
bool progress_go_on(struct progress *p, uint64_t count);

/* Takes the line away. */
void progress_end(struct progress *p);

#endif
