/* SPDX-License-Identifier: Apache-2.0 */
/* Words on a board's bus by Etherbone, in datagrams, as in LiteEth: one record a datagram, which writes consecutive
 * words, or reads words from addresses; the read words return behind a "return address" of the request, here its
 * number, which distinguishes a late answer from the expected one. (LiteEth mishandles a record that does both: it
 * takes the return address for the first address.) Source: LiteEth 2024.12, liteeth/frontend/etherbone.py.
 *
 * An unanswered request is repeated. A write has no answer, so a read of the board's sum of writes, which is itself not
 * summed, follows it: if the sum is unchanged, the write is sent again. Datagrams that a network delivers twice or late
 * are in the board's sums, like all others (transfer.h).
 */
#ifndef WARPSTEP_ETHERBONE_H
#define WARPSTEP_ETHERBONE_H

#include "bridge.h"

/* Words of one datagram; boards have buffers for a few more. */
enum { ETHERBONE_BURST = 128, ETHERBONE_MAGIC = 0x4e6f };
/* Bytes before a record, of its head, and of the longest datagram. */
enum { ETHERBONE_HEAD = 8, ETHERBONE_RECORD = 4, ETHERBONE_BYTES = ETHERBONE_HEAD + 4 * (2 + ETHERBONE_BURST) };

/* At most bridge->burst words. */
enum line_result etherbone_write(struct bridge *bridge, uint32_t adr, const uint32_t *words, size_t count);
enum line_result etherbone_read(struct bridge *bridge, uint32_t adr, uint32_t *words, size_t count);

#endif
