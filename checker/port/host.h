/* SPDX-License-Identifier: Apache-2.0 */
/* The host side of the RTL's Wishbone B4 pipelined port, as a state machine that advances one clock at a time: a queue
 * of transfers, one issued per clock while the slave does not stall, acknowledged in order. host_regs.h defines the
 * addresses. It is independent of any simulator: the code that clocks the RTL carries the pins back and forth.
 *
 *     struct host *h = host_create(cores);
 *     host_write(h, HOST_GRID, 1 | 1 << 16);
 *     host_peek(h, SIM_GLOBAL, 0, bytes, size);
 *     while (!host_idle(h)) {
 *         host_clock(h, &sampled, &drive);            // sampled just before the edge; drive after it
 *         ... clock the RTL ...
 *     }
 */
#ifndef WARPSTEP_HOST_H
#define WARPSTEP_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../assembler/base/linkage.h"
#include "sim.h"

C_LINKAGE_BEGIN

/* Limit of cycles without a transfer taken or acknowledged; clearing 256 MB at 8 cores takes 2^23. */
enum { HOST_SILENCE_MOST = 10000000 };

struct host_drive { /* master outputs: *_i of gpu_flat */
    uint32_t adr, dat;
    uint8_t sel;
    bool cyc, stb, we;
};

struct host_sample { /* master inputs: *_o of gpu_flat, sampled just before a clock edge */
    uint32_t dat;
    uint32_t dat_unknown; /* bits of dat with neither 0 nor 1 in the simulator */
    bool ack, stall;
    const uint32_t *line;         /* line_o, `cores` words; NULL if the slave has none */
    const uint32_t *line_unknown; /* NULL: none */
};

struct host;
struct host *host_create(unsigned cores); /* NULL if out of memory */
void host_destroy(struct host *h);
void host_reset(struct host *h); /* drops all transfers */

/* Queue transfers. `into` must stay valid until host_idle; it receives the bytes in memory order. */
void host_write(struct host *h, uint32_t adr, uint32_t value);
void host_read(struct host *h, uint32_t adr, uint8_t *into); /* 4 bytes */

/* Queues the reads of `size` bytes from byte `addr` of a memory; whole lines if the slave offers them. */
void host_peek(struct host *h, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size);

/* One clock edge: takes the slave's outputs before it and gives the master's outputs after it. False if the slave broke
 * the protocol or memory ran out: host_why. */
bool host_clock(struct host *h, const struct host_sample *in, struct host_drive *out);
bool host_idle(const struct host *h); /* every transfer has been acknowledged */
const char *host_why(const struct host *h);

C_LINKAGE_END

#endif
