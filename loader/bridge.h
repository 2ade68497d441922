/* SPDX-License-Identifier: Apache-2.0 */
/* Words on a board's bus, through the bridge that LiteX has at the end of a line. That of datagrams is Etherbone
 * (etherbone.h). That of a serial line: a command is 1 (write) or 2 (read), a number of words, the word address, and
 * for a write the words, all of them highest byte first (bus_word.h). A write is not answered, a read by its words.
 * Source: LiteX 2024.12, litex/soc/cores/uart.py. What the line does to the bytes is noticed here only where an answer
 * does not come: see transfer.h.
 *
 *     bridge_write(&bridge, HOST_GRID, words, 2);
 *     if (bridge_read(&bridge, HOST_ID, &word, 1) == LINE_OK) ...
 */
#ifndef WARPSTEP_BRIDGE_H
#define WARPSTEP_BRIDGE_H

#include "line.h"

/* Words of one command; time after which LiteX's bridge forgets a command that has not ended. */
enum { BRIDGE_BURST = 64, BRIDGE_FORGETS_MS = 100 };

struct bridge {
    struct line *line;
    unsigned burst;   /* words of a command at most, 1 to BRIDGE_BURST; of a datagram, ETHERBONE_BURST */
    unsigned wait_ms; /* for each byte of an answer, or for a datagram */
    uint32_t number;  /* of the last datagram that is to be answered */
    uint32_t sum;     /* of writes, as the board said it last; in answers to datagrams */
};

/* The bridge of a line, with a burst that a line of that speed gets through in time. */
struct bridge bridge_on(struct line *line, unsigned baud, unsigned wait_ms);

/* Words from byte address adr on, a multiple of 4, any number of them. */
enum line_result bridge_write(struct bridge *bridge, uint32_t adr, const uint32_t *words, size_t count);
enum line_result bridge_read(struct bridge *bridge, uint32_t adr, uint32_t *words, size_t count);

/* Says nothing until the bridge has forgotten what it was in the middle of, at least for quiet_ms, and throws away
 * what it says meanwhile. Returns how many bytes that were. */
size_t bridge_forget(struct bridge *bridge, unsigned quiet_ms);

#endif
