/* SPDX-License-Identifier: Apache-2.0 */
/* What waivers have covered and what a run that went on has found, for people and as JSON. */
#ifndef WARPSTEP_DEVIATIONS_H
#define WARPSTEP_DEVIATIONS_H

#include "../verdict/lockstep.h"

/* A line for each finding, then one for each waiver; nothing where there are none. */
void deviations_print_text(const struct lockstep *l, FILE *out);

/* Members of a JSON object, with a comma before each: "overruled" (warp instructions), "waivers", "findings"; those
 * that the run did not ask for are left out. */
void deviations_print_json(const struct lockstep *l, FILE *out);

#endif
