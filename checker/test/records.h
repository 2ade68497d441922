/* SPDX-License-Identifier: Apache-2.0 */
/* Random retire records, for tests. */
#ifndef WARPSTEP_TEST_RECORDS_H
#define WARPSTEP_TEST_RECORDS_H

#include "../../cmodel/retire.h"

/* A record with every field at random and values in the lanes of the masks; its memory access has `words` words. */
struct retire records_random(uint32_t *seed, unsigned words);

/* Fails the test if a field differs. */
void records_assert_same(const struct retire *a, const struct retire *b);

#endif
