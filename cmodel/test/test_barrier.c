/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers, blocks and their placement: docs/isa.md 6.6 and 2.2. */
#include "fixture.h"

#define SYNC "BAR.ARV.WAIT b0, 0xfff\n"

static void start(struct fixture *f, const char *text, unsigned threads) {
    fixture_source(f, text);
    f->image.block[0] = threads;
    fixture_launch(f);
}

static void test_barrier_last_arriver_releases_all(void **state) {
    (void)state;
    struct fixture f;
    start(&f, SYNC "!NOP\n", 96);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.warp, 0);
    assert_int_equal(r.state, RETIRE_BARRIER);
    assert_int_equal(r.next_pc, 8);
    assert_int_equal(r.next_active, 0xffffffff);
    struct model_warp warp;
    model_peek_warp(f.m, 0, 0, &warp);
    assert_int_equal(warp.state, RETIRE_BARRIER);
    assert_int_equal(warp.barrier, 0);
    r = fixture_step(&f);
    assert_int_equal(r.warp, 1);
    assert_int_equal(r.state, RETIRE_BARRIER);
    r = fixture_step(&f);
    assert_int_equal(r.warp, 2);
    assert_int_equal(r.state, RETIRE_READY);
    model_peek_warp(f.m, 0, 0, &warp);
    assert_int_equal(warp.state, RETIRE_READY);
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    fixture_teardown(&f);
}

/* Barriers do not wait for a finished warp: its end releases the others. Warp 1 leaves at once, warp 0 waits.
 */
static void test_barrier_finishing_warp_releases(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "I2I.U32.U16 R1, R0L\n"         /* 00 */
          "SHR R1, R1, 0x5\n"             /* 08: warp */
          "I2I.U32.U32.C0 o [0x7f], R1\n" /* 10: Z in warp 0 */
          "RET C0.NE\n"                   /* 18 */
          SYNC                            /* 20 */
          "!NOP\n",                       /* 28 */
          64);
    for (unsigned i = 0; i < 6; i++) fixture_step(&f);
    struct retire r = fixture_step(&f); /* warp 0: RET not taken */
    assert_int_equal(r.warp, 0);
    r = fixture_step(&f);
    assert_int_equal(r.warp, 1);
    assert_int_equal(r.state, RETIRE_FINISHED);
    r = fixture_step(&f);
    assert_int_equal(r.warp, 0);
    assert_int_equal(r.state, RETIRE_READY); /* alone, it does not wait */
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    fixture_teardown(&f);
}

/* The other order: warp 0 is waiting when warp 1 finishes. */
static void test_barrier_finishing_warp_releases_who_waits(void **state) {
    (void)state;
    struct fixture f;
    struct model_warp warp;
    start(&f,
          "I2I.U32.U16 R1, R0L\n"         /* 00 */
          "SHR R1, R1, 0x5\n"             /* 08: warp */
          "I2I.U32.U32.C0 o [0x7f], R1\n" /* 10: Z in warp 0 */
          "BRA C0.NE, 0x30\n"             /* 18 */
          SYNC                            /* 20 */
          "!NOP\n"                        /* 28 */
          "NOP\n"                         /* 30 */
          "!NOP\n",                       /* 38 */
          64);
    struct retire r = fixture_steps(&f, 9); /* the ninth step is warp 0's barrier */
    assert_int_equal(r.warp, 0);
    assert_int_equal(r.state, RETIRE_BARRIER);
    r = fixture_steps(&f, 2);
    assert_int_equal(r.warp, 1);
    assert_int_equal(r.state, RETIRE_FINISHED);
    model_peek_warp(f.m, 0, 0, &warp);
    assert_int_equal(warp.state, RETIRE_READY);
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    fixture_teardown(&f);
}

/* Warp 0 arrives at b1 without waiting; warp 1 waits there and is released at once, because all have arrived. */
static void test_barrier_arrive_alone_does_not_wait(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "BAR.ARV b1, 0xfff\nBAR.ARV.WAIT b1\n!NOP\n", 32);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.state, RETIRE_READY);
    r = fixture_step(&f);
    assert_int_equal(r.state, RETIRE_READY);
    fixture_teardown(&f);
}

static void test_barrier_ids_are_separate_and_can_deadlock(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "I2I.U32.U16 R1, R0L\n"
          "SHR R1, R1, 0x5\n"
          "I2I.U32.U32.C0 o [0x7f], R1\n"
          "BRA C0.NE, 0x30\n"
          "BAR.ARV.WAIT b0, 0xfff\n"
          "!NOP\n"
          "BAR.ARV.WAIT b1, 0xfff\n"
          "!NOP\n",
          64);
    assert_int_equal(fixture_run(&f), MODEL_STUCK);
    assert_false(model_finished(f.m));
    fixture_teardown(&f);
}

/* Warp 0 has arrived at b2 and waits at b1, warp 1 has arrived at b1 and waits at b2: the end of warp 2 completes
 * both. */
static void test_barrier_finishing_warp_completes_two(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "SHR R1, R0, 0x5\n"             /* 00: warp */
          "IADD32I R2, R1, 0xfffffffe\n"  /* 08 */
          "I2I.U32.U32.C0 o [0x7f], R1\n" /* 10: Z in warp 0 */
          "I2I.U32.U32.C1 o [0x7f], R2\n" /* 18: Z in warp 2 */
          "BRA C1.EQ, 0x58\n"             /* 20 */
          "BRA C0.NE, 0x48\n"             /* 28 */
          "BAR.ARV b2, 0xfff\n"           /* 30 */
          "BAR.ARV.WAIT b1, 0xfff\n"      /* 38 */
          "!NOP\n"                        /* 40 */
          "BAR.ARV b1, 0xfff\n"           /* 48 */
          "BAR.ARV.WAIT b2, 0xfff\n"      /* 50 */
          "NOP\n"                         /* 58 */
          "NOP\n"                         /* 60 */
          "NOP\n"                         /* 68 */
          "NOP\n"                         /* 70 */
          "!NOP\n",                       /* 78 */
          96);
    const struct retire r = fixture_steps(&f, 8 + 8 + 10);
    assert_int_equal(r.warp, 2);
    assert_int_equal(r.state, RETIRE_FINISHED);
    for (unsigned slot = 0; slot < 2; slot++) {
        struct model_warp warp;
        model_peek_warp(f.m, 0, slot, &warp);
        assert_int_equal(warp.state, RETIRE_READY);
    }
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    fixture_teardown(&f);
}

/* Each SM wakes its own warps. */
static void test_barrier_on_several_sms(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "BAR.ARV.WAIT b0, 0xfff\n!NOP\n");
    f.machine.sms = 2;
    f.machine.blocks = 1;
    f.image.grid[0] = 2;
    f.image.block[0] = 64;
    fixture_launch(&f);
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    fixture_teardown(&f);
}

static void test_barrier_undefined_options_trap(void **state) {
    (void)state;
    assert_int_equal(fixture_trap_of("BAR.WAIT b0, 0xfff\n"), TRAP_BARRIER_PARTIAL);
    assert_int_equal(fixture_trap_of("BAR b0, 0xfff\n"), TRAP_BARRIER_PARTIAL);
    assert_int_equal(fixture_trap_of("BAR.ARV.WAIT b0, 0x2\n"), TRAP_BARRIER_PARTIAL);
    /* also if the mask has all warps of the block, and all bits but one */
    assert_int_equal(fixture_trap_of("BAR.ARV.WAIT b0, 0x1\n"), TRAP_BARRIER_PARTIAL);
    assert_int_equal(fixture_trap_of("BAR.ARV.WAIT b0, 0x7ff\n"), TRAP_BARRIER_PARTIAL);
    assert_int_equal(
        fixture_trap_of("I2I.U32.U16.C0 R1, R0L\nSSY 0x20\nBRA C0.NE, 0x20\nBAR.ARV.WAIT b0, 0xfff\nNOP.S\n!NOP\n"),
        TRAP_BARRIER_PARTIAL);
    /* the others wait for a BRK */
    assert_int_equal(fixture_trap_of("I2I.U32.U16.C0 R1, R0L\nPBK 0x20\nBRK C0.NE\nBAR.ARV.WAIT b0, 0xfff\n!NOP\n"),
                     TRAP_BARRIER_PARTIAL);
}

/* Barriers do not wait for threads that have left, even if their call was still on the stack: they return from it
 * without effect. */
static void test_barrier_after_a_part_has_left_a_call(void **state) {
    (void)state;
    struct fixture f;
    struct model_warp warp;
    start(&f,
          "CAL 0x20\n"  /* 00 */
          "RET C0.NE\n" /* 08: lanes 16..31 end, the call is over */
          SYNC          /* 10 */
          "!NOP\n"      /* 18 */
          "RET\n",      /* 20 */
          32);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) model_poke_creg(f.m, 0, 0, lane, 0, lane < 16 ? 1 : 0);
    const struct retire r = fixture_steps(&f, 4);
    assert_int_equal(r.trap, TRAP_NONE);
    assert_int_equal(r.active, 0x0000ffff);
    model_peek_warp(f.m, 0, 0, &warp);
    assert_int_equal(warp.alive, 0x0000ffff);
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    fixture_teardown(&f);
}

/* Block header, parameters and R0. Source: docs/isa.md 2.2. */
static void test_block_header_parameters_and_thread_ids(void **state) {
    (void)state;
    struct fixture f;
    uint32_t params[] = {0x11223344, 0x55667788};
    const uint8_t header[24] = {0, 0, 5, 0, 4,    0,    3,    0,    2,    0,    1,    0,
                                0, 0, 0, 0, 0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55};
    fixture_source(&f, "!NOP\n");
    f.image.grid[0] = 2;
    f.image.block[0] = 5;
    f.image.block[1] = 4;
    f.image.block[2] = 3;
    f.image.params = params;
    f.image.param_count = 2;
    fixture_launch(&f);
    assert_memory_equal(model_shared(f.m, 0, 0), header, sizeof header);
    assert_int_equal(model_shared(f.m, 0, 2)[12], 1); /* blockIdx.x of the second block, in slots 2 and 3 */
    assert_int_equal(model_peek_reg(f.m, 0, 0, 7, 0), 0x00010002);                /* x 2, y 1 */
    assert_int_equal(model_peek_reg(f.m, 0, 0, 23, 0), 3u | 0u << 16 | 1u << 26); /* 23 = 20 + 3 */
    assert_int_equal(model_peek_reg(f.m, 0, 1, 27, 0), 4u | 3u << 16 | 2u << 26); /* thread 59, the last */
    struct model_warp warp;
    model_peek_warp(f.m, 0, 1, &warp);
    assert_int_equal(warp.active, 0x0fffffff);
    assert_int_equal(model_peek_reg(f.m, 0, 1, 28, 0), 0); /* no thread beyond it */
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    f.image.params = NULL;
    fixture_teardown(&f);
}

/* The last thread of the longest dimensions, in lane 31 of the last warp. */
static void test_block_of_the_largest_ids(void **state) {
    (void)state;
    static const struct {
        uint32_t block[3], r0;
    } CASES[] = {
        {{1024, 1, 1}, 1023                    },
        {{1, 1024, 1}, 1023u << 16             },
        {{8, 2, 64},   7 | 1u << 16 | 63u << 26},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct fixture f;
        fixture_source(&f, "!NOP\n");
        memcpy(f.image.block, CASES[i].block, sizeof f.image.block);
        fixture_launch(&f);
        assert_int_equal(model_peek_reg(f.m, 0, 31, 31, 0), CASES[i].r0);
        fixture_teardown(&f);
    }
}

/* The header of the last block of the largest grid. */
static void test_block_of_the_largest_grid(void **state) {
    (void)state;
    struct fixture f;
    struct retire out;
    const struct retire rtl = fixture_record(0, 0, 65534, 65533, 0);
    fixture_source(&f, "MOV R1, g [0x2]\nMOV R2, g [0x3]\n!NOP\n");
    f.image.grid[0] = 65535;
    f.image.grid[1] = 65534;
    fixture_launch(&f);
    for (unsigned i = 0; i < 2; i++) assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 0, 1), 0xfffeffff); /* gridDim */
    assert_int_equal(model_peek_reg(f.m, 0, 0, 0, 2), 0xfffdfffe); /* blockIdx */
    fixture_teardown(&f);
}

/* Rows of more than 256 blocks: the blocks run one after another. */
static void test_block_order_in_long_rows(void **state) {
    (void)state;
    enum { ROW = 300 };
    struct fixture f;
    fixture_source(&f, "!NOP\n");
    f.machine.blocks = 1;
    f.image.grid[0] = ROW;
    f.image.grid[1] = 2;
    fixture_launch(&f);
    for (unsigned i = 0; i < 2 * ROW; i++) {
        const struct retire r = fixture_step(&f);
        assert_int_equal(r.block_x, i % ROW);
        assert_int_equal(r.block_y, i / ROW);
    }
    fixture_teardown(&f);
}

/* Blocks go out in order, x fastest, to the first SM with room. */
static void test_block_dispatch_order_and_limits(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "!NOP\n");
    f.machine.sms = 2;
    f.machine.blocks = 2;
    f.image.grid[0] = 3;
    f.image.grid[1] = 2;
    fixture_launch(&f);
    const struct {
        unsigned sm, slot;
        uint16_t x, y;
    } places[] = {
        {0, 0, 0, 0},
        {0, 1, 1, 0},
        {1, 0, 2, 0},
        {1, 1, 0, 1}
    };
    for (size_t i = 0; i < 4; i++) {
        struct model_warp warp;
        model_peek_warp(f.m, places[i].sm, places[i].slot, &warp);
        assert_true(warp.present);
        assert_int_equal(warp.block_x, places[i].x);
        assert_int_equal(warp.block_y, places[i].y);
    }
    unsigned seen = 0;
    struct retire r;
    while (model_run_step(f.m, &r) == MODEL_RETIRED) seen |= 1u << (r.block_y * 3 + r.block_x);
    assert_int_equal(seen, 0x3f);
    assert_true(model_finished(f.m));
    fixture_teardown(&f);
}

/* The first `warps` slots have a warp, and no more; all blocks run. */
static void check_residency(struct fixture *f, unsigned warps) {
    struct model_warp warp;
    fixture_launch(f);
    model_peek_warp(f->m, 0, warps - 1, &warp);
    assert_true(warp.present);
    model_peek_warp(f->m, 0, warps, &warp);
    assert_false(warp.present);
    assert_int_equal(fixture_run(f), MODEL_DONE);
    fixture_teardown(f);
}

/* 16384 registers hold 8 warps of 64 registers: two blocks of 3 warps, whatever the other limits, even if the last warp
 * is partial: counted by threads, three blocks of 85 would fit. */
static void test_block_registers_limit_residency(void **state) {
    (void)state;
    static const uint32_t THREADS[] = {85, 96};
    for (size_t i = 0; i < sizeof THREADS / sizeof THREADS[0]; i++) {
        struct fixture f;
        fixture_source(&f, "!NOP\n");
        f.image.regs = 64;
        f.image.block[0] = THREADS[i];
        f.image.grid[0] = 3;
        check_residency(&f, 2 * 3);
    }
}

/* The largest number of rows of a grid, one block after the other on a machine that holds one. */
static void test_block_order_in_the_most_rows(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "!NOP\n");
    f.machine.blocks = 1;
    f.image.grid[1] = 65535;
    fixture_launch(&f);
    for (uint32_t y = 0; y < 65535; y++) {
        const struct retire r = fixture_step(&f);
        assert_int_equal(r.block_x, 0);
        assert_int_equal(r.block_y, y);
    }
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    fixture_teardown(&f);
}

/* 100 threads have room for one block of 64, not for two; and for three blocks of 33, because absent threads do not
 * count. */
static void test_block_threads_limit_residency(void **state) {
    (void)state;
    static const uint32_t THREADS[] = {64, 33};
    for (uint32_t i = 0; i < 2; i++) {
        struct fixture f;
        fixture_source(&f, "!NOP\n");
        f.machine.threads = 100;
        f.image.block[0] = THREADS[i];
        f.image.grid[0] = 4;
        check_residency(&f, i == 0 ? 2 : 2 * 3);
    }
}

/* A machine may have 64 warps, and a block all of them. */
static void test_block_of_all_warps(void **state) {
    (void)state;
    struct fixture f;
    struct model_counts counts;
    fixture_source(&f, "NOP\nBAR.ARV.WAIT b0, 0xfff\n!NOP\n");
    f.machine.warps = 64;
    f.machine.threads = 2048;
    f.machine.registers = 32768;
    f.image.block[0] = 1024;
    f.image.block[1] = 2;
    fixture_launch(&f);
    for (unsigned i = 0; i < 2 * 64; i++) assert_int_equal(fixture_step(&f).warp, i % 64);
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    model_get_counts(f.m, &counts);
    assert_int_equal(counts.warp_instructions, 3 * 64);
    fixture_teardown(&f);
}

/* A block's end returns its resources to the SM: many more blocks than fit at a time all run. */
static void test_block_gives_back_what_it_took(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "!NOP\n");
    f.image.grid[0] = 600;
    fixture_launch(&f);
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    assert_true(model_finished(f.m));
    fixture_teardown(&f);
}

/* SMs take turns, and in each SM its warps; the next launch begins with the first of both again. */
static void test_block_warps_take_turns(void **state) {
    (void)state;
    enum { SMS = 3, WARPS = 2, STEPS = 3 };
    struct fixture f;
    fixture_source(&f, "NOP\nNOP\n!NOP\n");
    f.machine.sms = SMS;
    f.machine.blocks = 1;
    f.image.grid[0] = SMS;
    f.image.block[0] = WARPS * WARP_LANES;
    fixture_launch(&f);
    fixture_steps(&f, SMS + 1);
    fixture_launch(&f);
    for (unsigned i = 0; i < SMS * WARPS * STEPS; i++) {
        const struct retire r = fixture_step(&f);
        assert_int_equal(r.sm, i % SMS);
        assert_int_equal(r.warp, i / SMS % WARPS);
    }
    assert_true(model_finished(f.m));
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barrier_last_arriver_releases_all),
        cmocka_unit_test(test_barrier_finishing_warp_releases),
        cmocka_unit_test(test_barrier_finishing_warp_releases_who_waits),
        cmocka_unit_test(test_barrier_arrive_alone_does_not_wait),
        cmocka_unit_test(test_barrier_ids_are_separate_and_can_deadlock),
        cmocka_unit_test(test_barrier_finishing_warp_completes_two),
        cmocka_unit_test(test_barrier_on_several_sms),
        cmocka_unit_test(test_barrier_undefined_options_trap),
        cmocka_unit_test(test_barrier_after_a_part_has_left_a_call),
        cmocka_unit_test(test_block_header_parameters_and_thread_ids),
        cmocka_unit_test(test_block_of_the_largest_ids),
        cmocka_unit_test(test_block_of_the_largest_grid),
        cmocka_unit_test(test_block_order_in_long_rows),
        cmocka_unit_test(test_block_dispatch_order_and_limits),
        cmocka_unit_test(test_block_warps_take_turns),
        cmocka_unit_test(test_block_registers_limit_residency),
        cmocka_unit_test(test_block_order_in_the_most_rows),
        cmocka_unit_test(test_block_threads_limit_residency),
        cmocka_unit_test(test_block_of_all_warps),
        cmocka_unit_test(test_block_gives_back_what_it_took),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
