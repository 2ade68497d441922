/* SPDX-License-Identifier: Apache-2.0 */
#include "pins.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/word_at.h"
#include "../../spec/host_regs.h"
#include "../record/unpack.h"
#include "host_plan.h"
#include "written.h"

enum {
    RESET_CLOCKS = 8,
    DRAIN_CLOCKS = 64, /* clocks after the machine's done in which late records are still accepted */
    START_GRID = 1,
    STATUS_MASK = 3,
    STATUS_DONE = 2,
    STATUS_TRAPPED = 3,
    STATUS_BUS_FAILED = 1 << 5,
};

enum command { IDLE, RESETTING, LOADING, STARTING, NEXT, DRAINING, READING_STATUS, AGAIN, PEEKING, COUNTING };

/* Registers read at the end of a run or on request, in memory order. */
struct registers {
    uint8_t id[4], config[4], status[4], where[4], pc[4];
    uint8_t cycles[2][4], warp_insns[4], thread_insns[4];
    uint8_t cause[SIM_MAX_SMS][SIM_CAUSES][4];
};

struct pins {
    struct host *host;
    struct unpack *unpack;
    struct written *written;
    enum command command;
    unsigned sms;
    uint32_t config; /* expected value of HOST_CONFIG */
    bool unchecked;  /* ignore records */
    bool reads;      /* the host reads while a grid runs */
    uint32_t draw;   /* random state for the addresses of these reads */
    uint8_t read[4]; /* destination of these reads */
    bool was_reset;  /* the machine has been reset */
    bool starts;     /* the load ends in a start */
    bool running;    /* the start was accepted */
    bool ended;      /* the machine has reported done or trapped, which is `end` */
    enum sim_event end, event;
    uint64_t cycle;  /* clocks since start */
    uint64_t clocks; /* clocks of this command */
    uint64_t limit;
    struct registers registers;
    struct sim_counters counters;
    struct sim_trap trap;
    struct retire record;
    char why[192];
};

struct pins *pins_create(const struct sim_options *options) {
    struct pins *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->unchecked = options->unchecked;
    p->reads = getenv("WARPSTEP_HOST_READS") != NULL;
    p->sms = options->machine.sms < SIM_MAX_SMS ? options->machine.sms : SIM_MAX_SMS;
    p->config = host_config(options->cores, &options->machine);
    p->host = host_create(options->cores);
    p->unpack = unpack_create(options->cores, options->machine.sms);
    p->written = written_create(&options->machine);
    if (p->host == NULL || p->unpack == NULL || p->written == NULL) {
        pins_destroy(p);
        return NULL;
    }
    return p;
}

void pins_destroy(struct pins *p) {
    if (p == NULL) return;
    host_destroy(p->host);
    unpack_destroy(p->unpack);
    written_destroy(p->written);
    free(p);
}

enum sim_event pins_event(const struct pins *p) { return p->event; }
const struct retire *pins_record(const struct pins *p) { return &p->record; }
const struct sim_counters *pins_counters(const struct pins *p) { return &p->counters; }
const struct sim_trap *pins_trap(const struct pins *p) { return &p->trap; }
const char *pins_why(const struct pins *p) { return p->why; }
uint64_t pins_cycle(const struct pins *p) { return p->cycle; }
bool pins_runs(const struct pins *p) { return p->running; }

static void begin(struct pins *p, enum command command) {
    p->command = command;
    p->clocks = 0;
    p->event = SIM_DONE;
}

static bool finish(struct pins *p, enum sim_event event) {
    p->command = IDLE;
    p->event = event;
    return true;
}

static bool fail(struct pins *p, const char *what) {
    if (what != p->why) snprintf(p->why, sizeof p->why, "%s", what);
    return finish(p, SIM_FAILED);
}

static void begin_load(struct pins *p, const struct host_write_op *writes, size_t count, bool all, bool starts) {
    p->starts = starts;
    p->running = p->ended = false;
    p->cycle = 0;
    p->draw = 0;
    p->why[0] = 0;
    host_reset(p->host);
    unpack_reset(p->unpack);
    for (size_t i = 0; i < count; i++) {
        const bool differs = written_differs(p->written, writes[i].adr, writes[i].value);
        if (differs || all) host_write(p->host, writes[i].adr, writes[i].value);
    }
    begin(p, p->was_reset ? LOADING : RESETTING);
    p->was_reset = true;
}

void pins_begin_load(struct pins *p, const struct host_write_op *writes, size_t count) {
    begin_load(p, writes, count, true, true);
}

void pins_begin_load_again(struct pins *p, const struct host_write_op *writes, size_t count) {
    begin_load(p, writes, count, false, true);
}

void pins_begin_write(struct pins *p, const struct host_write_op *writes, size_t count) {
    begin_load(p, writes, count, true, false);
}

void pins_begin_next(struct pins *p, uint64_t limit) {
    p->limit = limit;
    begin(p, p->ended ? AGAIN : NEXT);
}

void pins_begin_peek(struct pins *p, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size) {
    host_peek(p->host, memory, addr, bytes, size);
    begin(p, PEEKING);
}

static void read_registers(struct pins *p) {
    struct registers *r = &p->registers;
    host_read(p->host, HOST_ID, r->id);
    host_read(p->host, HOST_CONFIG, r->config);
    host_read(p->host, HOST_STATUS, r->status);
    host_read(p->host, HOST_TRAP_WHERE, r->where);
    host_read(p->host, HOST_TRAP_PC, r->pc);
    host_read(p->host, HOST_CYCLES_LO, r->cycles[0]);
    host_read(p->host, HOST_CYCLES_HI, r->cycles[1]);
    host_read(p->host, HOST_WARP_INSNS, r->warp_insns);
    host_read(p->host, HOST_THREAD_INSNS, r->thread_insns);
    for (unsigned sm = 0; sm < p->sms; sm++)
        for (unsigned i = 0; i < SIM_CAUSES; i++)
            host_read(p->host, HOST_CAUSES + HOST_CAUSES_OF_SM * sm + 4 * i, r->cause[sm][i]);
}

void pins_begin_counters(struct pins *p) {
    read_registers(p);
    begin(p, COUNTING);
}

static void decode_registers(struct pins *p) {
    const struct registers *r = &p->registers;
    p->counters.cycles = word_at(r->cycles[0]) | (uint64_t)word_at(r->cycles[1]) << 32;
    p->counters.warp_instructions = word_at(r->warp_insns);
    p->counters.thread_instructions = word_at(r->thread_insns);
    for (unsigned sm = 0; sm < p->sms; sm++)
        for (unsigned i = 0; i < SIM_CAUSES; i++) p->counters.cause[sm][i] = word_at(r->cause[sm][i]);
    p->trap.code = word_at(r->status) >> 8 & 0xf;
    p->trap.slot = word_at(r->where) & 0xff;
    p->trap.sm = word_at(r->where) >> 8 & 0xff;
    p->trap.pc = word_at(r->pc) & 0xffffff;
}

static bool fail_unfinished(struct pins *p) {
    return fail(p, unpack_waiting(p->unpack) != 0
                       ? "the machine says it has ended, but values of a load never came"
                       : "the machine says it has ended, but the last beat of an instruction never came");
}

static bool fail_identity(struct pins *p) {
    const struct registers *r = &p->registers;
    snprintf(p->why, sizeof p->why, "the machine calls itself 0x%08" PRIx32 " 0x%08" PRIx32 ", not 0x%08x 0x%08" PRIx32,
             word_at(r->id), word_at(r->config), (unsigned)HOST_ID_VALUE, p->config);
    return fail(p, p->why);
}

/* After irq_o: the records are drained and the registers read. */
static bool finish_run(struct pins *p) {
    if (word_at(p->registers.id) != HOST_ID_VALUE || word_at(p->registers.config) != p->config) return fail_identity(p);
    decode_registers(p);
    const unsigned state = word_at(p->registers.status) & STATUS_MASK;
    if (state != STATUS_DONE && state != STATUS_TRAPPED)
        return fail(p, "irq_o is high but the status register says neither done nor trapped");
    if ((word_at(p->registers.status) & STATUS_BUS_FAILED) != 0)
        return fail(p, "the bus of global memory has answered an access with an error");
    if (!unpack_is_between(p->unpack)) return fail_unfinished(p);
    p->end = state == STATUS_DONE ? SIM_DONE : SIM_TRAPPED;
    p->ended = true;
    return finish(p, p->end);
}

static bool expire(struct pins *p) {
    if (p->command == AGAIN) return unpack_is_between(p->unpack) ? finish(p, p->end) : fail_unfinished(p);
    const size_t waiting = unpack_waiting(p->unpack);
    if (waiting != 0) snprintf(p->why, sizeof p->why, "%zu records wait for the values of a load", waiting);
    return finish(p, SIM_SILENT);
}

bool pins_poll(struct pins *p) {
    if (p->command != NEXT && p->command != AGAIN && p->command != DRAINING) return p->command == IDLE;
    if (unpack_next(p->unpack, &p->record)) return finish(p, SIM_RECORD);
    return false;
}

static bool step_next(struct pins *p, bool irq) {
    if (pins_poll(p)) return true;
    if (p->command == NEXT && irq) {
        p->command = DRAINING;
        p->clocks = 0;
    } else if (p->command == DRAINING && p->clocks >= DRAIN_CLOCKS) {
        read_registers(p);
        p->command = READING_STATUS;
        p->clocks = 0;
    } else if (p->command != DRAINING && p->clocks >= p->limit) {
        return expire(p);
    }
    return false;
}

/* Advances the load: reset, transfers, start. */
static bool step_load(struct pins *p) {
    if (p->command == RESETTING && p->clocks > RESET_CLOCKS) {
        p->command = LOADING;
        p->clocks = 0;
    } else if (p->command == LOADING && host_idle(p->host) && !p->starts) {
        return finish(p, SIM_DONE);
    } else if (p->command == LOADING && host_idle(p->host)) {
        host_write(p->host, HOST_CONTROL, START_GRID);
        p->command = STARTING;
        p->running = true;
    } else if (p->command == STARTING && host_idle(p->host)) {
        return finish(p, SIM_DONE);
    }
    return false;
}

/* Reads a word of global memory, of code or of the registers, which may change nothing but cycles. */
static void read_meanwhile(struct pins *p) {
    static const uint32_t windows[] = {HOST_GLOBAL, HOST_GLOBAL, HOST_CODE, HOST_ID};
    static const uint32_t last[] = {0xffc, 0xffc, 0x3ffc, 0x3fc};
    p->draw = p->draw * 1664525 + 1013904223;
    const unsigned which = p->draw >> 30;
    host_read(p->host, windows[which] + (p->draw >> 12 & last[which]), p->read);
}

static bool step_command(struct pins *p, bool irq) {
    switch (p->command) {
    case RESETTING:
    case LOADING:
    case STARTING: return step_load(p);
    case NEXT:
    case AGAIN:
    case DRAINING: return step_next(p, irq);
    case READING_STATUS: return host_idle(p->host) && finish_run(p);
    case PEEKING: return host_idle(p->host) && finish(p, SIM_DONE);
    case COUNTING:
        if (!host_idle(p->host)) return false;
        decode_registers(p);
        return finish(p, SIM_DONE);
    case IDLE: break;
    }
    return true;
}

bool pins_clock(struct pins *p, const struct pins_sample *in, struct pins_drive *out) {
    p->clocks++;
    if (p->running) p->cycle++;
    *out = (struct pins_drive){.rst = p->command == RESETTING && p->clocks <= RESET_CLOCKS};
    const bool listening = in->retire != NULL && !p->unchecked;
    if (listening && p->command != RESETTING && !unpack_clock(p->unpack, in->retire, in->unknown, p->cycle))
        return fail(p, unpack_why(p->unpack));
    if (in->unclear && p->command != RESETTING) return fail(p, "irq_o, wb_ack_o or wb_stall_o is neither 0 nor 1");
    const bool finished = step_command(p, in->irq);
    if (p->reads && p->command == NEXT && host_idle(p->host)) read_meanwhile(p);
    /* an edge with reset transfers nothing: the slave's answers do not count yet */
    if (p->command == RESETTING) return false;
    if (!host_clock(p->host, &in->wb, &out->wb)) return fail(p, host_why(p->host));
    return finished;
}
