/* SPDX-License-Identifier: Apache-2.0 */
/* Which side is wrong? Where RTL and model differ, a third opinion on the one instruction: it is executed once more,
 * thread by thread, by the rules of docs/isa.md as golden/calculator has them, which shares nothing with the model. It
 * starts from what the model held before the instruction: all instructions until then agreed.
 *
 *     struct opinion *o = opinion_create(image, &machine);
 *     for each record:
 *         opinion_before(o, model, &rtl);              // before the model's step
 *         ... model_step_follow(model, &rtl, &expected), compare_records(&expected, &rtl, &differences)
 *         if they differ: side = opinion_judge(o, model, &expected, &rtl, &differences)
 */
#ifndef WARPSTEP_OPINION_H
#define WARPSTEP_OPINION_H

#include "../../assembler/base/linkage.h"
#include "../../assembler/image/image.h"
#include "../../cmodel/model.h"
#include "../record/compare.h"

C_LINKAGE_BEGIN

struct opinion;

enum opinion_side {
    OPINION_NONE,  /* no rule decides the fields that differ, or undefined values do */
    OPINION_RTL,   /* in all fields that differ and that it knows, it has the RTL's values */
    OPINION_MODEL, /* in all fields that differ and that it knows, it has the model's values */
    OPINION_NEITHER,
    OPINION_SIDES
};

/* NULL when memory is out. The image must have passed launch_check, and stay valid. */
struct opinion *opinion_create(const struct image *image, const struct machine *machine);
void opinion_destroy(struct opinion *o);

/* Notes the warp that `rtl` names, before the model steps it. Costs a copy of its registers. */
void opinion_before(struct opinion *o, struct model *m, const struct retire *rtl);

/* The warp as the last opinion_before found it; NULL: it was not the one of the record. */
const struct model_saved *opinion_warp(const struct opinion *o);

/* For the step since opinion_before: the RTL's stack is known to be deeper than the model's (overrule.h), by so many
 * tokens modulo 256. */
void opinion_deepen(struct opinion *o, uint32_t tokens);

/* The opinion on the step since opinion_before, which made `expected` of the model and came as `actual` from the RTL.
 * The model's memories are used, and left as they are. */
enum opinion_side opinion_judge(struct opinion *o, struct model *m, const struct retire *expected,
                                const struct retire *actual, const struct compare_result *differences);

/* The same value by value: the record that the instruction should give, for opinion_on_value. False: there is no
 * opinion on any of the differences. */
bool opinion_on(struct opinion *o, struct model *m, const struct retire *expected,
                const struct compare_result *differences, struct retire *own);

/* Whose value of a field is right in the bits that differ. lane -1: that of all lanes. */
enum opinion_side opinion_on_value(const struct opinion *o, const struct retire *own, const struct retire_field *field,
                                   int lane, uint64_t expected, uint64_t actual);

/* "RTL", "model", "neither", "none" */
const char *opinion_side_name(enum opinion_side side);

/* The record that the instruction should give, for tests. False: there is no opinion on it at all. `expected` says
 * whose step it is. */
bool opinion_form(struct opinion *o, struct model *m, const struct retire *expected, struct retire *own);

/* The lanes of a field that the last opinion_form, or opinion_judge, knew; of a field without lanes all or none. */
uint32_t opinion_knows(const struct opinion *o, const struct retire_field *field);

C_LINKAGE_END

#endif
