/* SPDX-License-Identifier: Apache-2.0 */
/* The file that an .include names. */
#ifndef WARPSTEP_INCLUDE_H
#define WARPSTEP_INCLUDE_H

#include "expander.h"

/* Reads it: the directive begins at `start`, the quoted name lies between `at` and `end`. On false the reason is
 * reported. On true the caller releases the flow. */
bool include_file(struct expander *x, const struct flow *f, size_t start, size_t at, size_t end, struct flow *included);

/* Reports, at the flow's place in the output, the errors that the scan of its text found. */
void include_report(struct expander *x, const struct flow *f, const struct message *found, size_t count);

#endif
