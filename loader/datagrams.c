/* SPDX-License-Identifier: Apache-2.0 */
#include "datagrams.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "now_ms.h"
#include "socket.h"

enum { DATAGRAM_MOST = 2048 };

struct datagrams {
    struct line line;
    int file;
};

/* The next datagram before the deadline, of any length: its size, or -1. */
static ssize_t next_until(const struct datagrams *l, uint8_t *bytes, size_t most, long end_ms) {
    for (;;) {
        struct pollfd p = {.fd = l->file, .events = POLLIN};
        const long left = end_ms - now_ms();
        const int ready = poll(&p, 1, left > 0 ? (int)left : 0);
        const ssize_t size = ready > 0 ? recv(l->file, bytes, most, MSG_TRUNC) : -1;
        if (size >= 0 || (ready <= 0 && left <= 0)) return size;
    }
}

/* A datagram that the system does not send is lost like others. */
static enum line_result datagrams_send(struct line *line, const uint8_t *bytes, size_t size) {
    const ssize_t sent = send(((struct datagrams *)line)->file, bytes, size, 0);
    (void)sent;
    return LINE_OK;
}

static enum line_result datagrams_receive(struct line *line, uint8_t *bytes, size_t size, unsigned wait_ms) {
    const long end_ms = now_ms() + (long)wait_ms;
    ssize_t came;
    do came = next_until((struct datagrams *)line, bytes, size, end_ms);
    while (came >= 0 && (size_t)came != size && now_ms() < end_ms);
    return came >= 0 && (size_t)came == size ? LINE_OK : LINE_SILENT;
}

static size_t datagrams_drain(struct line *line, unsigned quiet_ms) {
    uint8_t waste[DATAGRAM_MOST];
    const long end_ms = now_ms() + (long)quiet_ms + LINE_DRAIN_MOST_MS;
    size_t all = 0;
    while (now_ms() < end_ms) {
        const ssize_t size = next_until((struct datagrams *)line, waste, sizeof waste, now_ms() + (long)quiet_ms);
        if (size < 0) break;
        all += (size_t)size;
    }
    return all;
}

static void datagrams_close(struct line *line) {
    close(((struct datagrams *)line)->file);
    free(line);
}

enum status datagrams_open(const char *port, struct line **line, struct diag *d) {
    static const struct line_kind KIND = {
        datagrams_send, datagrams_receive, datagrams_drain, datagrams_close, true, NULL};
    struct datagrams *l = calloc(1, sizeof *l);
    *line = NULL;
    if (l == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    l->line.kind = &KIND;
    const enum status status = socket_open(port, &l->file, d);
    if (status == STATUS_OK)
        *line = &l->line;
    else
        free(l);
    return status;
}
