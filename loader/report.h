/* SPDX-License-Identifier: Apache-2.0 */
/* What warp-load prints of a run, as warp-run does: "pass", "expect", "trap", "hang", and the exit code with it. */
#ifndef WARPSTEP_LOADER_REPORT_H
#define WARPSTEP_LOADER_REPORT_H

#include "board.h"

/* The same numbers as warp-run's. */
enum { LOAD_FINE = 0, LOAD_DIFFERS = 1, LOAD_STOPPED = 3 };

struct load_verdict {
    const char *status; /* as in the JSON */
    int code;
    uint64_t wrong; /* bytes that are not as expected */
};

/* Compares with what the launch expects, tells `out` why it did not pass, and returns the verdict. */
struct load_verdict load_judge(const struct board *board, const struct launch *run, const struct board_result *result,
                               FILE *out);

/* The line of a run, or its JSON object where the launch asks for that; runs: how often it ran. */
void load_print(const struct board *board, const struct launch *run, const struct board_result *result,
                const struct load_verdict *verdict, unsigned runs);

/* What a board is, as text or JSON. */
void load_print_identity(const struct board *board, bool json);

#endif
