/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of one warp instruction: fetch, guard, execute, write.
 *
 *     step_warp(m, warp, NULL, &record);      // own scheduling; in lockstep the RTL's record is the third argument
 */
#ifndef WARPSTEP_EXECUTE_H
#define WARPSTEP_EXECUTE_H

#include "state.h"

/* Executes the next instruction of a warp that is ready. Fills *out where it is not NULL. */
typedef void step_fn(struct model *m, struct warp *warp, const struct retire *rtl, struct retire *out);
step_fn step_warp, step_warp_avx2;

/* The version that runs best on this processor; both give the same result. */
static inline step_fn *step_best(const struct model *m) { return m->code.avx2 ? step_warp_avx2 : step_warp; }

#endif
