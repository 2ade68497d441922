/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_datagrams.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../bus_word.h"
#include "../now_ms.h"

enum { WORD = 4, HEAD = 8, RECORD = 4, FLAGS = 2, PROBE = 1, QUEUE = 64, LOOK_MS = 5 };

/* A datagram on its way. */
struct packet {
    bool to_host;
    long when_ms;
    size_t size;
    uint8_t bytes[FAKE_DATAGRAM_MOST];
};

struct network {
    struct line line; /* of fake_datagrams_open */
    const struct fake_options *options;
    size_t *counted; /* datagrams to the board, to the host */
    struct fake_bus *bus;
    long now_ms;
    bool unplugged;
    unsigned count;
    struct packet packet[QUEUE];
};

/* ------------------------------------------------------------------------------------------------------- Etherbone */

/* One record: write address and data, or read addresses. LiteEth mishandles a record with both. */
size_t fake_datagrams_answer(struct fake_bus *bus, const uint8_t *in, size_t size, uint8_t out[FAKE_DATAGRAM_MOST]) {
    static const uint8_t head[] = {0x4e, 0x6f, 0x10, 0x44};
    if (size < HEAD + RECORD || memcmp(in, head, 2) != 0 || (in[FLAGS] & PROBE) != 0) return 0;
    const size_t writes = in[HEAD + 2], reads = in[HEAD + 3];
    const uint8_t *at = in + HEAD + RECORD;
    if ((writes > 0 && reads > 0) || size < HEAD + RECORD + WORD * (1 + writes + reads)) return 0;
    for (size_t i = 0; i < writes; i++)
        fake_bus_write(bus, bus_word_at(at) + (uint32_t)(WORD * i), bus_word_at(at + WORD * (1 + i)));
    if (reads == 0) return 0;
    memset(out, 0, HEAD + RECORD);
    memcpy(out, head, sizeof head);
    out[HEAD + 1] = in[HEAD + 1];
    out[HEAD + 2] = (uint8_t)reads;
    memcpy(out + HEAD + RECORD, at, WORD); /* the return address */
    for (size_t i = 1; i <= reads; i++)
        bus_word_put(out + HEAD + RECORD + WORD * i, fake_bus_read(bus, bus_word_at(at + WORD * i)));
    return HEAD + RECORD + WORD * (1 + reads);
}

/* --------------------------------------------------------------------------------------------------------- network */

static void on_the_way(struct network *n, struct packet *p) {
    if (n->count == QUEUE) abort();
    n->packet[n->count++] = *p;
}

static void change(struct packet *p, const struct fake_fault *f) { p->bytes[f->byte % p->size] ^= f->value; }

/* A datagram is sent: applies the network's faults. */
static void leave(struct network *n, bool to_host, const uint8_t *bytes, size_t size) {
    const size_t at = n->counted[to_host]++;
    struct packet p = {.to_host = to_host, .when_ms = n->now_ms, .size = size};
    unsigned copies = 1;
    memcpy(p.bytes, bytes, size);
    for (size_t i = 0; i < n->options->fault_count; i++) {
        const struct fake_fault *f = &n->options->faults[i];
        if (f->to_host != to_host || f->at != at) continue;
        switch (f->kind) {
        case FAULT_CHANGE: change(&p, f); break;
        case FAULT_DROP: copies = 0; break;
        case FAULT_TWICE: copies = 2; break;
        case FAULT_LATE: p.when_ms += f->value; break;
        case FAULT_EXTRA: /* the copy is late */
            on_the_way(n, &p);
            p.when_ms += f->value;
            break;
        case FAULT_UNPLUG: n->unplugged = true; break;
        case FAULT_KINDS: break;
        }
    }
    for (unsigned i = 0; i < copies && !n->unplugged; i++) on_the_way(n, &p);
}

/* The next datagram that arrives at either end before the deadline. */
static bool arrives(struct network *n, long end_ms, struct packet *p) {
    unsigned first = n->count;
    for (unsigned i = 0; i < n->count; i++)
        if (n->packet[i].when_ms <= end_ms && (first == n->count || n->packet[i].when_ms < n->packet[first].when_ms))
            first = i;
    if (first == n->count || n->unplugged) return false;
    *p = n->packet[first];
    memmove(n->packet + first, n->packet + first + 1, (--n->count - first) * sizeof *p);
    if (p->when_ms > n->now_ms) n->now_ms = p->when_ms;
    return true;
}

static void deliver(struct network *n, const struct packet *p) {
    uint8_t out[FAKE_DATAGRAM_MOST];
    if (n->options->dead) return;
    const size_t size = fake_datagrams_answer(n->bus, p->bytes, p->size, out);
    if (size > 0) leave(n, true, out, size);
}

/* The next datagram for the host before the deadline. */
static bool comes(struct network *n, long end_ms, struct packet *p) {
    while (arrives(n, end_ms, p)) {
        if (p->to_host) return true;
        deliver(n, p);
    }
    return false;
}

static struct network *make_network(const struct fake_options *options, size_t counted[2]) {
    struct network *n = calloc(1, sizeof *n);
    if (n == NULL) abort();
    n->options = options;
    n->counted = counted;
    n->bus = fake_bus_create(options);
    return n;
}

/* ------------------------------------------------------------------------------------------------- in this process */

static enum line_result fake_send(struct line *line, const uint8_t *bytes, size_t size) {
    leave((struct network *)line, false, bytes, size);
    return LINE_OK;
}

static enum line_result fake_receive(struct line *line, uint8_t *bytes, size_t size, unsigned wait_ms) {
    struct network *n = (struct network *)line;
    const long end_ms = n->now_ms + (long)wait_ms;
    struct packet p;
    while (comes(n, end_ms, &p)) {
        if (p.size != size) continue;
        memcpy(bytes, p.bytes, size);
        return LINE_OK;
    }
    n->now_ms = end_ms;
    return LINE_SILENT;
}

static size_t fake_drain(struct line *line, unsigned quiet_ms) {
    struct network *n = (struct network *)line;
    const long end_ms = n->now_ms + (long)quiet_ms;
    struct packet p;
    size_t all = 0;
    while (comes(n, end_ms, &p)) all += p.size;
    n->now_ms = end_ms;
    return all;
}

static long fake_now_ms(struct line *line) { return ((struct network *)line)->now_ms; }

static void fake_close(struct line *line) {
    fake_bus_destroy(((struct network *)line)->bus);
    free(line);
}

struct line *fake_datagrams_open(const struct fake_options *options, size_t counted[2]) {
    static const struct line_kind KIND = {fake_send, fake_receive, fake_drain, fake_close, true, fake_now_ms};
    struct network *n = make_network(options, counted);
    n->line.kind = &KIND;
    return &n->line;
}

/* --------------------------------------------------------------------------------------------- in another process */

/* Not the address of warp-load's end, which has the same port number. */
int fake_datagrams_bind(char *port, size_t size) {
    struct sockaddr_in here = {.sin_family = AF_INET};
    socklen_t length = sizeof here;
    const int file = socket(AF_INET, SOCK_DGRAM, 0);
    inet_pton(AF_INET, "127.0.0.2", &here.sin_addr);
    if (file < 0 || bind(file, (struct sockaddr *)&here, sizeof here) != 0 ||
        getsockname(file, (struct sockaddr *)&here, &length) != 0)
        abort();
    snprintf(port, size, "udp:127.0.0.2:%u", ntohs(here.sin_port));
    return file;
}

_Noreturn void fake_datagrams_serve(int file, const struct fake_options *options) {
    size_t counted[2] = {0};
    struct network *n = make_network(options, counted);
    struct sockaddr_in host = {0};
    for (;;) {
        struct pollfd p = {.fd = file, .events = POLLIN};
        uint8_t bytes[FAKE_DATAGRAM_MOST];
        socklen_t length = sizeof host;
        struct packet packet;
        const int ready = poll(&p, 1, n->count > 0 ? LOOK_MS : -1);
        n->now_ms = now_ms();
        const ssize_t size = ready > 0 ? recvfrom(file, bytes, sizeof bytes, 0, (struct sockaddr *)&host, &length) : -1;
        if (size > 0) leave(n, false, bytes, (size_t)size);
        while (comes(n, n->now_ms, &packet))
            if (sendto(file, packet.bytes, packet.size, 0, (struct sockaddr *)&host, length) < 0) _exit(1);
    }
}
