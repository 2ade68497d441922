/* SPDX-License-Identifier: Apache-2.0 */
/* One number for all records of a run, with every field and cycle, in order: two simulations with the same number have,
 * but for one chance in 2^64, retired the same instructions with the same results in the same cycles.
 *
 *     uint64_t digest = DIGEST_EMPTY;
 *     for each record: digest = digest_record(digest, &record);
 */
#ifndef WARPSTEP_DIGEST_H
#define WARPSTEP_DIGEST_H

#include <stdint.h>

#include "../../cmodel/retire.h"

#define DIGEST_EMPTY UINT64_C(0xcbf29ce484222325)

uint64_t digest_record(uint64_t digest, const struct retire *record);

#endif
