/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a kernel on a board with the model, warp instruction by warp instruction, through the hashes of
 * fpga/boards/retire_hash.vhd: if they differ, the kernel runs again with fewer and fewer of its instructions hashed,
 * until the first differing instruction is found. "First" is in the order of a model that runs block after block, in
 * which the operands of an instruction come from earlier ones. The board's record of it is then read and goes to the
 * report of lockstep.
 *
 *     if (check_run(&board, &run, stdout, &agrees, &d) != STATUS_OK) ...
 */
#ifndef WARPSTEP_LOADER_CHECK_H
#define WARPSTEP_LOADER_CHECK_H

#include "board.h"

/* Runs a launch that fits, as often as necessary, and reports the result to `out`. STATUS_BAD_INPUT: the board has no
 * hashes, or the model has no definite result for the kernel: it traps or hangs there, or reads the clock or its
 * place. */
enum status check_run(struct board *board, const struct launch *run, FILE *out, bool *agrees, struct diag *d);

#endif
