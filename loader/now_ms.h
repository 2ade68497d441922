/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPSTEP_NOW_MS_H
#define WARPSTEP_NOW_MS_H

#include <time.h>

/* Milliseconds since some fixed time during the run of the program. */
static inline long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

#endif
