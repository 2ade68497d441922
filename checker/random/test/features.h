/* SPDX-License-Identifier: Apache-2.0 */
/* The features of random kernels that docs/fuzz.md lists, and those found in given kernels.
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

/* The number of features not drawn yet; `tell` prints them. */
unsigned features_missing(const struct features *f, bool tell);

#endif
