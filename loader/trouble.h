/* SPDX-License-Identifier: Apache-2.0 */
/* Why a transfer failed, for people. */
#ifndef WARPSTEP_TROUBLE_H
#define WARPSTEP_TROUBLE_H

#include "board.h"

/* Fills *d, for a result that is not TRANSFER_OK; STATUS_BAD_INPUT. */
enum status board_trouble(const struct board *board, enum transfer_result result, struct diag *d);

#endif
