/* SPDX-License-Identifier: Apache-2.0 */
/* What one side, RTL or model, has covered: fed with its retire records in their order, it marks bins. Each part of the
 * collector looks at one thing and keeps what it must remember of the warps:
 *
 *     collect.c   the instruction itself: options, operands, guard, flags, mask, trap
 *     hazards.c   which of the last instructions of the warp it depends on
 *     tokens.c    what it does to the stack
 *     arrivals.c  barriers
 *     accesses.c  shared and global memory
 *     values.c    which kinds of numbers floating point works on
 *
 *     struct collector *c = collector_create(space, &setting);
 *     collector_note(c, word, record);
 *     if (collector_has(c, bin)) ...
 */
#ifndef WARPSTEP_COVERAGE_COLLECT_H
#define WARPSTEP_COVERAGE_COLLECT_H

#include "../../cmodel/retire.h"
#include "word.h"

struct setting {
    unsigned cores, sms, warps; /* of the machine; 0 cores: unknown */
    unsigned block_warps;
};

struct collector;
struct collector *collector_create(const struct space *space, const struct setting *setting);
void collector_destroy(struct collector *c);
void collector_note(struct collector *c, const struct word *word, const struct retire *r);

/* One bit a bin, space->bins of them. */
const uint64_t *collector_bits(const struct collector *c);

#endif
