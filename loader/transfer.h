/* SPDX-License-Identifier: Apache-2.0 */
/* Words to and from a board over a line that may change, lose, repeat and delay bytes. The board keeps sums over the
 * transfers that it did (docs/evidence/host.md, BOARD_WRITES and BOARD_READS); the loader keeps the same sums over the
 * intended ones, and compares. This works for bytes and for datagrams.
 *
 * Reads are repeated until their sum agrees. Writes cannot be: a stray one has changed something. So writes are summed
 * from transfer_begin on, and transfer_check_writes tells whether exactly these were done. If not (TRANSFER_AGAIN),
 * everything since transfer_begin has to be repeated.
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
    TRANSFER_SILENT, /* no answer to any attempt, not one byte */
    TRANSFER_NOISY,  /* answers, but none that agrees with its sum */
    TRANSFER_GONE,   /* the other end of the line is gone */
};

/* Attempts at one transfer; fewer if there is no answer at all. */
enum { TRANSFER_ATTEMPTS = 8, TRANSFER_SILENT_ATTEMPTS = 3 };

struct transfer {
    struct bridge bridge;
    unsigned wait_ms;  /* for each byte of an answer, at first; doubled a few times as attempts fail */
    unsigned quiet_ms; /* silence that resets the bridge, likewise */
    uint32_t writes;   /* sum of the intended writes */
    unsigned faults;   /* repeated attempts */
};

/* Transfers over this bridge, beginning with the bridge's wait. */
struct transfer transfer_over(struct bridge bridge, unsigned quiet_ms);

/* Resets the bridge from any state; attempt: number of earlier attempts without success. */
void transfer_recover(struct transfer *t, unsigned attempt);

/* Clears the sums. */
enum transfer_result transfer_begin(struct transfer *t);

/* count words from byte address adr on, to consecutive words. A write over a line of bytes returns TRANSFER_OK or
 * TRANSFER_GONE; over datagrams, which are answered, anything but TRANSFER_AGAIN. */
enum transfer_result transfer_write(struct transfer *t, uint32_t adr, const uint32_t *words, size_t count);
enum transfer_result transfer_read(struct transfer *t, uint32_t adr, uint32_t *words, size_t count);

/* Checks that exactly the writes since transfer_begin were done, in order, each once. */
enum transfer_result transfer_check_writes(struct transfer *t);

#endif
