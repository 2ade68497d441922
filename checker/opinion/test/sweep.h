/* SPDX-License-Identifier: Apache-2.0 */
/* Steps kernels on the model with an opinion on each step.
 *
 *     const struct sweep sweep = {.limit = 3000, .visit = check, .state = &tally};
 *     sweep_kernels(&sweep, "kernels/apps/reduce.sass"); */
#ifndef WARPSTEP_TEST_SWEEP_H
#define WARPSTEP_TEST_SWEEP_H

#include "../../../cmodel/run/launch.h"
#include "../opinion.h"

/* One step of the model; opinion_before was called for it. */
struct sweep_step {
    const char *path;
    const struct image *image;
    const struct machine *machine;
    struct opinion *opinion;
    struct model *model;
    const struct retire *expected;
};
typedef void sweep_visit(void *state, const struct sweep_step *step);

struct sweep {
    unsigned limit; /* most warp instructions of a kernel */
    bool keeps;     /* the model keeps its steps, so that they can be amended */
    sweep_visit *visit;
    void *state;
};

/* Runs the kernels that match a pattern of file names; returns their number. A kernel that does not load fails the
 * test. */
unsigned sweep_kernels(const struct sweep *s, const char *pattern);

/* The same for random kernels, of the seeds 1 to `count`, for a machine with this number of wide multipliers and
 * dividers. */
void sweep_random(const struct sweep *s, unsigned count, unsigned wide);

/* The same for each row of the instruction table once, after instructions that write all registers. */
void sweep_rows(const struct sweep *s);

/* A machine with all units, and one such row on a machine. */
struct machine sweep_machine(void);
void sweep_row(const struct sweep *s, size_t row, const struct machine *machine);

/* The same for one kernel with the instructions `texts`, NULL after the last: 33 threads in two blocks. */
void sweep_texts(const struct sweep *s, const char *const *texts);

#endif
