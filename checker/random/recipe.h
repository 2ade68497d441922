/* SPDX-License-Identifier: Apache-2.0 */
/* The building blocks of random kernels, each with alternatives: the first one that a declared machine can execute is
 * used. If it can execute none, nothing is added and k->lacking names the missing mnemonic (kernel.h).
 *
 *     recipe_mask(r, k, REG_SCRATCH, 20, MASK_G4);      // R3 = R20 & 0x3fc
 *     recipe_add(k, REG_SCRATCH, REG_SCRATCH, REG_WARP_BASE);
 *
 * They change REG_HELP besides their result. */
#ifndef WARPSTEP_RANDOM_RECIPE_H
#define WARPSTEP_RANDOM_RECIPE_H

#include "draw.h"

/* WAYS(k, n) { ... } runs its body with `way` 0, 1 .. n - 1, until nothing is lacking in one of them; instructions of
 * earlier ways are removed. */
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
void recipe_join(struct kernel *k, unsigned to, unsigned a, unsigned b); /* the sum of numbers that share no bit */
void recipe_shift_left(struct kernel *k, unsigned to, unsigned a, unsigned count);
void recipe_shift_right(struct kernel *k, unsigned to, unsigned a, unsigned count);
void recipe_mask(const struct rules *r, struct kernel *k, unsigned to, unsigned from, enum mask mask);

/* Zero if the register is 0. */
void recipe_flags(struct kernel *k, unsigned creg, unsigned reg);

/* Any flags that depend on the register. */
void recipe_any_flags(struct kernel *k, unsigned creg, unsigned reg);

/* Makes A[areg] satisfy the rules: from its own value, else from the thread's number, else the least legal value. */
void recipe_areg(const struct rules *r, struct kernel *k, unsigned areg);

#endif
