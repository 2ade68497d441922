/* SPDX-License-Identifier: Apache-2.0 */
/* A line of bytes to a board: a serial port, a pseudo-terminal or a TCP connection; or a line of datagrams. Losses and
 * changes are not noticed at this level.
 *
 *     struct line *line = NULL;
 *     if (line_open("/dev/ttyUSB0", 1000000, &line, &d) != STATUS_OK) return diag_report(stderr, &d);
 *     if (line_send(line, bytes, 6) == LINE_OK && line_receive(line, answer, 4, 300) == LINE_OK) ...
 *     line_close(line);
 */
#ifndef WARPSTEP_LINE_H
#define WARPSTEP_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../assembler/base/diag.h"

enum line_result {
    LINE_OK,
    LINE_SILENT, /* nothing arrived in time */
    LINE_CUT,    /* only a part arrived */
    LINE_GONE,   /* the other end is gone */
};

/* The functions of a kind of line: tests have one without a system below it, in which time passes only by waiting. */
struct line;
struct line_kind {
    enum line_result (*send)(struct line *line, const uint8_t *bytes, size_t size);
    enum line_result (*receive)(struct line *line, uint8_t *bytes, size_t size, unsigned wait_ms);
    size_t (*drain)(struct line *line, unsigned quiet_ms);
    void (*close)(struct line *line);
    bool datagrams;                    /* a transmission arrives whole or not at all, and in any order */
    long (*now_ms)(struct line *line); /* the clock of receive; NULL: that of the system */
};
struct line { /* the first member of every kind of line */
    const struct line_kind *kind;
    long deadline_ms; /* in line_now_ms: no wait exceeds it; 0: none */
};

/* port: a path, "tcp:HOST:PORT", or "udp:HOST:PORT" for datagrams. baud: bits a second of a serial port; a rate that
 * the system knows. */
enum status line_open(const char *port, unsigned baud, struct line **line, struct diag *d);
void line_close(struct line *line); /* NULL is allowed */

enum line_result line_send(struct line *line, const uint8_t *bytes, size_t size);

/* Receives exactly `size` bytes, each within `wait_ms` of the previous one; or a datagram of that size within
 * `wait_ms`, discarding all others. */
enum line_result line_receive(struct line *line, uint8_t *bytes, size_t size, unsigned wait_ms);

/* `wait_ms`, or the time left until the deadline. */
unsigned line_patience(struct line *line, unsigned wait_ms);

/* Milliseconds, for callers that wait for more than one datagram. */
long line_now_ms(struct line *line);

/* Discards input until none has arrived for `quiet_ms`, for at most LINE_DRAIN_MOST_MS more. Returns the number of
 * bytes. */
enum { LINE_DRAIN_MOST_MS = 1000 };
size_t line_drain(struct line *line, unsigned quiet_ms);

#endif
