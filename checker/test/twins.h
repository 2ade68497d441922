/* SPDX-License-Identifier: Apache-2.0 */
/* The checker and a second model in place of the RTL, stepped by the test.
 *
 *     struct twins t;
 *     twins_start(&t, KERNEL_MIXED, 2, 8);
 *     assert_true(twins_step(&t, 1, 1, 0));
 *     twins_stop(&t);
 */
#ifndef WARPSTEP_TEST_TWINS_H
#define WARPSTEP_TEST_TWINS_H

#include "../verdict/lockstep.h"

struct twins {
    struct launch run;
    struct lockstep_options options;
    struct lockstep *checker;
    struct model *rtl;
};

/* Blocks (0,0), (1,0), (0,1) and (1,1) of one warp, on SMs of this number of block slots. */
void twins_start(struct twins *t, const char *const *kernel, unsigned sms, unsigned blocks);
void twins_stop(struct twins *t);

/* The next record of the block with this number, in slot 0, with `wrong` in lane 5 of its register; returns the
 * checker's result. */
bool twins_step(const struct twins *t, unsigned sm, unsigned block, uint32_t wrong);

#endif
