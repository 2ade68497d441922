/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_board.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "../bridge.h"
#include "../bus_word.h"
#include "../now_ms.h"
#include "fake_bus.h"
#include "fake_datagrams.h"

enum { WRITE = 1, READ = 2, WRITE_FIXED = 3, READ_FIXED = 4, HEAD = 6, WORD = 4, PORT_BYTES = 64 };

struct fake_board {
    pid_t process;
    char port[PORT_BYTES];
};

/* A byte on its way to the host, with its arrival time. */
struct answer {
    uint8_t byte;
    long when_ms;
};

struct state {
    struct line line; /* of fake_line_open */
    const struct fake_options *options;
    size_t *counted; /* bytes to the board, to the host */
    struct fake_bus *bus;
    long now_ms;
    bool unplugged;
    struct answer *answers;
    size_t first, count, capacity; /* bytes on their way */
    uint8_t bytes[HEAD];           /* of a command, or of a word */
    unsigned got;                  /* of these */
    bool in_words;                 /* the command's words are coming, */
    bool fixed;                    /* all to the same address */
    uint32_t adr;
    unsigned left; /* words to come */
    long began_ms;
};

/* ------------------------------------------------------------------------------------------------------------ line */

/* The effect of the line on a byte: up to two bytes, and a delay. */
static unsigned disturb(struct state *s, bool to_host, uint8_t byte, uint8_t out[2], long *late_ms) {
    const size_t at = s->counted[to_host]++;
    unsigned size = 1;
    out[0] = byte;
    *late_ms = 0;
    for (size_t i = 0; i < s->options->fault_count; i++) {
        const struct fake_fault *f = &s->options->faults[i];
        if (f->to_host != to_host || f->at != at) continue;
        switch (f->kind) {
        case FAULT_CHANGE: out[0] ^= f->value; break;
        case FAULT_DROP: size = 0; break;
        case FAULT_TWICE:
            out[1] = out[0];
            size = 2;
            break;
        case FAULT_LATE: *late_ms = f->value; break;
        case FAULT_EXTRA:
            out[1] = out[0];
            out[0] = f->value;
            size = 2;
            break;
        case FAULT_UNPLUG: s->unplugged = true; break;
        case FAULT_KINDS: break;
        }
    }
    return s->unplugged ? 0 : size;
}

/* A byte arrives no sooner than the one before it. */
static void say(struct state *s, uint8_t byte) {
    uint8_t out[2];
    long late_ms;
    const unsigned size = disturb(s, true, byte, out, &late_ms);
    long when_ms = s->now_ms + late_ms;
    if (s->count > 0 && s->answers[s->first + s->count - 1].when_ms > when_ms)
        when_ms = s->answers[s->first + s->count - 1].when_ms;
    if (s->first + s->count + 2 > s->capacity) {
        s->capacity = 2 * s->capacity + 1024;
        s->answers = realloc(s->answers, s->capacity * sizeof *s->answers);
        if (s->answers == NULL) abort();
    }
    for (unsigned i = 0; i < size; i++)
        s->answers[s->first + s->count++] = (struct answer){.byte = out[i], .when_ms = when_ms};
}

static uint8_t take_answer(struct state *s) {
    const struct answer *a = &s->answers[s->first++];
    if (a->when_ms > s->now_ms) s->now_ms = a->when_ms;
    if (--s->count == 0) s->first = 0;
    return a->byte;
}

static bool answers_within(const struct state *s, unsigned wait_ms) {
    return s->count > 0 && s->answers[s->first].when_ms <= s->now_ms + (long)wait_ms;
}

/* ---------------------------------------------------------------------------------------------------------- bridge */

/* Answers a read, for as long as the bridge keeps the command: for ever with a length of 0. */
static void answer(struct state *s, bool fixed) {
    for (unsigned i = 0; i < (s->left == 0 ? 1000 : s->left); i++) {
        const uint32_t word = fake_bus_read(s->bus, s->adr);
        for (unsigned k = 0; k < WORD; k++) say(s, (uint8_t)(word >> (24 - 8 * k)));
        if (!fixed) s->adr += WORD;
    }
}

static void take_command(struct state *s) {
    const uint8_t command = s->bytes[0];
    s->left = s->bytes[1];
    s->adr = bus_word_at(s->bytes + 2) * WORD;
    if (command == READ || command == READ_FIXED) answer(s, command == READ_FIXED);
    s->in_words = command == WRITE || command == WRITE_FIXED;
    s->fixed = command == WRITE_FIXED;
}

static void take_byte(struct state *s, uint8_t byte) {
    if (s->now_ms - s->began_ms > BRIDGE_FORGETS_MS) {
        s->got = 0;
        s->in_words = false;
    }
    if (s->got == 0 && !s->in_words) s->began_ms = s->now_ms;
    s->bytes[s->got++] = byte;
    if (!s->in_words && s->got == HEAD) {
        s->got = 0;
        take_command(s);
    } else if (s->in_words && s->got == WORD) {
        s->got = 0;
        fake_bus_write(s->bus, s->adr, bus_word_at(s->bytes));
        if (!s->fixed) s->adr += WORD;
        if (--s->left == 0) s->in_words = false;
    }
}

/* A byte from the host. */
static void deliver(struct state *s, uint8_t byte) {
    uint8_t out[2];
    long late_ms;
    const unsigned passed = disturb(s, false, byte, out, &late_ms);
    s->now_ms += late_ms;
    for (unsigned i = 0; i < passed; i++) {
        if (s->options->babbles) say(s, out[i] ^ 0x5a);
        if (!s->options->babbles && !s->options->dead) take_byte(s, out[i]);
    }
}

static struct state *make_state(const struct fake_options *options, size_t bytes[2]) {
    struct state *s = calloc(1, sizeof *s);
    if (s == NULL) abort();
    *s = (struct state){.options = options, .counted = bytes, .bus = fake_bus_create(options)};
    return s;
}

/* ------------------------------------------------------------------------------------------------- in this process */

static enum line_result fake_send(struct line *line, const uint8_t *bytes, size_t size) {
    struct state *s = (struct state *)line;
    for (size_t i = 0; i < size && !s->unplugged; i++) deliver(s, bytes[i]);
    return s->unplugged ? LINE_GONE : LINE_OK;
}

static enum line_result fake_receive(struct line *line, uint8_t *bytes, size_t size, unsigned wait_ms) {
    struct state *s = (struct state *)line;
    for (size_t done = 0; done < size; done++) {
        if (!answers_within(s, wait_ms)) {
            s->now_ms += wait_ms;
            return s->unplugged ? LINE_GONE : done == 0 ? LINE_SILENT : LINE_CUT;
        }
        bytes[done] = take_answer(s);
    }
    return LINE_OK;
}

static size_t fake_drain(struct line *line, unsigned quiet_ms) {
    struct state *s = (struct state *)line;
    size_t all = 0;
    for (; answers_within(s, quiet_ms); all++) take_answer(s);
    s->now_ms += quiet_ms;
    return all;
}

static void fake_close(struct line *line) {
    struct state *s = (struct state *)line;
    fake_bus_destroy(s->bus);
    free(s->answers);
    free(s);
}

struct line *fake_line_open(const struct fake_options *options, size_t bytes[2]) {
    static const struct line_kind KIND = {fake_send, fake_receive, fake_drain, fake_close, false, NULL};
    bytes[0] = bytes[1] = 0;
    if (options->datagrams) return fake_datagrams_open(options, bytes);
    struct state *s = make_state(options, bytes);
    s->line.kind = &KIND;
    return &s->line;
}

/* -------------------------------------------------------------------------------------------- in another process */

static void serve(int file, const struct fake_options *options) {
    size_t counted[2] = {0};
    struct state *s = make_state(options, counted);
    for (;;) {
        struct pollfd p = {.fd = file, .events = POLLIN};
        uint8_t bytes[4096];
        if (poll(&p, 1, -1) <= 0) continue;
        const ssize_t size = read(file, bytes, sizeof bytes);
        if (size <= 0) _exit(0);
        s->now_ms = now_ms();
        for (ssize_t i = 0; i < size; i++) deliver(s, bytes[i]);
        while (s->count > 0) {
            const uint8_t byte = take_answer(s);
            if (write(file, &byte, 1) != 1) _exit(1);
        }
        if (s->unplugged) _exit(0);
    }
}

/* The board's end of a pseudo-terminal; the other one is for tools. */
static int open_terminal(char port[PORT_BYTES], int *slave) {
    struct termios t;
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 || ptsname_r(master, port, PORT_BYTES) != 0)
        abort();
    *slave = open(port, O_RDWR | O_NOCTTY);
    if (*slave < 0 || tcgetattr(*slave, &t) != 0) abort();
    cfmakeraw(&t);
    tcsetattr(*slave, TCSANOW, &t);
    return master;
}

struct fake_board *fake_board_start(const struct fake_options *options) {
    struct fake_board *board = calloc(1, sizeof *board);
    if (board == NULL) abort();
    int slave = -1;
    const int file =
        options->datagrams ? fake_datagrams_bind(board->port, sizeof board->port) : open_terminal(board->port, &slave);
    board->process = fork();
    if (board->process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* the board ends with a test that fails */
        if (options->datagrams) fake_datagrams_serve(file, options);
        serve(file, options);
    }
    /* only the board's process holds the line: its end hangs the line up */
    close(file);
    if (slave >= 0) close(slave);
    return board;
}

const char *fake_board_port(const struct fake_board *board) { return board->port; }

void fake_board_stop(struct fake_board *board) {
    kill(board->process, SIGKILL);
    waitpid(board->process, NULL, 0);
    free(board);
}
