/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_board.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "../crc.h"
#include "../identity.h"
#include "fake_machine.h"

enum { WRITE = 1, READ = 2, WRITE_FIXED = 3, READ_FIXED = 4, HEAD = 6, WORD = 4, PORT_BYTES = 64 };

struct shared {
    size_t bytes[2]; /* to the board, to the host */
};

struct fake_board {
    pid_t process;
    int master, slave;
    char port[PORT_BYTES];
    struct shared *shared;
};

/* The board's own state, in its process. */
struct state {
    const struct fake_options *options;
    struct shared *shared;
    int line;
    struct fake_machine *machine;
    uint32_t identity[IDENTITY_WORDS];
    uint32_t sums[2];    /* of writes, of reads */
    uint8_t bytes[HEAD]; /* of a command, or of a word */
    unsigned got;        /* of these */
    bool in_words;       /* the command's words are coming, */
    bool fixed;          /* all to the same address */
    uint32_t adr;
    unsigned left; /* words to come */
    long began_ms;
};

static long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void wait_ms(unsigned ms) {
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&time, NULL);
}

/* ------------------------------------------------------------------------------------------------------------- bus */

static bool is_sum(uint32_t adr) { return adr / 8 == BOARD_WRITES / 8; }

static void count(struct state *s, unsigned which, uint32_t adr, uint32_t word) {
    if (!is_sum(adr)) s->sums[which] = crc_word(crc_word(s->sums[which], adr), word);
}

static void write_bus(struct state *s, uint32_t adr, uint32_t word) {
    count(s, 0, adr, word);
    if (s->options->other_design) return;
    if (adr == BOARD_WRITES)
        s->sums[0] = s->sums[1] = CRC_NOTHING;
    else if (adr == BOARD_RESET)
        fake_machine_reset(s->machine);
    else if (adr < BOARD_IDENTITY && !(adr >= BOARD_WRITES && adr < BOARD_REGS_END))
        fake_machine_write(s->machine, adr, word);
}

static uint32_t look_up(struct state *s, uint32_t adr) {
    if (s->options->other_design) return 0xffffffff;
    if (is_sum(adr)) return s->sums[adr / WORD % 2];
    if (adr >= BOARD_IDENTITY) return s->identity[(adr - BOARD_IDENTITY) / WORD % IDENTITY_WORDS];
    return fake_machine_read(s->machine, adr);
}

static uint32_t read_bus(struct state *s, uint32_t adr) {
    const uint32_t word = look_up(s, adr);
    count(s, 1, adr, word);
    return word;
}

/* ------------------------------------------------------------------------------------------------------------ line */

/* What the line makes of a byte: up to two, and when. */
static unsigned disturb(struct state *s, bool to_host, uint8_t byte, uint8_t out[2], long *when_ms) {
    const size_t at = s->shared->bytes[to_host]++;
    unsigned size = 1;
    out[0] = byte;
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
        case FAULT_LATE:
            wait_ms(f->value);
            *when_ms += f->value;
            break;
        case FAULT_EXTRA:
            out[1] = out[0];
            out[0] = f->value;
            size = 2;
            break;
        case FAULT_UNPLUG: _exit(0);
        case FAULT_KINDS: break;
        }
    }
    return size;
}

static void say(struct state *s, uint8_t byte) {
    uint8_t out[2];
    long when_ms = 0;
    const unsigned size = disturb(s, true, byte, out, &when_ms);
    if (size > 0 && write(s->line, out, size) < 0) _exit(1);
}

/* ---------------------------------------------------------------------------------------------------------- bridge */

static uint32_t word_of(const uint8_t bytes[WORD]) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Reads at once, for as long as the bridge does not forget: with a length of 0 that would be for ever. */
static void answer(struct state *s, bool fixed) {
    for (unsigned i = 0; i < (s->left == 0 ? 1000 : s->left); i++) {
        const uint32_t word = read_bus(s, s->adr);
        for (unsigned k = 0; k < WORD; k++) say(s, (uint8_t)(word >> (24 - 8 * k)));
        if (!fixed) s->adr += WORD;
    }
}

static void take_command(struct state *s) {
    const uint8_t command = s->bytes[0];
    s->left = s->bytes[1];
    s->adr = word_of(s->bytes + 2) * WORD;
    if (command == READ || command == READ_FIXED) answer(s, command == READ_FIXED);
    s->in_words = command == WRITE || command == WRITE_FIXED;
    s->fixed = command == WRITE_FIXED;
}

static void take_byte(struct state *s, uint8_t byte, long when_ms) {
    if (when_ms - s->began_ms > s->options->forgets_ms) {
        s->got = 0;
        s->in_words = false;
    }
    if (s->got == 0 && !s->in_words) s->began_ms = when_ms;
    s->bytes[s->got++] = byte;
    if (!s->in_words && s->got == HEAD) {
        s->got = 0;
        take_command(s);
    } else if (s->in_words && s->got == WORD) {
        s->got = 0;
        write_bus(s, s->adr, word_of(s->bytes));
        if (!s->fixed) s->adr += WORD;
        if (--s->left == 0) s->in_words = false;
    }
}

static void serve(struct state *s) {
    for (;;) {
        struct pollfd p = {.fd = s->line, .events = POLLIN};
        uint8_t bytes[4096], out[2];
        if (poll(&p, 1, -1) <= 0) continue;
        const ssize_t size = read(s->line, bytes, sizeof bytes);
        if (size <= 0) _exit(0);
        long when_ms = now_ms(); /* what came together has come at one time, however slow this process is */
        for (ssize_t i = 0; i < size; i++) {
            const unsigned passed = disturb(s, false, bytes[i], out, &when_ms);
            for (unsigned k = 0; k < passed; k++) {
                if (s->options->babbles) say(s, out[k] ^ 0x5a);
                if (!s->options->babbles && !s->options->dead) take_byte(s, out[k], when_ms);
            }
        }
    }
}

static void be_board(struct fake_board *board, const struct fake_options *options) {
    struct machine machine = MACHINE_DEFAULT;
    struct state s = {.options = options, .shared = board->shared, .line = board->master};
    if (options->global_bytes != 0) machine.global_bytes = options->global_bytes;
    s.machine = fake_machine_create(8, &machine, options->sim);
    if (s.machine == NULL) _exit(1);
    s.identity[IDENTITY_CLOCK_HZ] = 25000000;
    s.identity[IDENTITY_FMAX_HZ] = 31250000;
    s.identity[IDENTITY_TIMING] = !options->misses_timing;
    s.identity[IDENTITY_COMMIT] = 0x12345678;
    s.identity[IDENTITY_CODE_BYTES] = machine.code_bytes;
    s.identity[IDENTITY_GLOBAL_BYTES] = machine.global_bytes;
    s.identity[IDENTITY_CONST_BYTES] = machine.const_bytes;
    s.identity[IDENTITY_SHARED_BYTES] = machine.shared_bytes;
    s.identity[IDENTITY_REGISTERS] = machine.registers;
    s.identity[IDENTITY_STACK_DEPTH] = machine.stack_depth;
    identity_set_name(s.identity, "fake");
    if (!options->unfinished) identity_seal(s.identity);
    serve(&s);
}

/* ------------------------------------------------------------------------------------------------- the other side */

struct fake_board *fake_board_start(const struct fake_options *options) {
    struct fake_board *board = calloc(1, sizeof *board);
    struct termios t;
    if (board == NULL) abort();
    board->shared = mmap(NULL, sizeof *board->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    board->master = posix_openpt(O_RDWR | O_NOCTTY);
    if (board->shared == MAP_FAILED || board->master < 0 || grantpt(board->master) != 0 ||
        unlockpt(board->master) != 0 || ptsname_r(board->master, board->port, sizeof board->port) != 0)
        abort();
    board->slave = open(board->port, O_RDWR | O_NOCTTY);
    if (board->slave < 0 || tcgetattr(board->slave, &t) != 0) abort();
    cfmakeraw(&t);
    tcsetattr(board->slave, TCSANOW, &t);
    board->process = fork();
    if (board->process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails stops no board */
        be_board(board, options);
    }
    /* only the board's process holds the line: when it ends, the line hangs up */
    close(board->master);
    close(board->slave);
    return board;
}

const char *fake_board_port(const struct fake_board *board) { return board->port; }
size_t fake_board_bytes(const struct fake_board *board, bool to_host) { return board->shared->bytes[to_host]; }

void fake_board_stop(struct fake_board *board) {
    kill(board->process, SIGKILL);
    waitpid(board->process, NULL, 0);
    munmap(board->shared, sizeof *board->shared);
    free(board);
}
