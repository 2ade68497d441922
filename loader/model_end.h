/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a launch on the model, as a reference for a board: its trap, or its number of instructions.
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
    bool known; /* it ends soon enough */
    struct model_trap trap;
    struct model_counts counts;
};

enum status model_end_find(const struct launch *run, const struct machine *machine, struct model_end *end,
                           struct diag *d);

/* NULL, or a description of a wrong end of the board's run: its trap, its counters of instructions, or the sum of its
 * cycles by cause. */
const char *model_end_judge(const struct model_end *end, const struct machine *machine,
                            const struct board_result *result, char text[MODEL_END_TEXT]);

#endif
