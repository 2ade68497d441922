/* SPDX-License-Identifier: Apache-2.0 */
/* A Wishbone B4 pipelined slave in C that replaces the RTL's host port: three windows of memory and plain registers,
 * with stalls and delayed answers. */
#ifndef WARPSTEP_TEST_SLAVE_H
#define WARPSTEP_TEST_SLAVE_H

#include "../../spec/host_regs.h"
#include "../port/host.h"

enum { SLAVE_WINDOW_BYTES = 0x40000, SLAVE_REG_BYTES = 0x400, SLAVE_MAX_LATENCY = 8, SLAVE_LINE_WORDS = 32 };

struct slave_answer {
    bool ack;
    uint32_t dat;
    uint32_t line[SLAVE_LINE_WORDS];
};

struct slave {
    unsigned cores;    /* words of a line */
    unsigned latency;  /* clocks from request to acknowledge, 1 .. SLAVE_MAX_LATENCY */
    unsigned stall_in; /* stalls one clock in this many; 0: never */
    bool dead;         /* never acknowledges */
    uint32_t clock;
    uint32_t regs[SLAVE_REG_BYTES / 4];
    uint8_t global[SLAVE_WINDOW_BYTES], code[SLAVE_WINDOW_BYTES], constant[SLAVE_WINDOW_BYTES];
    struct slave_answer pipe[SLAVE_MAX_LATENCY];
    unsigned reads, writes, clears, starts;
};

void slave_reset(struct slave *s, unsigned cores);

/* The outputs before the next edge. The sample points into the slave. */
struct host_sample slave_sample(const struct slave *s);
bool slave_stalls(const struct slave *s);

/* One clock edge with these inputs. */
void slave_clock(struct slave *s, const struct host_drive *in);

#endif
