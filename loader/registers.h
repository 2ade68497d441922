/* SPDX-License-Identifier: Apache-2.0 */
/* The launch registers of a board: does each keep what it is given? */
#ifndef WARPSTEP_REGISTERS_H
#define WARPSTEP_REGISTERS_H

#include "board.h"

/* Writes all launch registers and places of constant banks, then reads them: each bit is 0 and 1, and each register is
 * given a number of its own. *wrong: the first address that does not read as written, or 0. No grid may run. */
enum status registers_march(struct board *board, uint32_t *wrong, struct diag *d);

#endif
