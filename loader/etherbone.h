/* SPDX-License-Identifier: Apache-2.0 */
/* Words on a board's bus by Etherbone, in datagrams, as LiteEth has it: one record a datagram, which writes words that
 * follow each other, or reads words from addresses; the words read come back behind a "return address" of the request,
 * here its number, by which a late answer is told from the one that is waited for. (A record that does both goes wrong
 * in LiteEth, which takes the return address for the first address.) Source: LiteEth 2024.12,
 * liteeth/frontend/etherbone.py.
 *
 * What is not answered is asked again. A write is not answered, so a read of the board's sum of writes, which is not in
 * any sum, goes behind it: where that is what it was, the write is sent again. What a network does twice or late is in
 * the board's sums, as all else (transfer.h).
 */
#ifndef WARPSTEP_ETHERBONE_H
#define WARPSTEP_ETHERBONE_H

#include "bridge.h"

/* Words of one datagram; boards have buffers for some more. */
enum { ETHERBONE_BURST = 128, ETHERBONE_MAGIC = 0x4e6f };
/* Bytes before a record, of its head, and of the longest datagram. */
enum { ETHERBONE_HEAD = 8, ETHERBONE_RECORD = 4, ETHERBONE_BYTES = ETHERBONE_HEAD + 4 * (2 + ETHERBONE_BURST) };

/* At most bridge->burst words. */
enum line_result etherbone_write(struct bridge *bridge, uint32_t adr, const uint32_t *words, size_t count);
enum line_result etherbone_read(struct bridge *bridge, uint32_t adr, uint32_t *words, size_t count);

#endif
