/* SPDX-License-Identifier: Apache-2.0 */
/* Words to and from a board over a line that may change, lose, repeat and delay bytes. The board has sums over the
 * transfers that it did (docs/evidence/host.md, BOARD_WRITES and BOARD_READS); here are the same sums over those that
 * were meant, and a comparison shows it. That holds for bytes as for datagrams.
 *
 * Reads are repeated until their sum agrees. Writes cannot be: one that went astray has changed something. So writes
 * are noted from transfer_begin on, and transfer_check_writes says whether they, and no others, were done. If not
 * (TRANSFER_AGAIN), whatever was built on them has to be done again from transfer_begin on.
 *
 *     transfer_begin(&t);
 *     transfer_write(&t, HOST_GRID, words, 2);
 *     if (transfer_read(&t, HOST_STATUS, &status, 1) == TRANSFER_OK && transfer_check_writes(&t) == TRANSFER_OK) ...
 */
#ifndef WARPSTEP_TRANSFER_H
#define WARPSTEP_TRANSFER_H

#include "bridge.h"

enum transfer_result {
    TRANSFER_OK,
    TRANSFER_AGAIN,  /* writes went astray */
    TRANSFER_SILENT, /* no answer to any of the attempts, not one byte */
    TRANSFER_NOISY,  /* answers, but none that agrees with its sum */
    TRANSFER_GONE,   /* the other end of the line is not there any more */
};

/* Attempts at one thing; fewer where nothing at all is heard. */
enum { TRANSFER_ATTEMPTS = 8, TRANSFER_SILENT_ATTEMPTS = 3 };

struct transfer {
    struct bridge bridge;
    unsigned wait_ms;  /* for each byte of an answer, at first; doubled a few times as attempts fail */
    unsigned quiet_ms; /* silence by which the bridge is brought back, likewise */
    uint32_t writes;   /* sum of the writes that were meant */
    unsigned faults;   /* attempts that had to be repeated */
};

/* Transfers over this bridge, whose wait is what they begin with. */
struct transfer transfer_over(struct bridge bridge, unsigned quiet_ms);

/* Brings the bridge back, whatever it is in the middle of; attempt: how often that was of no use before. */
void transfer_recover(struct transfer *t, unsigned attempt);

/* Clears the sums. */
enum transfer_result transfer_begin(struct transfer *t);

/* count words from byte address adr on, which go to consecutive words. A write over a line of bytes says TRANSFER_OK or
 * TRANSFER_GONE; over datagrams, which are answered, anything but TRANSFER_AGAIN. */
enum transfer_result transfer_write(struct transfer *t, uint32_t adr, const uint32_t *words, size_t count);
enum transfer_result transfer_read(struct transfer *t, uint32_t adr, uint32_t *words, size_t count);

/* The writes since transfer_begin were done, all of them, in order, each once, and no others. */
enum transfer_result transfer_check_writes(struct transfer *t);

#endif
