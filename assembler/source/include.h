/* SPDX-License-Identifier: Apache-2.0 */
/* The file that an .include names. */
#ifndef WARPSTEP_INCLUDE_H
#define WARPSTEP_INCLUDE_H

#include "expander.h"

/* Reads it: the directive begins at `start`, the name in quotes is between `at` and `end`. On false the reason has been
 * reported. Release the flow when it was true. */
bool include_file(struct expander *x, const struct flow *f, size_t start, size_t at, size_t end, struct flow *included);

/* Reports at the flow's place in the text that is made what the scan of its text has found. */
void include_report(struct expander *x, const struct flow *f, const struct message *found, size_t count);

#endif
