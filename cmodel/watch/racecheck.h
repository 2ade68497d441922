/* SPDX-License-Identifier: Apache-2.0 */
/* Races between warps: two accesses of one byte of shared or global memory, not both loads and not both atomic
 * operations, that nothing orders. Only for a model that was asked (model_check_races): grid.racecheck is NULL else.
 *
 * The accesses of a warp are ordered. Those of two warps are, where a chain of these leads from one to the other:
 *
 *     a barrier    from what a warp did before it arrived, or ended, to what those do that waited there
 *     an atomic    from what a warp did before its operation, to what a warp does from its later operation on that word
 *                  on, whether it looks at the result or not
 *
 * Blocks are not ordered otherwise, also where one runs behind the other. Two lanes of one store that leave different
 * values at one byte are a race, too: which of them stays is not said.
 *
 * Each warp knows up to which instruction the accesses of others are ordered before what it does next. Barriers and
 * words of atomics collect this from warps that come, and give it to those that leave.
 *
 * Of the accesses of a byte that are ordered, a store stands for those before it, and a load for the loads: what races
 * with them races with it. So each byte on which there is a race is found, not each pair of its accesses.
 *
 * checker/verdict/race.h asks something else: whether a difference between RTL and model is a race of SMs, by values
 * and clock cycles.
 *
 *     if (grid->racecheck != NULL) racecheck_arrive(grid->racecheck, warp, barrier);
 */
#ifndef WARPSTEP_RACECHECK_H
#define WARPSTEP_RACECHECK_H

#include "../model.h"

struct grid;
struct racecheck;
struct step;
struct warp;

/* For a grid that was launched; *now is the number of the instruction in all of the model. NULL when memory is out. */
struct racecheck *racecheck_create(const struct grid *grid, const uint64_t *now);
void racecheck_destroy(struct racecheck *r);

/* A warp has arrived at a barrier or will never come again; a warp that waited there goes on. */
void racecheck_arrive(struct racecheck *r, const struct warp *warp, unsigned barrier);
void racecheck_leave(struct racecheck *r, const struct warp *warp, unsigned barrier);

/* The instruction reads `bytes` of shared memory as an operand. */
void racecheck_operand(struct racecheck *r, const struct step *s, unsigned lane, uint32_t addr, unsigned bytes);

/* The load, store or atomic operation of the instruction, which does not trap. */
void racecheck_memory(struct racecheck *r, const struct step *s);

const struct model_race *racecheck_races(const struct racecheck *r, size_t *count);
bool racecheck_failed(const struct racecheck *r); /* memory ran out: races may be missing */

#endif
