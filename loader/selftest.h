/* SPDX-License-Identifier: Apache-2.0 */
/* Runs every kernel of a directory, or of kernels/bringup and kernels/traps, on a board, in the order of their names,
 * and prints a table. A bring-up kernel (findings.h) gets the size of global memory as its parameter. A kernel passes
 * if memory is as expected, if it ends as on the model (model_end.h), and if the host's writes read back.
 *
 *     int code;
 *     if (selftest_run(&board, NULL, NULL, &code, &d) != STATUS_OK) return launch_report("warp-load", &d);
 */
#ifndef WARPSTEP_SELFTEST_H
#define WARPSTEP_SELFTEST_H

#include "board.h"

/* cycles: NULL, or the output of an earlier selftest, on a board of the same design with global memory in block RAM:
 * kernels listed there must take equally many. *exit_code: LOAD_FINE if all kernels that fit the board passed, else
 * LOAD_DIFFERS. The reason is on stdout, below the kernel's row. */
enum status selftest_run(struct board *board, const char *directory, const char *cycles, int *exit_code,
                         struct diag *d);

#endif
