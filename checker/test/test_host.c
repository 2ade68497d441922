/* SPDX-License-Identifier: Apache-2.0 */
/* The Wishbone master against a slave in C, and the plan of a launch as the slave receives it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../port/host_plan.h"
#include "kernel.h"
#include "slave.h"

/* Clocks until the master is idle; returns the number of clocks, 0 if it broke off. */
static unsigned run_idle(struct host *h, struct slave *s) {
    struct host_drive drive = {0};
    for (unsigned clock = 1; clock < 1000000; clock++) {
        const struct host_sample in = slave_sample(s);
        struct host_drive next;
        const bool good = host_clock(h, &in, &next);
        slave_clock(s, &drive);
        drive = next;
        if (!good) return 0;
        if (host_idle(h)) return clock;
    }
    return 0;
}

static struct slave *new_slave(unsigned cores, unsigned latency, unsigned stall_in) {
    struct slave *s = malloc(sizeof *s);
    slave_reset(s, cores);
    s->latency = latency;
    s->stall_in = stall_in;
    return s;
}

static void test_host_writes_and_reads_back(void **state) {
    (void)state;
    static const struct {
        unsigned latency, stall_in;
    } SLAVES[] = {
        {1, 0},
        {1, 2},
        {3, 0},
        {8, 3},
        {2, 7}
    };
    for (size_t i = 0; i < sizeof SLAVES / sizeof SLAVES[0]; i++) {
        struct slave *s = new_slave(8, SLAVES[i].latency, SLAVES[i].stall_in);
        struct host *h = host_create(8);
        uint8_t bytes[100][4];
        for (uint32_t n = 0; n < 100; n++) host_write(h, HOST_CODE + 4 * n, 0x01020304 * n);
        for (uint32_t n = 0; n < 100; n++) host_read(h, HOST_CODE + 4 * n, bytes[n]);
        assert_int_not_equal(run_idle(h, s), 0);
        for (uint32_t n = 0; n < 100; n++) {
            const uint32_t word = 0x01020304 * n;
            for (unsigned b = 0; b < 4; b++) assert_int_equal(bytes[n][b], word >> (8 * b) & 0xff);
        }
        assert_int_equal(s->writes, 100);
        assert_int_equal(s->reads, 100);
        host_destroy(h);
        free(s);
    }
}

/* One transfer a clock: 100 words take little more than 100 clocks even when each answer takes 5. */
static void test_host_pipelines(void **state) {
    (void)state;
    struct slave *s = new_slave(8, 5, 0);
    struct host *h = host_create(8);
    for (uint32_t n = 0; n < 100; n++) host_write(h, HOST_CODE + 4 * n, n);
    const unsigned clocks = run_idle(h, s);
    assert_in_range(clocks, 100, 110);
    host_destroy(h);
    free(s);
}

static void test_host_peeks_lines_and_their_parts(void **state) {
    (void)state;
    for (unsigned cores = 8; cores <= 32; cores *= 2) {
        struct slave *s = new_slave(cores, 2, 3);
        struct host *h = host_create(cores);
        uint8_t whole[4096], part[301], code[6];
        for (unsigned i = 0; i < sizeof s->global; i++) s->global[i] = (uint8_t)(i * 7 + i / 256);
        for (unsigned i = 0; i < 16; i++) s->code[i] = (uint8_t)(i + 1);
        host_write(h, HOST_GRID, 0);
        run_idle(h, s);
        host_peek(h, SIM_GLOBAL, 0x2000, whole, sizeof whole);
        assert_int_not_equal(run_idle(h, s), 0);
        assert_int_equal(s->reads, 4096 / (4 * cores));
        assert_memory_equal(whole, s->global + 0x2000, sizeof whole);
        host_peek(h, SIM_GLOBAL, 0x1235, part, sizeof part);
        host_peek(h, SIM_CODE, 3, code, sizeof code);
        assert_int_not_equal(run_idle(h, s), 0);
        assert_memory_equal(part, s->global + 0x1235, sizeof part);
        assert_memory_equal(code, s->code + 3, sizeof code);
        host_destroy(h);
        free(s);
    }
}

static void test_host_refuses_an_ack_that_nobody_asked_for(void **state) {
    (void)state;
    struct host *h = host_create(8);
    struct host_drive drive;
    const struct host_sample in = {.ack = true};
    assert_false(host_clock(h, &in, &drive));
    assert_non_null(strstr(host_why(h), "never requested"));
    host_destroy(h);
}

static void test_host_refuses_unknown_bits(void **state) {
    (void)state;
    struct host *h = host_create(8);
    struct host_drive drive;
    uint8_t bytes[4];
    const struct host_sample quiet = {.ack = false}, unknown = {.ack = true, .dat_unknown = 8};
    host_read(h, HOST_STATUS, bytes);
    assert_true(host_clock(h, &quiet, &drive));
    assert_true(drive.stb);
    assert_true(host_clock(h, &quiet, &drive));
    assert_false(host_clock(h, &unknown, &drive));
    assert_non_null(strstr(host_why(h), "neither 0 nor 1"));
    host_destroy(h);
}

/* In any word of a line. */
static void test_host_refuses_unknown_bits_of_a_line(void **state) {
    (void)state;
    for (unsigned word = 0; word < 8; word++) {
        static const uint32_t line[8];
        struct host *h = host_create(8);
        struct host_drive drive;
        uint8_t bytes[32];
        uint32_t unknown[8] = {0};
        const struct host_sample quiet = {.line = line};
        unknown[word] = 1;
        const struct host_sample answer = {.ack = true, .line = line, .line_unknown = unknown};
        assert_true(host_clock(h, &quiet, &drive));
        host_peek(h, SIM_GLOBAL, 0, bytes, sizeof bytes);
        assert_true(host_clock(h, &quiet, &drive));
        assert_true(host_clock(h, &quiet, &drive));
        assert_false(host_clock(h, &answer, &drive));
        assert_non_null(strstr(host_why(h), "neither 0 nor 1"));
        host_destroy(h);
    }
}

/* A host without transfers waits as long as a kernel runs. */
static void test_host_may_be_silent(void **state) {
    (void)state;
    struct host *h = host_create(8);
    struct host_drive drive;
    const struct host_sample quiet = {.ack = false};
    for (unsigned cycle = 0; cycle < HOST_SILENCE_MOST + 2; cycle++) assert_true(host_clock(h, &quiet, &drive));
    host_destroy(h);
}

static void test_host_gives_up_on_a_slave_that_stalls(void **state) {
    (void)state;
    struct host *h = host_create(8);
    struct host_drive drive;
    const struct host_sample stalled = {.stall = true};
    host_write(h, HOST_GRID, 1);
    unsigned cycles = 0;
    while (cycles <= HOST_SILENCE_MOST + 1 && host_clock(h, &stalled, &drive)) cycles++;
    assert_in_range(cycles, HOST_SILENCE_MOST, HOST_SILENCE_MOST + 1);
    assert_true(cycles > MACHINE_MOST_GLOBAL_BYTES / (8 * 4)); /* the largest memory is cleared at 32 bytes a cycle */
    assert_non_null(strstr(host_why(h), "no longer takes"));
    host_destroy(h);
}

/* The limit applies to silence: each transfer that is taken or acknowledged restarts it. */
static void test_host_waits_for_a_slave_that_answers(void **state) {
    (void)state;
    enum { LONG = HOST_SILENCE_MOST / 5 * 3 };
    static const struct host_sample QUIET[] = {{.stall = true}, {.stall = false}};
    static const struct host_sample ANSWER[] = {{.stall = false}, {.ack = true}};
    struct host *h = host_create(8);
    struct host_drive drive;
    for (uint32_t n = 0; n < 2; n++) host_write(h, HOST_CODE + 4 * n, n);
    for (unsigned phase = 0; phase < 2; phase++) { /* taken, then acknowledged */
        for (unsigned n = 0; n < 2; n++) {
            for (unsigned cycle = 0; cycle < LONG; cycle++) assert_true(host_clock(h, &QUIET[phase], &drive));
            assert_true(host_clock(h, &ANSWER[phase], &drive));
        }
    }
    assert_true(host_idle(h));
    host_destroy(h);
}

static uint32_t reg(const struct slave *s, uint32_t adr) { return s->regs[adr / 4]; }

static void test_host_plan_makes_the_launch(void **state) {
    (void)state;
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run = kernel_make(KERNEL_MIXED, 5, 64, &machine);
    struct slave *s = new_slave(8, 1, 0);
    struct host *h = host_create(8);
    struct host_write_op *writes = NULL;
    assert_int_equal(image_add_param(run.image, 0xcafe), STATUS_OK);
    const size_t count = host_plan(&run, &machine, &writes);
    assert_int_not_equal(count, 0);
    for (size_t i = 0; i < count; i++) host_write(h, writes[i].adr, writes[i].value);
    assert_int_not_equal(run_idle(h, s), 0);
    assert_int_equal(s->clears, 1);
    assert_int_equal(s->starts, 0);
    assert_int_equal(reg(s, HOST_GRID), 5 | 1 << 16);
    assert_int_equal(reg(s, HOST_BLOCK_XY), 64 | 1 << 16);
    assert_int_equal(reg(s, HOST_BLOCK_Z), 1);
    assert_int_equal(reg(s, HOST_THREADS), 64);
    assert_int_equal(reg(s, HOST_REGS), run.image->regs);
    assert_int_equal(reg(s, HOST_SHARED), 64);
    assert_int_equal(reg(s, HOST_CODE_BYTES), run.image->code_words * 4);
    assert_int_equal(reg(s, HOST_PARAM_WORDS), 1);
    assert_int_equal(reg(s, HOST_PARAMS), 0xcafe);
    assert_int_equal(reg(s, HOST_CONST_BANK), 0);
    assert_int_equal(reg(s, HOST_CONST_BANK + 4), 8 << 16);
    assert_int_equal(reg(s, HOST_CONST_BANK + 8), 8);
    assert_memory_equal(s->constant, "\1\2\3\4\5\6\7\10", 8);
    assert_memory_equal(s->global, "\0\0\11\0\377\377\377\177\0", 9);
    for (size_t i = 0; i < run.image->code_words * 4; i++)
        assert_int_equal(s->code[i], run.image->code[i / 4] >> (8 * (i % 4)) & 0xff);
    free(writes);
    host_destroy(h);
    free(s);
    kernel_release(&run);
}

/* The contents of the launch's register or window at `adr` after its plan. */
static uint32_t planned(const struct launch *run, const struct machine *machine, uint32_t adr) {
    struct host_write_op *writes = NULL;
    const size_t count = host_plan(run, machine, &writes);
    uint32_t value = 0;
    for (size_t i = 0; i < count; i++)
        if (writes[i].adr == adr) value = writes[i].value;
    free(writes);
    return value;
}

/* Each of a launch's sizes at its maximum. */
static void test_host_plan_makes_the_largest_launch(void **state) {
    (void)state;
    static const uint32_t BLOCKS[][3] = {
        {1024, 1,    1 },
        {1,    1024, 1 },
        {4,    4,    64},
    };
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run = kernel_make(KERNEL_LOOP, 65535, 32, &machine);
    run.image->grid[1] = 65535;
    run.image->regs = 128;
    run.image->shared_bytes = 16384;
    for (unsigned i = 0; i < machine.param_words; i++)
        assert_int_equal(image_add_param(run.image, 0xf0000000 + i), STATUS_OK);
    for (size_t i = 0; i < sizeof BLOCKS / sizeof BLOCKS[0]; i++) {
        memcpy(run.image->block, BLOCKS[i], sizeof BLOCKS[i]);
        assert_int_equal(planned(&run, &machine, HOST_BLOCK_XY), BLOCKS[i][0] | BLOCKS[i][1] << 16);
        assert_int_equal(planned(&run, &machine, HOST_BLOCK_Z), BLOCKS[i][2]);
        assert_int_equal(planned(&run, &machine, HOST_THREADS), 1024);
    }
    assert_int_equal(planned(&run, &machine, HOST_GRID), 0xffffffff);
    assert_int_equal(planned(&run, &machine, HOST_REGS), 128);
    assert_int_equal(planned(&run, &machine, HOST_SHARED), 16384);
    assert_int_equal(planned(&run, &machine, HOST_PARAM_WORDS), 60);
    assert_int_equal(planned(&run, &machine, HOST_PARAMS + 59 * 4), 0xf000003b);
    kernel_release(&run);
}

/* Of overlapping pieces the later one counts. */
static void test_host_plan_lays_pieces_over_each_other(void **state) {
    (void)state;
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run = kernel_make(KERNEL_LOOP, 1, 32, &machine);
    assert_int_equal(image_add_global(run.image, 0x100, (const uint8_t *)"\1\2\3\4", 4), STATUS_OK);
    assert_int_equal(image_add_global(run.image, 0x101, (const uint8_t *)"\7\0", 2), STATUS_OK);
    assert_int_equal(planned(&run, &machine, HOST_GLOBAL + 0x100), 0x04000701);
    kernel_release(&run);
}

/* Atomics are enabled for kernels of sm_11 and later, on a machine that has them. */
static void test_host_plan_switches_atomics(void **state) {
    (void)state;
    struct machine machine = MACHINE_DEFAULT;
    struct launch run = kernel_make(KERNEL_LOOP, 1, 32, &machine);
    for (unsigned has = 0; has < 2; has++) {
        machine.has_atomics = has != 0;
        run.image->arch = 10;
        assert_int_equal(planned(&run, &machine, HOST_FEATURES), 0);
        run.image->arch = 11;
        assert_int_equal(planned(&run, &machine, HOST_FEATURES), has);
    }
    kernel_release(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_writes_and_reads_back),
        cmocka_unit_test(test_host_pipelines),
        cmocka_unit_test(test_host_peeks_lines_and_their_parts),
        cmocka_unit_test(test_host_refuses_an_ack_that_nobody_asked_for),
        cmocka_unit_test(test_host_refuses_unknown_bits),
        cmocka_unit_test(test_host_refuses_unknown_bits_of_a_line),
        cmocka_unit_test(test_host_may_be_silent),
        cmocka_unit_test(test_host_gives_up_on_a_slave_that_stalls),
        cmocka_unit_test(test_host_waits_for_a_slave_that_answers),
        cmocka_unit_test(test_host_plan_makes_the_launch),
        cmocka_unit_test(test_host_plan_makes_the_largest_launch),
        cmocka_unit_test(test_host_plan_lays_pieces_over_each_other),
        cmocka_unit_test(test_host_plan_switches_atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
