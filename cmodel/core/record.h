/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the retire record of a step that has run its stages; the record of a trap has no effects. */
#ifndef WARPSTEP_RECORD_H
#define WARPSTEP_RECORD_H

#include "step.h"

void record_step(const struct step *s, struct retire *out);

#endif
