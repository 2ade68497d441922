/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets to a board, or to a simulated one: "tcp:HOST:PORT", "udp:HOST:PORT".
 *
 *     int file = -1;
 *     if (socket_open("tcp:localhost:4444", &file, &d) != STATUS_OK) return diag_report(stderr, &d);
 */
#ifndef WARPSTEP_SOCKET_H
#define WARPSTEP_SOCKET_H

#include <stdbool.h>

#include "../assembler/base/diag.h"

bool socket_is_tcp(const char *port);
bool socket_is_udp(const char *port);

/* Connects; *file does not block. A UDP socket has the same port number at this end, to which LiteEth sends its
 * answers. */
enum status socket_open(const char *port, int *file, struct diag *d);

#endif
