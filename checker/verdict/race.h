/* SPDX-License-Identifier: Apache-2.0 */
/* Races between SMs. The records of several SMs do not show the order of accesses to global memory, unless an atomic
 * operation orders them: of an unordered load and store of different SMs, either may have come first. The RTL decides
 * the outcome of such a race, as it decides undefined values. This module keeps, for each byte of global memory, the
 * SMs that have stored to it and its possible values, and tells whether a difference between RTL and model is a race.
 *
 * Two accesses are ordered if they belong to one SM; if the SM of the later one has executed an atomic on a word on
 * which the SM of the earlier one executed an atomic after its access (directly, or through others); or if more than
 * RACE_WINDOW cycles lie between their records.
 *
 *     races_before_step(races, global, &rtl);               // then the model steps
 *     if (expected.trap != TRAP_NONE) races_after_trap(races, model, sm, cycle);
 *     if (races_explain(races, model, &expected, &rtl, &differences)) ...   // where they differ; it has the RTL's now
 *     const struct race_pending *p = races_overdue(races, cycle);              // a load that no store has explained
 */
#ifndef WARPSTEP_LOCKSTEP_RACE_H
#define WARPSTEP_LOCKSTEP_RACE_H

#include "../../cmodel/model.h"
#include "../record/compare.h"

/* Maximum distance in cycles between an access and its record. */
enum { RACE_WINDOW = 20000 };

struct races;

/* A load or atomic of the RTL that read a value that no record has stored yet: a store of another SM with a late record
 * must explain it. */
struct race_pending {
    struct retire expected, actual;
    uint16_t open[WARP_LANES]; /* unexplained bytes of each lane */
};

struct races *races_create(const struct machine *machine); /* NULL if out of memory */
void races_destroy(struct races *races);

/* Notes the stores and atomics of a record that the model is about to follow; `global` is the model's memory before the
 * step. If another SM's store races with an atomic, the value that it found is taken from the RTL. False if out of
 * memory. */
bool races_before_step(struct races *races, uint8_t *global, const struct retire *rtl);

/* Notes that a trap stopped SM `sm`, because part of the instruction may have reached global memory (partial.h). False
 * if out of memory. */
bool races_after_trap(struct races *races, const struct model *model, unsigned sm, uint64_t now);

/* True if the records differ only in the values of a load of global memory, and a store of another SM explains each
 * byte or may still explain it. The model's registers then hold the RTL's values. */
bool races_explain(struct races *races, struct model *model, const struct retire *expected, const struct retire *rtl,
                   const struct compare_result *differences);

/* The oldest load without an explanation within the window before `now` (UINT64_MAX: at all), or NULL. */
const struct race_pending *races_overdue(const struct races *races, uint64_t now);

/* True if a byte of global memory may hold this value at the end because stores of different SMs have raced for it. */
bool races_may_hold(const struct races *races, uint32_t addr, uint8_t value);

/* Number of lanes whose values were adopted. */
uint64_t races_adopted(const struct races *races);

#endif
