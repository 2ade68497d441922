/* SPDX-License-Identifier: Apache-2.0 */
/* A simulation of gpu_flat at pin level, without the simulator: the commands of sim_api (load, next, peek, counters) as
 * a state machine that advances one clock at a time. The Verilator build calls pins_clock in a loop; in the GHDL build
 * the VHDL testbench calls it once a clock. Both thus drive the RTL with the same pins in the same cycles.
 *
 *     pins_begin_next(p, limit);
 *     do { ... settle, sample the outputs ... } while (!pins_clock(p, &sample, &drive) && (edge, true));
 *     if (pins_event(p) == SIM_RECORD) use(pins_record(p));
 */
#ifndef WARPSTEP_PINS_H
#define WARPSTEP_PINS_H

#include <stdbool.h>
#include <stdint.h>

#include "../../assembler/base/linkage.h"
#include "host.h"
#include "host_plan.h"
#include "sim.h"

C_LINKAGE_BEGIN

struct pins_sample { /* outputs of gpu_flat, sampled just before a clock edge */
    struct host_sample wb;
    bool irq;
    bool unclear;            /* irq, or ack or stall of the slave, is neither 0 nor 1 */
    const uint32_t *retire;  /* retire_o, bit n in word n / 32; NULL: no valid bit is set */
    const uint32_t *unknown; /* bits of it that are neither 0 nor 1; NULL: none */
};

struct pins_drive { /* inputs of gpu_flat after the edge */
    struct host_drive wb;
    bool rst;
};

struct pins;
/* NULL if out of memory. With WARPSTEP_HOST_READS in the environment the host reads while a grid runs, which may change
 * only cycles. */
struct pins *pins_create(const struct sim_options *options);
void pins_destroy(struct pins *p);

/* Start a command. The first load or write resets the machine, later ones keep its state. `bytes` must stay valid until
 * the command has finished; `writes` (host_plan) are copied. A load starts the grid; a repeated load omits code and
 * constants that are loaded already. */
void pins_begin_load(struct pins *p, const struct host_write_op *writes, size_t count);
void pins_begin_load_again(struct pins *p, const struct host_write_op *writes, size_t count);
void pins_begin_write(struct pins *p, const struct host_write_op *writes, size_t count);
void pins_begin_next(struct pins *p, uint64_t limit);
void pins_begin_peek(struct pins *p, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size);
void pins_begin_counters(struct pins *p);

/* Tries to finish the command without a clock: true if a record is pending already. */
bool pins_poll(struct pins *p);

/* One clock edge. True if the command has finished; the drive is valid in either case. */
bool pins_clock(struct pins *p, const struct pins_sample *in, struct pins_drive *out);

/* Results, once the command has finished. After a load, a write, a peek or counters, SIM_FAILED means an error
 * (pins_why). */
enum sim_event pins_event(const struct pins *p);
const struct retire *pins_record(const struct pins *p);
const struct sim_counters *pins_counters(const struct pins *p);
const struct sim_trap *pins_trap(const struct pins *p);
const char *pins_why(const struct pins *p);
uint64_t pins_cycle(const struct pins *p); /* clocks since the start was accepted */
bool pins_runs(const struct pins *p);      /* start accepted: the next clock counts */

C_LINKAGE_END

#endif
