/* SPDX-License-Identifier: Apache-2.0 */
/* The reason of a failed transfer, as a readable message. */
#ifndef WARPSTEP_TROUBLE_H
#define WARPSTEP_TROUBLE_H

#include "board.h"

/* Fills *d, for a result other than TRANSFER_OK; STATUS_BAD_INPUT. */
enum status board_trouble(const struct board *board, enum transfer_result result, struct diag *d);

#endif
