/* SPDX-License-Identifier: Apache-2.0 */
/* Words on a board's bus, through LiteX's bridge at the end of a line. The bridge for datagrams is Etherbone
 * (etherbone.h). On a serial line a command is 1 (write) or 2 (read), a number of words, the word address, and for a
 * write the words, all highest byte first (bus_word.h). A write has no answer, a read is answered by its words. Source:
 * LiteX 2024.12, litex/soc/cores/uart.py. This layer notices corruption on the line only by a missing answer: see
 * transfer.h.
 *
 *     bridge_write(&bridge, HOST_GRID, words, 2);
 *     if (bridge_read(&bridge, HOST_ID, &word, 1) == LINE_OK) ...
 */
#ifndef WARPSTEP_BRIDGE_H
#define WARPSTEP_BRIDGE_H

#include "line.h"

/* Maximum words of a command; time after which LiteX's bridge drops an unfinished command. */
enum { BRIDGE_BURST = 64, BRIDGE_FORGETS_MS = 100 };

struct bridge {
    struct line *line;
    unsigned burst;   /* maximum words of a command, 1 to BRIDGE_BURST; of a datagram, ETHERBONE_BURST */
    unsigned wait_ms; /* for each byte of an answer, or for a datagram */
    uint32_t number;  /* of the last datagram that requires an answer */
    uint32_t sum;     /* of writes, from the board's last answer; only with datagrams */
};

/* The bridge of a line, with a burst that fits the speed of the line. */
struct bridge bridge_on(struct line *line, unsigned baud, unsigned wait_ms);

/* Words from byte address adr on, a multiple of 4, any number of them. */
enum line_result bridge_write(struct bridge *bridge, uint32_t adr, const uint32_t *words, size_t count);
enum line_result bridge_read(struct bridge *bridge, uint32_t adr, uint32_t *words, size_t count);

/* Sends nothing until the bridge has dropped its unfinished command, at least for quiet_ms, and discards received
 * bytes. Returns their number. */
size_t bridge_forget(struct bridge *bridge, unsigned quiet_ms);

#endif
