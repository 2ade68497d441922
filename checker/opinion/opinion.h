/* SPDX-License-Identifier: Apache-2.0 */
/* Which side is wrong? If RTL and model differ, a third opinion executes the instruction once more, thread by thread,
 * by the rules of docs/isa.md as implemented in golden/calculator, which shares nothing with the model. It starts from
 * the model's state before the instruction, because all earlier instructions agreed.
 *
 *     struct opinion *o = opinion_create(image, &machine);
 *     for each record:
 *         opinion_before(o, model, &rtl);              // before the model's step
 *         ... model_step_follow(model, &rtl, &expected), compare_records(&expected, &rtl, &differences)
 *         if they differ: side = opinion_judge(o, model, &expected, &rtl, &differences)
 *         opinion_after(o, &expected);
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
    OPINION_NONE,  /* no rule decides the differing fields, or undefined values do */
    OPINION_RTL,   /* in all differing fields that it knows, it has the RTL's values */
    OPINION_MODEL, /* in all differing fields that it knows, it has the model's values */
    OPINION_NEITHER,
    OPINION_SIDES
};

/* NULL if out of memory. The image must have passed launch_check, and stay valid. */
struct opinion *opinion_create(const struct image *image, const struct machine *machine);
void opinion_destroy(struct opinion *o);

/* Saves the warp that `rtl` names, before the model steps it. Costs a copy of its registers. */
void opinion_before(struct opinion *o, struct model *m, const struct retire *rtl);

/* Notes the registers that the step has written, for opinion_explain. */
void opinion_after(struct opinion *o, const struct retire *expected);

/* The warp saved by the last opinion_before; NULL: it was not the record's warp. */
const struct model_saved *opinion_warp(const struct opinion *o);

/* For the step since opinion_before: the RTL's stack is known to be deeper than the model's (overrule.h), by this
 * number of tokens modulo 256. */
void opinion_deepen(struct opinion *o, uint32_t tokens);

/* The opinion on the step since opinion_before, with the model's record `expected` and the RTL's record `actual`. Uses
 * the model's memories, and leaves them unchanged. */
enum opinion_side opinion_judge(struct opinion *o, struct model *m, const struct retire *expected,
                                const struct retire *actual, const struct compare_result *differences);

/* The same for single values: forms the record that the instruction should give, for opinion_on_value. False: no
 * opinion on any of the differences. */
bool opinion_on(struct opinion *o, struct model *m, const struct retire *expected,
                const struct compare_result *differences, struct retire *own);

/* The side whose value of a field is right in the differing bits. lane -1: in all lanes. */
enum opinion_side opinion_on_value(const struct opinion *o, const struct retire *own, const struct retire_field *field,
                                   int lane, uint64_t expected, uint64_t actual);

/* A source register that explains the RTL's result (explain.h): the rules give that result if its value is changed in
 * the wrong lanes. */
enum opinion_change {
    OPINION_SAME,     /* no operand does */
    OPINION_PAST,     /* the value before its last write, which is at pc `by` */
    OPINION_REGISTER, /* the value of register `by` */
    OPINION_LANE,     /* that of the lane `by` further */
    OPINION_BIT       /* bit `by` inverted */
};
struct opinion_operand {
    enum opinion_change change;
    unsigned reg, by;
};

/* "RTL", "model", "neither", "none" */
const char *opinion_side_name(enum opinion_side side);

/* The record that the instruction should give, for tests. False: no opinion on it at all. `expected` identifies the
 * step. */
bool opinion_form(struct opinion *o, struct model *m, const struct retire *expected, struct retire *own);

/* The lanes of a field that the last opinion_form, or opinion_judge, knew; for a field without lanes all or none. */
uint32_t opinion_knows(const struct opinion *o, const struct retire_field *field);

C_LINKAGE_END

#endif
