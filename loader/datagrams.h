/* SPDX-License-Identifier: Apache-2.0 */
/* A line of UDP datagrams to a board: each arrives whole or not at all, some twice, some late. The other end is known
 * by its answers alone, so that this line is never LINE_GONE.
 *
 *     if (datagrams_open("udp:192.168.1.50:1234", &line, &d) != STATUS_OK) return diag_report(stderr, &d);
 */
#ifndef WARPSTEP_DATAGRAMS_H
#define WARPSTEP_DATAGRAMS_H

#include "line.h"

enum status datagrams_open(const char *port, struct line **line, struct diag *d);

#endif
