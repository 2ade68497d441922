/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to global memory outside all buffers of a launch. Memory itself traps only at its end.
 *
 *     model_launch(m, image, &d);
 *     if (!model_check_bounds(m, pieces, count)) return STATUS_NO_MEMORY;
 *     model_run(m, UINT64_MAX, &steps);
 *     for (size_t i = 0; i < model_stray_count(m); i++) report(model_stray_at(m, i));
 */
#ifndef WARPSTEP_MODEL_BOUNDS_H
#define WARPSTEP_MODEL_BOUNDS_H

#include "model.h"

C_LINKAGE_BEGIN

/* Bytes of global memory that the launch gives a meaning. */
struct model_piece {
    uint32_t addr, bytes;
};

/* After a launch, and after model_check_races: from now on, until the next launch, notes accesses that are not wholly
 * in one of the pieces, which are copied. False if out of memory. */
bool model_check_bounds(struct model *m, const struct model_piece *pieces, size_t count);

/* An instruction that strays: its first such access, and how many lanes did in all. */
struct model_stray {
    struct model_racer by;
    uint32_t addr, bytes;
    uint64_t count;
};

/* In order of first occurrence; 0 if none strayed or nothing is checked. */
size_t model_stray_count(const struct model *m);
const struct model_stray *model_stray_at(const struct model *m, size_t i);

C_LINKAGE_END

#endif
