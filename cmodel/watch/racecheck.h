/* SPDX-License-Identifier: Apache-2.0 */
/* Races between warps: two accesses of one byte of shared or global memory, not both loads and not both atomic
 * operations, that nothing orders. Only for a model that was asked (model_check_races).
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
 */
#ifndef WARPSTEP_RACECHECK_H
#define WARPSTEP_RACECHECK_H

#include "../model.h"

struct grid;

/* From now on, on a grid that was launched; *now is the number of the instruction in all of the model. False when
 * memory is out. */
bool racecheck_begin(struct grid *grid, const uint64_t *now);
void racecheck_end(struct grid *grid);

/* None where nobody has asked for races. */
const struct model_race *racecheck_races(const struct grid *grid, size_t *count);
bool racecheck_failed(const struct grid *grid); /* memory ran out: races may be missing */

#endif
