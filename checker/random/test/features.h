/* SPDX-License-Identifier: Apache-2.0 */
/* What docs/fuzz.md says that random kernels are made of, and what of it kernels have.
 *
 *     struct features f = {0};
 *     features_note(&f, k);
 *     assert_int_equal(features_missing(&f, true), 0);
 */
#ifndef WARPSTEP_TEST_FEATURES_H
#define WARPSTEP_TEST_FEATURES_H

#include "../kernel.h"

enum { FEATURE_COUNT = 80 };

struct features {
    bool drawn[FEATURE_COUNT];
};

void features_note(struct features *f, const struct kernel *k);

/* How many have not been drawn; `tell` prints which. */
unsigned features_missing(const struct features *f, bool tell);

#endif
