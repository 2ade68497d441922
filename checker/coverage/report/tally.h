/* SPDX-License-Identifier: Apache-2.0 */
/* The coverage of all runs in a directory together, compared with the existing bins and the list of unreachable ones.
 *
 *     struct tally t;
 *     if (tally_read(&t, "build/coverage/runs", &d) == STATUS_OK &&
 *         tally_exclude(&t, "unreachable.txt", &d) == STATUS_OK)
 *         printf("%u of %u\n", t.all.rtl, t.all.reachable);
 *     tally_release(&t);
 */
#ifndef WARPSTEP_COVERAGE_TALLY_H
#define WARPSTEP_COVERAGE_TALLY_H

#include "../runfile.h"

struct seen {
    uint32_t runs[SIDES]; /* runs that covered the bin */
    uint32_t first;       /* the first of them, by name; an RTL run if any */
    uint16_t reason;      /* 1 + index of the pattern that marks it unreachable, 0: none */
};

/* A line of the list of unreachable bins. */
struct reason {
    char pattern[96];
    char *text;
    uint32_t bins; /* bins that it matches */
};

struct sum {
    uint32_t bins, unreachable, reachable; /* reachable = bins - unreachable */
    uint32_t model, rtl, both;             /* covered reachable bins */
};

struct tally {
    struct space *space;
    struct seen *seen; /* by bin */
    char **tests;      /* names of the runs, sorted */
    size_t test_count;
    struct reason *reasons;
    size_t reason_count;
    struct sum section[SECTION_COUNT], all;
};

enum status tally_read(struct tally *t, const char *directory, struct diag *d);

/* Reads the list, "PATTERN REASON" a line with '#' comments, and updates the sums. In a pattern * and ? stop at '/'. */
enum status tally_exclude(struct tally *t, const char *path, struct diag *d);
void tally_release(struct tally *t);

/* Percentage of reachable bins that both RTL and model have covered; 100 if there are none. */
double sum_percent(const struct sum *s);

#endif
