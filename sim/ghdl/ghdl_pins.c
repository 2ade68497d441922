/* SPDX-License-Identifier: Apache-2.0 */
/* The simulation's side of the GHDL build: gpu_tb.vhd calls these functions each clock (pins_pkg.vhd), and they answer
 * the checker's requests (link.h). VHPIDIRECT passes no handle, and the process serves one simulation: hence the single
 * static object. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../checker/port/pins.h"
#include "../../checker/record/unpack.h"
#include "link.h"

/* GHDL's representation of an unconstrained array: elements from left to right, one byte a std_ulogic. */
struct vhdl_bounds {
    int32_t left, right;
    uint8_t descending;
    uint32_t length;
};
struct vhdl_vector {
    const uint8_t *elements;
    const struct vhdl_bounds *bounds;
};

enum { STD_X = 1, STD_0 = 2, STD_1 = 3, STD_L = 6, STD_H = 7 }; /* positions in std_ulogic */

/* Bit positions in drive_t and answer_t of pins_pkg.vhd. */
enum {
    DRIVE_ADR = 0,
    DRIVE_DAT = 32,
    DRIVE_SEL = 64,
    DRIVE_WE = 68,
    DRIVE_CYC,
    DRIVE_STB,
    DRIVE_RST,
    DRIVE_STOP,
    DRIVE_RUNS,
    DRIVE_BITS
};
enum { ANSWER_DAT = 0, ANSWER_ACK = 32, ANSWER_STALL, ANSWER_IRQ, ANSWER_BITS };

struct bits {
    uint32_t *value, *unknown;
    size_t words;
};

struct simulation {
    bool connected, stop;
    struct pins *pins;
    struct link_request request;
    struct link_answer answer;
    struct retire batch[LINK_BATCH];
    uint64_t batch_from; /* first cycle of the batch */
    uint8_t bytes[LINK_PEEK_BYTES];
    struct bits retire, line;
    bool has_retire, has_line;
};

void warpstep_ghdl_retire(const struct vhdl_vector *port_bits);
void warpstep_ghdl_line(const struct vhdl_vector *words);
void warpstep_ghdl_clock(const uint8_t *answer, uint8_t *drive);

static struct simulation sim;

static bool make_bits(struct bits *b, size_t words) {
    b->words = words;
    b->value = calloc(words, sizeof *b->value);
    b->unknown = calloc(words, sizeof *b->unknown);
    return b->value != NULL && b->unknown != NULL;
}

/* Element i counts from the left, which is the highest bit. */
static void take_bits(struct bits *b, const uint8_t *elements, size_t length) {
    memset(b->value, 0, b->words * sizeof *b->value);
    memset(b->unknown, 0, b->words * sizeof *b->unknown);
    for (size_t bit = 0; bit < length && bit < b->words * 32; bit++) {
        const uint8_t element = elements[length - 1 - bit];
        const uint32_t mask = (uint32_t)1 << (bit % 32);
        if (element == STD_1 || element == STD_H)
            b->value[bit / 32] |= mask;
        else if (element != STD_0 && element != STD_L)
            b->unknown[bit / 32] |= mask;
    }
}

static bool send_answer(enum sim_event event) {
    struct link_answer *a = &sim.answer;
    a->event = event;
    a->cycle = pins_cycle(sim.pins);
    a->counters = *pins_counters(sim.pins);
    a->trap = *pins_trap(sim.pins);
    snprintf(a->why, sizeof a->why, "%s", pins_why(sim.pins));
    return link_send(LINK_FD, a, sizeof *a) == 0 &&
           link_send(LINK_FD, sim.batch, a->count * sizeof sim.batch[0]) == 0 &&
           link_send(LINK_FD, sim.bytes, a->size) == 0;
}

/* GHDL ends the process when an assertion fails: the records gathered before still reach the checker. */
static void send_last_batch(void) {
    if (!sim.stop && sim.connected && sim.request.command == LINK_NEXT && sim.answer.count > 0) send_answer(SIM_RECORD);
}

static bool connect_checker(void) {
    struct link_hello hello;
    if (link_receive(LINK_FD, &hello, sizeof hello) != 0) return false;
    const struct sim_options options = {.cores = hello.cores, .machine = hello.machine, .unchecked = hello.unchecked};
    sim.pins = pins_create(&options);
    if (sim.pins == NULL || atexit(send_last_batch) != 0) return false;
    return make_bits(&sim.retire, unpack_port_words(hello.cores, hello.machine.sms)) &&
           make_bits(&sim.line, hello.cores);
}

static bool begin_load(void (*begin)(struct pins *, const struct host_write_op *, size_t)) {
    struct host_write_op *writes = calloc(sim.request.count, sizeof *writes);
    if (writes == NULL) return false;
    const bool received = link_receive(LINK_FD, writes, sim.request.count * sizeof *writes) == 0;
    if (received) begin(sim.pins, writes, sim.request.count);
    free(writes);
    return received;
}

/* Waits for the checker's next request and begins it; false if the checker is gone. */
static bool begin_request(void) {
    struct link_request *r = &sim.request;
    if (link_receive(LINK_FD, r, sizeof *r) != 0) return false;
    sim.answer.count = sim.answer.size = 0;
    sim.batch_from = pins_cycle(sim.pins);
    switch (r->command) {
    case LINK_LOAD: return begin_load(pins_begin_load);
    case LINK_LOAD_AGAIN: return begin_load(pins_begin_load_again);
    case LINK_WRITE: return begin_load(pins_begin_write);
    case LINK_NEXT: pins_begin_next(sim.pins, r->limit); return true;
    case LINK_PEEK:
        if (r->size > LINK_PEEK_BYTES) return false;
        sim.answer.size = r->size;
        pins_begin_peek(sim.pins, r->memory, r->addr, sim.bytes, r->size);
        return true;
    case LINK_COUNTERS: pins_begin_counters(sim.pins); return true;
    }
    return false;
}

/* True if the batch is full, or old enough to report to the checker. */
static bool batch_ends(void) {
    return sim.answer.count == LINK_BATCH || pins_cycle(sim.pins) - sim.batch_from >= LINK_CYCLES;
}

/* The number of cycles that the checker allows: for the batch as a whole, not for each record. */
static uint64_t cycles_left(void) {
    const uint64_t run = pins_cycle(sim.pins) - sim.batch_from;
    return run < sim.request.limit ? sim.request.limit - run : 0;
}

/* A command has finished: continues with the same request or answers it and begins the next, until one needs a
 * clock. */
static bool go_on(void) {
    bool finished = true;
    while (finished) {
        enum sim_event event = pins_event(sim.pins);
        if (sim.connected && sim.request.command == LINK_NEXT && event == SIM_RECORD) {
            sim.batch[sim.answer.count++] = *pins_record(sim.pins);
            if (!batch_ends()) {
                const uint64_t left = cycles_left();
                pins_begin_next(sim.pins, left);
                finished = pins_poll(sim.pins);
                if (finished || left > 0) continue;
            }
        }
        if (sim.connected && !send_answer(event)) return false;
        sim.connected = true;
        if (!begin_request()) return false;
        finished = pins_poll(sim.pins);
    }
    return true;
}

void warpstep_ghdl_retire(const struct vhdl_vector *port_bits) {
    if (sim.pins == NULL) return;
    take_bits(&sim.retire, port_bits->elements, port_bits->bounds->length);
    sim.has_retire = true;
}

void warpstep_ghdl_line(const struct vhdl_vector *words) {
    if (sim.pins == NULL) return;
    take_bits(&sim.line, words->elements, words->bounds->length);
    sim.has_line = true;
}

static void put_field(uint8_t *drive, unsigned first, unsigned count, uint32_t value) {
    for (unsigned i = 0; i < count; i++) drive[DRIVE_BITS - 1 - (first + i)] = (value >> i & 1) != 0 ? STD_1 : STD_0;
}

static void put_drive(uint8_t *drive, const struct pins_drive *d) {
    put_field(drive, DRIVE_ADR, 32, d->wb.adr);
    put_field(drive, DRIVE_DAT, 32, d->wb.dat);
    put_field(drive, DRIVE_SEL, 4, d->wb.sel);
    put_field(drive, DRIVE_WE, 1, d->wb.we);
    put_field(drive, DRIVE_CYC, 1, d->wb.cyc);
    put_field(drive, DRIVE_STB, 1, d->wb.stb);
    put_field(drive, DRIVE_RST, 1, d->rst);
    put_field(drive, DRIVE_STOP, 1, sim.stop);
    put_field(drive, DRIVE_RUNS, 1, sim.pins != NULL && pins_runs(sim.pins));
}

void warpstep_ghdl_clock(const uint8_t *answer, uint8_t *drive) {
    uint32_t value[2], unknown[2];
    struct bits bits = {value, unknown, 2};
    take_bits(&bits, answer, ANSWER_BITS);
    const struct pins_sample in = {
        .wb = {.dat = value[0],
               .dat_unknown = unknown[0],
               .ack = (value[1] >> (ANSWER_ACK - 32) & 1) != 0,
               .stall = (value[1] >> (ANSWER_STALL - 32) & 1) != 0,
               .line = sim.line.value,
               .line_unknown = sim.line.unknown},
        .irq = (value[1] >> (ANSWER_IRQ - 32) & 1) != 0,
        .unclear = unknown[1] != 0,
        .retire = sim.has_retire ? sim.retire.value : NULL,
        .unknown = sim.retire.unknown,
    };
    struct pins_drive out = {.rst = true};
    if (sim.pins == NULL && !connect_checker()) sim.stop = true;
    if (!sim.stop && pins_clock(sim.pins, &in, &out) && !go_on()) sim.stop = true;
    sim.has_retire = sim.has_line = false;
    put_drive(drive, &out);
}
