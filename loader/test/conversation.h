/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges some words with a fake board's memory, in this process: the common part of the fault tests. */
#ifndef WARPSTEP_CONVERSATION_H
#define WARPSTEP_CONVERSATION_H

#include "../transfer.h"
#include "fake_board.h"

/* Time limit of an answer; bits a second. */
enum { CONVERSATION_WAIT_MS = 40, CONVERSATION_BAUD = 1000000 };

struct conversation {
    struct fake_options options;
    size_t counted[2]; /* bytes, or datagrams, to the board and to the host */
    struct transfer transfer;
};

void conversation_begin(struct conversation *c, const struct fake_options *options);
void conversation_end(struct conversation *c);

/* Writes words into global memory from its word `first` on, reads them back, checks the account of writes. */
enum transfer_result converse(struct transfer *t, size_t first, const uint32_t *words, uint32_t *back, size_t count);

/* Fails, with the fault's name, unless the first `area` words of global memory are these, and unchanged around them. */
void conversation_check(struct transfer *t, const struct fake_fault *f, size_t first, const uint32_t *words,
                        size_t count, size_t area);

/* True if the first attempt reported success and was right; otherwise a further attempt must be right. */
bool conversation_survives(struct conversation *c, const struct fake_fault *f, size_t first, const uint32_t *words,
                           size_t count, size_t area);

#endif
