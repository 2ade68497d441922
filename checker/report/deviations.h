/* SPDX-License-Identifier: Apache-2.0 */
/* The differences covered by waivers and the findings of a run that went on, as text and as JSON. */
#ifndef WARPSTEP_DEVIATIONS_H
#define WARPSTEP_DEVIATIONS_H

#include "../verdict/lockstep.h"

/* A line for each finding, then one for each waiver; nothing if there are none. */
void deviations_print_text(const struct lockstep *l, FILE *out);

/* Members of a JSON object, with a comma before each: "overruled" (warp instructions), "waivers", "findings"; those
 * that the run did not request are omitted. */
void deviations_print_json(const struct lockstep *l, FILE *out);

#endif
