/* SPDX-License-Identifier: Apache-2.0 */
/* What random kernels are built of, each in as many ways as there are: the first of them that a declared machine has.
 * Where it has none of them, nothing is added and k->lacking says what was missing (kernel.h).
 *
 *     recipe_mask(r, k, REG_SCRATCH, 20, MASK_G4);      // R3 = R20 & 0x3fc
 *     recipe_add(k, REG_SCRATCH, REG_SCRATCH, REG_WARP_BASE);
 *
 * Beside their result they change REG_HELP. */
#ifndef WARPSTEP_RANDOM_RECIPE_H
#define WARPSTEP_RANDOM_RECIPE_H

#include "draw.h"

/* WAYS(k, n) { ... } runs its body with `way` 0, 1 .. n - 1, until one of them lacks nothing; what the others have
 * added is taken away again. */
#define WAYS(k, ways)                                                                  \
    for (unsigned way = 0, done = 0; way < (ways) && !done; way++)                     \
        for (struct kernel_mark mark_ = kernel_begin(k), *once = &mark_; once != NULL; \
             done = recipe_keep(k, &mark_, way + 1 == (ways)), once = NULL)
bool recipe_keep(struct kernel *k, const struct kernel_mark *mark, bool last);

enum { REG_HELP = REG_COUNTER + 4 }; /* no loop counts there */

void recipe_set(struct kernel *k, unsigned to, uint32_t value);
void recipe_copy(struct kernel *k, unsigned to, unsigned from);
void recipe_add(struct kernel *k, unsigned to, unsigned a, unsigned b);
void recipe_add_number(struct kernel *k, unsigned to, unsigned a, uint32_t value);
void recipe_join(struct kernel *k, unsigned to, unsigned a, unsigned b); /* the sum of what has no bit in common */
void recipe_shift_left(struct kernel *k, unsigned to, unsigned a, unsigned count);
void recipe_shift_right(struct kernel *k, unsigned to, unsigned a, unsigned count);
void recipe_mask(const struct rules *r, struct kernel *k, unsigned to, unsigned from, enum mask mask);

/* Zero where the register is 0. */
void recipe_flags(struct kernel *k, unsigned creg, unsigned reg);

/* Any flags that follow from the register. */
void recipe_any_flags(struct kernel *k, unsigned creg, unsigned reg);

/* Makes A[areg] what the rules say it is: from its own value, else from the thread's number, else the least it may
 * be. */
void recipe_areg(const struct rules *r, struct kernel *k, unsigned areg);

#endif
