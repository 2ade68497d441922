/* SPDX-License-Identifier: Apache-2.0 */
/* Small launches made from instruction texts, for the tests of the checker. */
#ifndef WARPSTEP_TEST_KERNEL_H
#define WARPSTEP_TEST_KERNEL_H

#include "../../cmodel/run/launch.h"

/* A launch of the given instructions, NULL-terminated; the test fails if it does not fit the machine. Release with
 * kernel_release. */
struct launch kernel_make(const char *const *texts, unsigned grid_x, unsigned block_x, const struct machine *machine);
void kernel_release(struct launch *run);

/* Loads, computes, sets flags, stores under a guard, uses shared memory and a barrier, reads a constant. */
extern const char *const KERNEL_MIXED[];
extern const char *const KERNEL_WIDE[];  /* loads and stores of 64 and 128 bits */
extern const char *const KERNEL_TRAP[];  /* lane 1 stores to a misaligned address */
extern const char *const KERNEL_STUCK[]; /* two warps wait at different barriers */
extern const char *const KERNEL_LOOP[];  /* never ends */

#endif
