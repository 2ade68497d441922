/* SPDX-License-Identifier: Apache-2.0 */
/* The launch registers of a board: checks that each keeps its value. */
#ifndef WARPSTEP_REGISTERS_H
#define WARPSTEP_REGISTERS_H

#include "board.h"

/* Writes all launch registers and cells of constant banks, then reads them: each bit is 0 and 1, and each register gets
 * a number of its own. *wrong: the first address that does not read as written, or 0. No grid may be running. */
enum status registers_march(struct board *board, uint32_t *wrong, struct diag *d);

#endif
