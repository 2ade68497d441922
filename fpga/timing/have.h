// SPDX-License-Identifier: Apache-2.0
#ifndef WARPSTEP_TIMING_HAVE_H
#define WARPSTEP_TIMING_HAVE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

// Checks an allocation; out of memory, the tool reports it and ends.
static inline void *have(void *memory) {
    if (!memory) {
        perror(program_invocation_short_name);
        exit(2);
    }
    return memory;
}

#endif
