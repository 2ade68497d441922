/* SPDX-License-Identifier: Apache-2.0 */
/* What all runs of a directory have covered together, against the bins that there are and the list of those that cannot
 * be reached.
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
    uint32_t runs[SIDES]; /* that covered the bin */
    uint32_t first;       /* of them, by name; of the RTL's where it has one */
    uint16_t reason;      /* 1 + index of the pattern that calls it unreachable, 0: none does */
};

/* A line of the list of what cannot be reached. */
struct reason {
    char pattern[96];
    char *text;
    uint32_t bins; /* that it matches */
};

struct sum {
    uint32_t bins, unreachable, reachable; /* reachable = bins - unreachable */
    uint32_t model, rtl, both;             /* reachable bins that were covered */
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

/* Reads the list, "PATTERN REASON" a line with '#' comments, and sums up. In a pattern * and ? stop at '/'. */
enum status tally_exclude(struct tally *t, const char *path, struct diag *d);
void tally_release(struct tally *t);

/* Percent of what is reachable that both RTL and model have covered; 100 of nothing. */
double sum_percent(const struct sum *s);

#endif
