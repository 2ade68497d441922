/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of a pin-level simulation, against a machine in C: a Wishbone slave that plays records once started.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../port/pins.h"
#include "port.h"
#include "slave.h"

enum { STATUS_DONE = 2, STATUS_TRAPPED = 3 };

/* The machine: from its start on, a record of 8 lanes every `period` clocks, `records` of them, then irq. */
struct dut {
    struct slave *slave;
    struct port_image port;
    unsigned started, records, period, late; /* late: one record this many clocks after irq; 0: none */
    uint32_t status;
    bool pending;   /* the first record is a load whose values never arrive */
    bool late_load; /* the late record is a load whose values never arrive */
    bool half;      /* the last record lacks its last beat */
    bool no_irq;
    bool unclear; /* its control outputs, which are always unknown before the reset */
    unsigned resets;
};

static struct pins_sample sample(struct dut *d) {
    const unsigned now = d->started, last = d->records * d->period;
    const bool end = now > last && d->slave->starts > 0;
    struct pins_sample in = {.wb = slave_sample(d->slave), .irq = end && !d->no_irq};
    in.unclear = d->unclear || d->resets == 0;
    const bool late = d->late != 0 && now == last + d->late;
    if ((now > 0 && now <= last && now % d->period == 0) || late) {
        struct retire r = {.pc = 8 * (now / d->period), .exec = 0xffffffff};
        const bool pending = (d->pending && now == d->period) || (late && d->late_load);
        port_clear(&d->port, 32);
        port_put_beat(&d->port, &(struct port_beat){0, 0, 0xffffffff, !(d->half && now == last), pending, 0}, &r);
        in.retire = d->port.words; /* without a beat, no record is valid */
    }
    if (end) d->slave->regs[HOST_STATUS / 4] = d->status;
    return in;
}

static void clock_dut(struct dut *d, const struct pins_drive *drive) {
    if (drive->rst) d->resets++;
    slave_clock(d->slave, &drive->wb);
    if (d->slave->starts > 0) d->started++;
}

static enum sim_event finish(struct pins *p, struct dut *d) {
    static struct pins_drive drive;
    if (pins_poll(p)) return pins_event(p);
    for (unsigned i = 0; i < HOST_SILENCE_MOST + 1000; i++) {
        const struct pins_sample in = sample(d);
        struct pins_drive next;
        const bool done = pins_clock(p, &in, &next);
        clock_dut(d, &drive);
        drive = next;
        if (done) return pins_event(p);
    }
    return SIM_FAILED;
}

static struct pins *start(struct dut *d) {
    static const struct host_write_op WRITES[] = {
        {HOST_CONTROL, 2      },
        {HOST_GRID,    0x10001}
    };
    const struct sim_options options = {.cores = 32, .machine = MACHINE_DEFAULT};
    struct pins *p = pins_create(&options);
    d->slave = malloc(sizeof *d->slave);
    slave_reset(d->slave, 32);
    d->slave->latency = 2;
    d->slave->regs[HOST_ID / 4] = 0x57415250;
    d->slave->regs[HOST_CONFIG / 4] = 0x387e01; /* both units, 8 blocks, 32 warps, 32 cores, 1 SM */
    pins_begin_load(p, WRITES, 2);
    assert_int_equal(finish(p, d), SIM_DONE);
    assert_int_equal(d->slave->starts, 1);
    assert_true(d->resets > 0);
    return p;
}

static void stop(struct pins *p, struct dut *d) {
    pins_destroy(p);
    free(d->slave);
}

static enum sim_event next(struct pins *p, struct dut *d, uint64_t limit) {
    pins_begin_next(p, limit);
    return finish(p, d);
}

static void test_pins_runs_to_done(void **state) {
    (void)state;
    struct dut d = {.records = 20, .period = 3, .status = STATUS_DONE};
    struct pins *p = start(&d);
    for (unsigned i = 1; i <= 20; i++) {
        assert_int_equal(next(p, &d, 1000), SIM_RECORD);
        assert_int_equal(pins_record(p)->pc, 8 * i);
    }
    d.slave->regs[HOST_CYCLES_LO / 4] = 60;
    d.slave->regs[HOST_CYCLES_HI / 4] = 1;
    d.slave->regs[HOST_WARP_INSNS / 4] = 20;
    d.slave->regs[HOST_CAUSES / 4 + SIM_CAUSE_DRAIN] = 77;
    assert_int_equal(next(p, &d, 1000), SIM_DONE);
    assert_int_equal(next(p, &d, 50), SIM_DONE);
    assert_true(pins_counters(p)->cycles == (60 | (uint64_t)1 << 32));
    assert_int_equal(pins_counters(p)->warp_instructions, 20);
    assert_int_equal(pins_counters(p)->cause[0][SIM_CAUSE_DRAIN], 77);
    stop(p, &d);
}

/* Only the first launch resets the machine; each launch counts cycles anew. */
static void test_pins_launches_again(void **state) {
    (void)state;
    static const struct host_write_op WRITES[] = {
        {HOST_GRID, 0x20001}
    };
    struct dut d = {.records = 1, .period = 3, .status = STATUS_DONE};
    struct pins *p = start(&d);
    const unsigned resets = d.resets;
    assert_int_equal(next(p, &d, 1000), SIM_RECORD);
    assert_int_equal(next(p, &d, 1000), SIM_DONE);
    const uint64_t cycle = pins_cycle(p);
    d.started = 0;
    d.slave->starts = 0;
    pins_begin_load(p, WRITES, 1);
    assert_int_equal(finish(p, &d), SIM_DONE);
    assert_int_equal(d.slave->starts, 1);
    assert_int_equal(d.slave->regs[HOST_GRID / 4], 0x20001);
    assert_int_equal(d.resets, resets);
    assert_true(pins_cycle(p) < cycle);
    d.status = STATUS_TRAPPED | TRAP_FETCH << 8; /* other than the first */
    assert_int_equal(next(p, &d, 1000), SIM_RECORD);
    assert_int_equal(next(p, &d, 1000), SIM_TRAPPED);
    assert_int_equal(pins_trap(p)->code, TRAP_FETCH);
    stop(p, &d);
}

static void test_pins_reports_a_trap(void **state) {
    (void)state;
    struct dut d = {.records = 1, .period = 3, .status = STATUS_TRAPPED | TRAP_GLOBAL_ALIGN << 8};
    struct pins *p = start(&d);
    d.slave->regs[HOST_TRAP_WHERE / 4] = 0x105;
    d.slave->regs[HOST_TRAP_PC / 4] = 0x48;
    assert_int_equal(next(p, &d, 1000), SIM_RECORD);
    assert_int_equal(next(p, &d, 1000), SIM_TRAPPED);
    assert_int_equal(pins_trap(p)->code, TRAP_GLOBAL_ALIGN);
    assert_int_equal(pins_trap(p)->slot, 5);
    assert_int_equal(pins_trap(p)->sm, 1);
    assert_int_equal(pins_trap(p)->pc, 0x48);
    stop(p, &d);
}

/* Another machine than the requested one. */
static void test_pins_reads_what_it_runs_on(void **state) {
    (void)state;
    static const enum host_reg WHERE[] = {HOST_ID, HOST_CONFIG};
    for (unsigned bit = 0; bit < 64; bit++) {
        struct dut d = {.records = 1, .period = 3, .status = STATUS_DONE};
        struct pins *p = start(&d);
        d.slave->regs[WHERE[bit / 32] / 4] ^= 1u << bit % 32;
        assert_int_equal(next(p, &d, 1000), SIM_RECORD);
        assert_int_equal(next(p, &d, 1000), SIM_FAILED);
        assert_memory_equal(pins_why(p), "the machine calls itself 0x", 27);
        stop(p, &d);
    }
}

static void test_pins_hears_silence(void **state) {
    (void)state;
    struct dut d = {.records = 2, .period = 5000, .status = STATUS_DONE};
    struct pins *p = start(&d);
    assert_int_equal(next(p, &d, 100), SIM_SILENT);
    assert_int_equal(next(p, &d, 10000), SIM_RECORD);
    stop(p, &d);
}

static void test_pins_says_what_waits_for_a_load(void **state) {
    (void)state;
    struct dut d = {.records = 5, .period = 3, .status = STATUS_DONE, .pending = true, .no_irq = true};
    struct pins *p = start(&d);
    assert_int_equal(next(p, &d, 100), SIM_SILENT);
    assert_non_null(strstr(pins_why(p), "5 records wait"));
    d.no_irq = false;
    assert_int_equal(next(p, &d, 100), SIM_FAILED);
    assert_non_null(strstr(pins_why(p), "never arrived"));
    stop(p, &d);
}

static void test_pins_delivers_records_after_irq(void **state) {
    (void)state;
    struct dut d = {.records = 1, .period = 3, .status = STATUS_DONE, .late = 20};
    struct pins *p = start(&d);
    assert_int_equal(next(p, &d, 1000), SIM_RECORD);
    assert_int_equal(next(p, &d, 1000), SIM_RECORD);
    assert_int_equal(next(p, &d, 1000), SIM_DONE);
    stop(p, &d);
}

/* Long after the end: a listener still receives it. */
static void test_pins_delivers_records_after_done(void **state) {
    (void)state;
    struct dut d = {.records = 1, .period = 3, .status = STATUS_DONE, .late = 120};
    struct pins *p = start(&d);
    assert_int_equal(next(p, &d, 1000), SIM_RECORD);
    assert_int_equal(next(p, &d, 1000), SIM_DONE);
    assert_int_equal(next(p, &d, 1000), SIM_RECORD);
    stop(p, &d);
}

/* A record that never becomes complete does not count as silence. */
static void test_pins_misses_what_begins_after_done(void **state) {
    (void)state;
    struct dut d = {.records = 1, .period = 3, .status = STATUS_DONE, .late = 120, .late_load = true};
    struct pins *p = start(&d);
    assert_int_equal(next(p, &d, 1000), SIM_RECORD);
    assert_int_equal(next(p, &d, 1000), SIM_DONE);
    assert_int_equal(next(p, &d, 1000), SIM_FAILED);
    assert_non_null(strstr(pins_why(p), "values of a load never arrived"));
    stop(p, &d);
}

static void test_pins_misses_a_last_beat(void **state) {
    (void)state;
    struct dut d = {.records = 2, .period = 3, .status = STATUS_DONE, .half = true};
    struct pins *p = start(&d);
    assert_int_equal(next(p, &d, 1000), SIM_RECORD);
    assert_int_equal(next(p, &d, 1000), SIM_FAILED);
    assert_non_null(strstr(pins_why(p), "the last beat of an instruction never arrived"));
    stop(p, &d);
}

static void test_pins_doubts_an_irq_without_status(void **state) {
    (void)state;
    struct dut d = {.records = 1, .period = 3, .status = 1};
    struct pins *p = start(&d);
    assert_int_equal(next(p, &d, 1000), SIM_RECORD);
    assert_int_equal(next(p, &d, 1000), SIM_FAILED);
    stop(p, &d);
}

static void test_pins_gives_up_on_a_dead_slave(void **state) {
    (void)state;
    uint8_t bytes[16];
    struct dut d = {.records = 1, .period = 3, .status = STATUS_DONE};
    struct pins *p = start(&d);
    d.slave->dead = true;
    pins_begin_peek(p, SIM_CODE, 0, bytes, sizeof bytes);
    assert_int_equal(finish(p, &d), SIM_FAILED);
    assert_non_null(strstr(pins_why(p), "no longer takes or acknowledges"));
    stop(p, &d);
}

static void test_pins_peeks_during_a_run(void **state) {
    (void)state;
    uint8_t bytes[200];
    struct dut d = {.records = 100, .period = 3, .status = STATUS_DONE};
    struct pins *p = start(&d);
    for (unsigned i = 0; i < sizeof d.slave->global; i++) d.slave->global[i] = (uint8_t)(i * 3);
    assert_int_equal(next(p, &d, 1000), SIM_RECORD);
    pins_begin_peek(p, SIM_GLOBAL, 0x101, bytes, sizeof bytes);
    assert_int_equal(finish(p, &d), SIM_DONE);
    assert_memory_equal(bytes, d.slave->global + 0x101, sizeof bytes);
    for (unsigned i = 2; i <= 100; i++) {
        assert_int_equal(next(p, &d, 1000), SIM_RECORD);
        assert_int_equal(pins_record(p)->pc, 8 * i);
    }
    assert_int_equal(next(p, &d, 1000), SIM_DONE);
    stop(p, &d);
}

/* More transfers than any fixed limit on a command allowed; a read of the largest memory takes 2^23 of them at 8 cores.
 * test_host.c tests the limit of silence. */
static void test_pins_reads_as_long_as_it_takes(void **state) {
    (void)state;
    enum { MUCH = 4200000 };
    uint8_t *bytes = malloc(4 * (size_t)MUCH);
    struct dut d = {.records = 1, .period = 3, .status = STATUS_DONE};
    struct pins *p = start(&d);
    assert_non_null(bytes);
    pins_begin_peek(p, SIM_CODE, 0, bytes, 4 * (size_t)MUCH);
    assert_int_equal(finish(p, &d), SIM_DONE);
    assert_true(d.slave->reads >= MUCH);
    free(bytes);
    stop(p, &d);
}

static void test_pins_refuses_unclear_control(void **state) {
    (void)state;
    struct dut d = {.records = 2, .period = 3, .status = STATUS_DONE};
    struct pins *p = start(&d);
    assert_int_equal(next(p, &d, 1000), SIM_RECORD);
    d.unclear = true;
    assert_int_equal(next(p, &d, 1000), SIM_FAILED);
    assert_non_null(strstr(pins_why(p), "neither 0 nor 1"));
    stop(p, &d);

    uint8_t bytes[4]; /* also when not waiting for records */
    d = (struct dut){.records = 2, .period = 3, .status = STATUS_DONE};
    p = start(&d);
    d.unclear = true;
    pins_begin_peek(p, SIM_CODE, 0, bytes, sizeof bytes);
    assert_int_equal(finish(p, &d), SIM_FAILED);
    assert_non_null(strstr(pins_why(p), "neither 0 nor 1"));
    stop(p, &d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pins_runs_to_done),
        cmocka_unit_test(test_pins_launches_again),
        cmocka_unit_test(test_pins_reports_a_trap),
        cmocka_unit_test(test_pins_reads_what_it_runs_on),
        cmocka_unit_test(test_pins_hears_silence),
        cmocka_unit_test(test_pins_says_what_waits_for_a_load),
        cmocka_unit_test(test_pins_delivers_records_after_irq),
        cmocka_unit_test(test_pins_delivers_records_after_done),
        cmocka_unit_test(test_pins_misses_what_begins_after_done),
        cmocka_unit_test(test_pins_misses_a_last_beat),
        cmocka_unit_test(test_pins_doubts_an_irq_without_status),
        cmocka_unit_test(test_pins_gives_up_on_a_dead_slave),
        cmocka_unit_test(test_pins_peeks_during_a_run),
        cmocka_unit_test(test_pins_reads_as_long_as_it_takes),
        cmocka_unit_test(test_pins_refuses_unclear_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
