/* SPDX-License-Identifier: Apache-2.0 */
/* A board in C: bridge, sums and identity as in boards/, a fake machine on the bus, and a line with faults. Either at
 * the end of a line in this process, in which time passes only by waiting, so that the speed of the computer has no
 * effect; or in a process of its own behind a pseudo-terminal or a UDP port, for tools.
 *
 *     struct line *line = fake_line_open(&options, bytes);
 *
 *     const struct fake_options options = {.faults = &fault, .fault_count = 1};
 *     struct fake_board *board = fake_board_start(&options);
 *     run("warp-load --port", fake_board_port(board));
 *     fake_board_stop(board);
 */
#ifndef WARPSTEP_TEST_FAKE_BOARD_H
#define WARPSTEP_TEST_FAKE_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../identity.h"
#include "../line.h"
#include "fake_machine.h"

enum fake_fault_kind {
    FAULT_CHANGE, /* other bits: value is the difference */
    FAULT_DROP,
    FAULT_TWICE,
    FAULT_LATE,   /* by `value` milliseconds */
    FAULT_EXTRA,  /* an extra byte, `value`, comes first */
    FAULT_UNPLUG, /* the line is unplugged */
    FAULT_KINDS
};

/* A fault of the line on one byte, or on one datagram. */
struct fake_fault {
    enum fake_fault_kind kind;
    bool to_host; /* otherwise to the board */
    size_t at;    /* number of the byte in that direction, or of the datagram, from 0 */
    uint8_t value;
    uint8_t byte; /* of a datagram, the byte that FAULT_CHANGE changes; modulo its length */
};

struct fake_options {
    const char *sim; /* NULL: the model */
    bool datagrams;  /* Etherbone over UDP, in place of bytes */
    const struct fake_fault *faults;
    size_t fault_count;
    bool dead;         /* accepts everything, answers nothing */
    bool babbles;      /* answers each byte with a different one */
    bool other_design; /* a bridge, but another design behind it */
    bool unfinished;   /* the identity was never written */
    bool misses_timing;
    uint32_t global_bytes; /* 0: the default */
    unsigned registers;    /* likewise */
    bool no_float, no_hashes;
    bool no_traps, miscounts; /* reports a trap as done; counts a warp instruction twice */
    uint32_t code_stuck;      /* bits that are stuck at 1 in reads of code */
    uint32_t launch_stuck;    /* bits that are stuck at 0 in reads of launch registers */
    enum board_memory memory; /* 0: block RAM */
    uint32_t sdram_stuck;     /* of SDRAM: bits that are stuck at 1 */
    struct fake_stuck stuck;
};

/* bytes: numbers of bytes, or datagrams, to the board and to the host, updated while the line is open. */
struct line *fake_line_open(const struct fake_options *options, size_t bytes[2]);

struct fake_board;
struct fake_board *fake_board_start(const struct fake_options *options);
const char *fake_board_port(const struct fake_board *board);
void fake_board_stop(struct fake_board *board);

#endif
