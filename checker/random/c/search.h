/* SPDX-License-Identifier: Apache-2.0 */
/* Many random programs in C: warp-fuzz --c. */
#ifndef WARPSTEP_RANDOM_C_SEARCH_H
#define WARPSTEP_RANDOM_C_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

struct c_search {
    uint64_t seed, count;
    unsigned jobs, failures; /* programs at a time; failures that end the search */
    unsigned seconds;        /* starts no more programs after them; 0: no limit */
    bool shrink;
    unsigned shrink_seconds;
    const char *out; /* folder for failing programs */
    bool races;      /* checks for races */
    const char *sim; /* --sim, or NULL: the model alone */
    unsigned cores;  /* in lockstep */
};

/* Exit code: 0 none failed, 1 some did, 2 a tool or file is missing, 130 etc.: a signal. */
int c_search(const struct c_search *s);

/* Writes the programs to stdout. Exit code. */
int c_print(const struct c_search *s);

#endif
