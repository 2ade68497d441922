/* SPDX-License-Identifier: Apache-2.0 */
/* Global memory of a board that is SDRAM. It has to be set up once after the board was switched on, which a board
 * without a processor cannot do by itself: it has the steps in a table (spec/board.def), which are done here over
 * the bridge. Where data come back from the memory with a clock of their own (DDR3), each byte of the data bus is then
 * tried at all delays. Last, memory must hold what is written.
 *
 *     if (memory_set_up(board, &d) != STATUS_OK) return diag_report(stderr, &d);
 */
#ifndef WARPSTEP_LOADER_MEMORY_H
#define WARPSTEP_LOADER_MEMORY_H

#include "board.h"

/* Nothing where it has been set up, or is block RAM. What is in it gets lost otherwise. */
enum status memory_set_up(struct board *board, struct diag *d);

/* The same where nobody has looked yet. */
enum status board_set_up(struct board *board, struct diag *d);

/* Waits until the machine has cleared global memory: registers are all that can be read until then. */
enum transfer_result board_wait_until_clear(struct board *board);

/* *done: it has been, or need not be. */
enum status memory_is_set_up(struct board *board, bool *done, struct diag *d);

#endif
