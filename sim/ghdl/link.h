/* SPDX-License-Identifier: Apache-2.0 */
/* The messages between the two processes of the GHDL build over a socket: the checker's side (sim_ghdl.c) sends
 * requests, the simulation (ghdl_pins.c, inside the process that GHDL built or runs) answers. Both are compiled
 * together, so structures are sent unchanged. */
#ifndef WARPSTEP_GHDL_LINK_H
#define WARPSTEP_GHDL_LINK_H

#include <stdint.h>

#include "../../checker/port/sim.h"

enum {
    LINK_FD = 3,             /* the simulation's end of the socket */
    LINK_BATCH = 64,         /* most records in one answer */
    LINK_CYCLES = 1000,      /* approximate limit of clock cycles in one answer to LINK_NEXT */
    LINK_PEEK_BYTES = 16384, /* most bytes of one LINK_PEEK */
};

enum link_command {
    LINK_LOAD, /* these three are followed by `count` struct host_write_op */
    LINK_LOAD_AGAIN,
    LINK_WRITE,
    LINK_NEXT,
    LINK_PEEK,
    LINK_COUNTERS,
};

/* The first message, sent once. */
struct link_hello {
    unsigned cores;
    struct machine machine;
    bool unchecked;
};

struct link_request {
    enum link_command command;
    uint32_t count;         /* LINK_LOAD and similar requests */
    uint64_t limit;         /* LINK_NEXT: cycles until the answer is due */
    enum sim_memory memory; /* LINK_PEEK */
    uint32_t addr, size;
};

/* Followed by `count` records, then `size` bytes of a peek. */
struct link_answer {
    enum sim_event event; /* the event after the records; SIM_RECORD: more may come */
    uint32_t count, size;
    uint64_t cycle;
    struct sim_counters counters;
    struct sim_trap trap;
    char why[192];
};

/* Moves all bytes or fails (-1): the other side is gone. */
int link_send(int fd, const void *bytes, size_t size);
int link_receive(int fd, void *bytes, size_t size);

#endif
