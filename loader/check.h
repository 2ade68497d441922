/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel on a board against the model, warp instruction by warp instruction, by the hashes of
 * fpga/boards/retire_hash.vhd: where they differ the kernel is run again, with fewer and fewer of its instructions
 * hashed, until the first one is found that is not as in the model. First is what comes first on a model that runs
 * block after block: there what an instruction reads was made by those before it. What the board made of it is then
 * read, and goes to the report of lockstep.
 *
 *     if (check_run(&board, &run, stdout, &agrees, &d) != STATUS_OK) ...
 */
#ifndef WARPSTEP_LOADER_CHECK_H
#define WARPSTEP_LOADER_CHECK_H

#include "board.h"

/* Runs a launch that fits, as often as it takes, and tells `out` what was found. STATUS_BAD_INPUT: the board has no
 * hashes, or the kernel is one of which the model does not know what is right: it traps or hangs there, or reads the
 * clock or its place. */
enum status check_run(struct board *board, const struct launch *run, FILE *out, bool *agrees, struct diag *d);

#endif
