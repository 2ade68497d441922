/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line and the end by a signal, see progress.h. */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "../../assembler/base/stop.h"

void progress_start(struct progress *p, const char *unit) {
    *p = (struct progress){.unit = unit, .terminal = isatty(STDERR_FILENO) == 1};
    clock_gettime(CLOCK_MONOTONIC, &p->at);
    stop_hold();
}

void progress_start_quietly(struct progress *p) {
    progress_start(p, "");
    p->terminal = false;
}

static void show(struct progress *p, uint64_t count) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds = (double)(now.tv_sec - p->at.tv_sec) + 1e-9 * (double)(now.tv_nsec - p->at.tv_nsec);
    const bool again = count < p->count;
    if (seconds < 1 && !again) return;
    if (!again) {
        char also[64] = "";
        if (p->instructions > 0) snprintf(also, sizeof also, "%" PRIu64 " warp instructions, ", p->instructions);
        fprintf(stderr, "\r%" PRIu64 " %s, %s%.0f %s a second\033[K", count, p->unit, also,
                (double)(count - p->count) / seconds, p->unit);
        p->shown = true;
    }
    p->at = now;
    p->count = count;
}

bool progress_go_on(struct progress *p, uint64_t count) {
    if (p->terminal) show(p, count);
    return stop_signal() == 0;
}

void progress_end(struct progress *p) {
    if (p->shown) fputs("\r\033[K", stderr);
    stop_release();
}
