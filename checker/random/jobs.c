/* SPDX-License-Identifier: Apache-2.0 */
#include "jobs.h"

#include <poll.h>

#include "../../assembler/base/stop.h"

enum { LOOK_MS = 200 /* between two checks of the signals: one that arrives just before poll does not end it */ };

/* Waits until one of the processes has output; false if there is none. */
static bool step(struct jobs *jobs) {
    struct pollfd files[JOBS_MOST];
    nfds_t busy = 0;
    for (unsigned i = 0; i < jobs->count; i++) {
        struct job *job = &jobs->job[i];
        if (!job->busy && jobs->wants_more(jobs->state)) job->busy = jobs->start(jobs->state, job);
        files[i] = (struct pollfd){.fd = job->busy ? job->from : -1, .events = POLLIN};
        busy += job->busy;
    }
    if (busy == 0) return jobs->wants_more(jobs->state);
    const int ready = poll(files, jobs->count, LOOK_MS);
    for (unsigned i = 0; i < jobs->count && ready > 0 && stop_signal() == 0; i++) {
        if (!jobs->job[i].busy || files[i].revents == 0) continue;
        jobs->job[i].busy = false;
        jobs->finish(jobs->state, &jobs->job[i]);
    }
    return stop_signal() == 0;
}

void jobs_run(struct jobs *jobs) {
    while (step(jobs)) {}
}
