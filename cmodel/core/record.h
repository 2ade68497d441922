/* SPDX-License-Identifier: Apache-2.0 */
/* What a step that has run its stages changed, as a retire record; that of a trap has no effects. */
#ifndef WARPSTEP_RECORD_H
#define WARPSTEP_RECORD_H

#include "step.h"

void record_step(const struct step *s, struct retire *out);

#endif
