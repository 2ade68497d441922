/* SPDX-License-Identifier: Apache-2.0 */
/* How a launch ends on the model, for the judge of a board: its trap, or how many instructions it takes.
 *
 *     struct model_end end;
 *     if (model_end_find(&run, &machine, &end, &d) != STATUS_OK) ...
 *     const char *why = model_end_judge(&end, &machine, &result, text);
 */
#ifndef WARPSTEP_LOADER_MODEL_END_H
#define WARPSTEP_LOADER_MODEL_END_H

#include "../cmodel/model.h"
#include "board.h"

enum { MODEL_END_TEXT = 200 };

struct model_end {
    bool known; /* it ends, before long */
    struct model_trap trap;
    struct model_counts counts;
};

enum status model_end_find(const struct launch *run, const struct machine *machine, struct model_end *end,
                           struct diag *d);

/* NULL, or in words what a board's run has otherwise than it must: its trap, its counters of instructions, or the sum
 * of its cycles by cause. */
const char *model_end_judge(const struct model_end *end, const struct machine *machine,
                            const struct board_result *result, char text[MODEL_END_TEXT]);

#endif
