/* SPDX-License-Identifier: Apache-2.0 */
/* Progress and interruption of long runs. If stderr is a terminal, a line shows once a second the progress and speed of
 * the run; it is erased at the end. Ctrl-C, SIGTERM, SIGHUP or SIGQUIT end the run at its next check (stop.h); a second
 * signal ends the process. A new run counts anew.
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

enum { PROGRESS_INTERRUPTED = 130 /* exit code, as in shells for SIGINT */ };

struct progress {
    const char *unit;
    bool terminal, shown;
    struct timespec at;    /* time of the last line, or of the start */
    uint64_t count;        /* count at that time */
    uint64_t instructions; /* warp instructions so far, for the line; 0: omitted */
};

void progress_start(struct progress *p, const char *unit);

/* Starts without the line. */
void progress_start_quietly(struct progress *p);

/* False if the run shall end. `count` is the progress in units. */
bool progress_go_on(struct progress *p, uint64_t count);

/* Erases the line. */
void progress_end(struct progress *p);

#endif
