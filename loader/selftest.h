/* SPDX-License-Identifier: Apache-2.0 */
/* Runs every kernel of a directory, or of kernels/bringup and kernels/traps, on a board, in the order of their names,
 * and prints a table. A bring-up kernel (findings.h) gets the bytes of global memory as its parameter. It has passed
 * when memory is as it expects, when it has ended as on the model (model_end.h), and when the host reads what it wrote.
 *
 *     int code;
 *     if (selftest_run(&board, NULL, NULL, &code, &d) != STATUS_OK) return launch_report("warp-load", &d);
 */
#ifndef WARPSTEP_SELFTEST_H
#define WARPSTEP_SELFTEST_H

#include "board.h"

/* cycles: NULL, or a file with what an earlier selftest has printed, of a board of the same design whose global memory
 * is block RAM: kernels that are in it must take as many. *exit_code: LOAD_FINE where all kernels that fit the board
 * passed, LOAD_DIFFERS where one did not. Why not is on stdout, below its row. */
enum status selftest_run(struct board *board, const char *directory, const char *cycles, int *exit_code,
                         struct diag *d);

#endif
