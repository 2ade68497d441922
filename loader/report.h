/* SPDX-License-Identifier: Apache-2.0 */
/* The output of warp-load for a run, as in warp-run: "pass", "expect", "trap", "hang", and the exit code. */
#ifndef WARPSTEP_LOADER_REPORT_H
#define WARPSTEP_LOADER_REPORT_H

#include "board.h"

/* The same numbers as in warp-run. */
enum { LOAD_FINE = 0, LOAD_DIFFERS = 1, LOAD_STOPPED = 3 };

struct load_verdict {
    const char *status; /* as in the JSON */
    int code;
    uint64_t wrong; /* differing bytes */
};

/* Compares with the launch's expectations, reports the reason of a failure to `out`, and returns the verdict. */
struct load_verdict load_judge(const struct board *board, const struct launch *run, const struct board_result *result,
                               FILE *out);

/* The line of a run, or its JSON object if the launch requests it; runs: number of runs. */
void load_print(const struct board *board, const struct launch *run, const struct board_result *result,
                const struct load_verdict *verdict, unsigned runs);

/* The description of a board, as text or JSON. */
void load_print_identity(const struct board *board, bool json);

#endif
