/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a wrong operand explains the RTL's result. */
#ifndef WARPSTEP_OPINION_EXPLAIN_H
#define WARPSTEP_OPINION_EXPLAIN_H

#include "opinion.h"

/* After opinion_judge. False, with OPINION_SAME, if nothing is found, or if a fault of the result would explain it as
 * well. */
bool opinion_explain(struct opinion *o, struct model *m, const struct retire *expected, const struct retire *actual,
                     const struct compare_result *differences, struct opinion_operand *operand);

#endif
