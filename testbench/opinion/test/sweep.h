/* SPDX-License-Identifier: Apache-2.0 */
/* Steps kernels on the model with the opinion beside it. */
#ifndef WARPSTEP_TEST_SWEEP_H
#define WARPSTEP_TEST_SWEEP_H

#include "../../../cmodel/run/launch.h"
#include "../opinion.h"

/* One step that the model took; `opinion` was told before it. */
struct sweep_step {
    const char *path;
    const struct image *image;
    const struct machine *machine;
    struct opinion *opinion;
    struct model *model;
    const struct retire *expected;
};
typedef void sweep_visit(void *state, const struct sweep_step *step);

/* Runs the kernels that match a pattern of file names, each for at most `limit` warp instructions; returns how many
 * kernels there were. One of them that does not load fails the test. */
unsigned sweep_kernels(const char *pattern, unsigned limit, sweep_visit *visit, void *state);

/* The same of random kernels, those of the seeds 1 to `count`, for a machine with so many lanes that multiply words and
 * as many units that divide. */
void sweep_random(unsigned count, unsigned wide, unsigned limit, sweep_visit *visit, void *state);

#endif
