/* SPDX-License-Identifier: Apache-2.0 */
/* The model's execution of a launch, one warp instruction after the other, block after block, with their hashes.
 *
 *     struct expected e;
 *     if (expected_make(&run, &machine, &e, &d) != STATUS_OK) ...
 *     expected_release(&e);
 */
#ifndef WARPSTEP_LOADER_EXPECTED_H
#define WARPSTEP_LOADER_EXPECTED_H

#include "../cmodel/model.h"
#include "../cmodel/run/launch.h"
#include "hash.h"

struct expected_step {
    uint32_t block; /* y << 16 | x */
    uint32_t warp, number;
    struct hash hash;
};

struct expected {
    struct machine machine; /* one block at a time */
    struct expected_step *steps;
    size_t count, capacity;
    size_t *blocks; /* the beginning of each block; one more entry, which is the end */
    size_t block_count;
    uint64_t undefined; /* reads of unwritten values, and */
    size_t races;       /* pairs of unordered accesses: with them a board may differ and be right */
};

/* STATUS_BAD_INPUT: the model has no definite result for a board. */
enum status expected_make(const struct launch *run, const struct machine *machine, struct expected *e, struct diag *d);
void expected_release(struct expected *e);

#endif
