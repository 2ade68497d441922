/* SPDX-License-Identifier: Apache-2.0 */
/* A fake board at the end of a datagram line: Etherbone as in LiteEth, and a network that loses, changes, duplicates
 * and delays datagrams. */
#ifndef WARPSTEP_TEST_FAKE_DATAGRAMS_H
#define WARPSTEP_TEST_FAKE_DATAGRAMS_H

#include "fake_bus.h"

/* In this process; see fake_line_open. */
struct line *fake_datagrams_open(const struct fake_options *options, size_t counted[2]);

/* A UDP socket on this computer, with its name as a port of warp-load; then the board at it, for ever. */
int fake_datagrams_bind(char *port, size_t size);
_Noreturn void fake_datagrams_serve(int file, const struct fake_options *options);

/* The board's answer to a datagram: its size, 0 for none. */
enum { FAKE_DATAGRAM_MOST = 2100 };
size_t fake_datagrams_answer(struct fake_bus *bus, const uint8_t *in, size_t size, uint8_t out[FAKE_DATAGRAM_MOST]);

#endif
