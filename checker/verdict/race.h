/* SPDX-License-Identifier: Apache-2.0 */
/* Races between SMs. The records of several SMs do not say in which order global memory was touched, unless an atomic
 * operation stands between: of a load and a store of different SMs that no atomic orders, either may have come first.
 * What such a race decides is the RTL's choice, as what is undefined is. This module keeps, for each byte of global
 * memory, which SM has stored to it and what it may hold, and says whether a difference between RTL and model is a
 * race.
 *
 * Two accesses are ordered when they are of one SM, when the SM of the later one has executed an atomic on a word on
 * which the SM of the earlier one executed an atomic after its access (directly, or by way of others), and when more
 * than RACE_WINDOW cycles lie between their records.
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

/* Cycles by which the record of an access and the access itself may be apart. */
enum { RACE_WINDOW = 20000 };

struct races;

/* A load or atomic of the RTL that read what nobody has stored yet: a store of another SM whose record is late must
 * explain it. */
struct race_pending {
    struct retire expected, actual;
    uint16_t open[WARP_LANES]; /* bytes of each lane that are not explained */
};

struct races *races_create(const struct machine *machine); /* NULL when memory is out */
void races_destroy(struct races *races);

/* Takes note of the stores and atomics of a record that the model is about to follow; `global` is the model's memory
 * before the step. What an atomic found there is taken over from the RTL where another SM's store races with it. False
 * when memory is out. */
bool races_before_step(struct races *races, uint8_t *global, const struct retire *rtl);

/* Takes note that SM `sm` was stopped by a trap, as part of the instruction may have got to global memory (partial.h).
 * False when memory is out. */
bool races_after_trap(struct races *races, const struct model *model, unsigned sm, uint64_t now);

/* True when the records differ only in what a load of global memory has read, and each byte of that is one that a store
 * of another SM explains or may yet explain. The model's registers then hold what the RTL has read. */
bool races_explain(struct races *races, struct model *model, const struct retire *expected, const struct retire *rtl,
                   const struct compare_result *differences);

/* The oldest load that nothing has explained within the window before `now` (UINT64_MAX: at all), or NULL. */
const struct race_pending *races_overdue(const struct races *races, uint64_t now);

/* Whether a byte of global memory may hold this value at the end, as stores of different SMs have raced for it. */
bool races_may_hold(const struct races *races, uint32_t addr, uint8_t value);

/* Lanes whose values were taken over. */
uint64_t races_adopted(const struct races *races);

#endif
