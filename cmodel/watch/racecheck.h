/* SPDX-License-Identifier: Apache-2.0 */
/* Races between warps: two accesses of one byte of shared or global memory, not both loads and not both atomic
 * operations, that nothing orders. Only active after model_check_races.
 *
 * The accesses of a warp are ordered. Those of two warps are ordered if a chain of these leads from one to the other:
 *
 *     a barrier    from the accesses of a warp before it arrived, or ended, to the later ones of the warps that waited
 *     an atomic    from the accesses of a warp before its operation to those of another warp from its later operation
 *                  on that word on, whether or not the result is used
 *
 * Otherwise blocks are not ordered, even if one starts after the other has ended. Two lanes of one store with different
 * values for one byte race, too: the winner is unspecified.
 *
 * Each warp knows the accesses of others that are ordered before its next one, as an instruction number for each warp.
 * Barriers and words of atomics collect this knowledge from arriving warps, and pass it to leaving ones.
 *
 * Among ordered accesses of a byte, a store stands for those before it, and a load for earlier loads: every access that
 * races with them races with it. So each byte with a race is found, but not each pair of its accesses.
 *
 * checker/verdict/race.h answers another question: whether a difference between RTL and model is a race of SMs, by
 * values and clock cycles.
 */
#ifndef WARPSTEP_RACECHECK_H
#define WARPSTEP_RACECHECK_H

#include "../model.h"

struct grid;

/* Starts detection in a launched grid; *now is the number of the current instruction in the whole model. False if out
 * of memory. */
bool racecheck_begin(struct grid *grid, const uint64_t *now);
void racecheck_end(struct grid *grid);

/* NULL if detection is off. */
const struct model_race *racecheck_races(const struct grid *grid, size_t *count);
bool racecheck_failed(const struct grid *grid); /* out of memory: races may be missing */

#endif
