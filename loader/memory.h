/* SPDX-License-Identifier: Apache-2.0 */
/* Global memory of a board with SDRAM. It must be set up once after power-on, which a board without a processor cannot
 * do itself: it has the steps in a table (spec/board.def), which the loader executes over the bridge. If the memory
 * returns data with a clock of its own (DDR3), each byte of the data bus is then tried at all delays. Finally memory
 * must hold its contents.
 *
 *     if (memory_set_up(board, &d) != STATUS_OK) return diag_report(stderr, &d);
 */
#ifndef WARPSTEP_LOADER_MEMORY_H
#define WARPSTEP_LOADER_MEMORY_H

#include "board.h"

/* Does nothing if it is set up already, or is block RAM. Otherwise its contents are lost. */
enum status memory_set_up(struct board *board, struct diag *d);

/* The same if not checked yet. */
enum status board_set_up(struct board *board, struct diag *d);

/* Waits until the machine has cleared global memory: until then only registers can be read. */
enum transfer_result board_wait_until_clear(struct board *board);

/* *done: it is set up, or need not be. */
enum status memory_is_set_up(struct board *board, bool *done, struct diag *d);

#endif
