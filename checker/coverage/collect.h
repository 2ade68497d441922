/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of one side, RTL or model: receives its retire records in order and marks bins. Each part of the collector
 * covers one aspect and keeps its own state of the warps:
 *
 *     collect.c   the instruction itself: options, operands, guard, flags, mask, trap
 *     hazards.c   its dependences on the previous instructions of the warp
 *     tokens.c    its effect on the stack
 *     arrivals.c  barriers
 *     accesses.c  shared and global memory
 *     values.c    the kinds of numbers in floating-point operations
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
