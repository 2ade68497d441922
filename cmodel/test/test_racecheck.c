/* SPDX-License-Identifier: Apache-2.0 */
/* Races between warps, and accesses that are none: racecheck.h. The warps of a block take turns, warp 0 first; most
 * instructions here belong to one of two warps by their guard, so that the source shows the order. */
#include "fixture.h"

/* C0 is EQ in warp 0, NE in warp 1. */
#define WARPS                                        \
    "I2I.U32.U16 R3, R0L\n"         /* 00: thread */ \
    "SHR R1, R3, 0x5\n"             /* 08: warp */   \
    "I2I.U32.U32.C0 o [0x7f], R1\n" /* 10 */
#define GLOBAL                      /* behind WARPS */ \
    "MVI R4, 0x0\n"                 /* 18 */           \
    "MVI R5, 0x10\n"                /* 20 */
#define SYNC   "BAR.ARV.WAIT b0, 0xfff\n"
#define PUT    "GST.U32 global14 [R4] (C0.NE), R1\n"
#define TAKE   "GLD.U32 R7 (C0.EQ), global14 [R4]\n"
#define SIGNAL "GATOM.IADD.U32 R6 (C0.NE), global14 [R5], R1\n"
#define WAIT   "GATOM.IADD.U32 R6 (C0.EQ), global14 [R5], R1\n"
#define STORE  "R2G.U32.U32 g [0x8] (C0.NE), R1\n"
#define LOAD   "MOV R2 (C0.EQ), g [0x8]\n"

/* Blocks of two warps; each SM has room for one. */
static void start(struct fixture *f, const char *text, unsigned blocks) {
    fixture_source(f, text);
    f->image.block[0] = 64;
    f->image.grid[0] = blocks;
    f->image.shared_bytes = 1024;
    f->machine.blocks = 1;
    f->machine.has_atomics = true;
    fixture_launch(f);
    assert_true(model_check_races(f->m));
    assert_int_equal(fixture_run(f), MODEL_DONE);
    assert_false(model_races_failed(f->m));
}

/* Expects this number of racing pairs of instructions, and returns the first pair. */
static struct model_race expect_races(const char *text, unsigned blocks, size_t expected) {
    struct fixture f;
    size_t count;
    start(&f, text, blocks);
    const struct model_race *races = model_races(f.m, &count);
    const struct model_race first = count > 0 ? races[0] : (struct model_race){0};
    assert_int_equal(count, expected);
    fixture_teardown(&f);
    return first;
}

static void expect_none(const char *text) { (void)expect_races(text, 1, 0); }

static void expect_access(const struct model_racer *access, enum model_access_kind kind, uint32_t pc, unsigned block,
                          unsigned warp, unsigned lane) {
    assert_int_equal(access->kind, kind);
    assert_int_equal(access->pc, pc);
    assert_int_equal(access->block_x, block);
    assert_int_equal(access->block_y, 0);
    assert_int_equal(access->warp, warp);
    assert_int_equal(access->lane, lane);
}

/* Thread n stores word n + 8, so lane 3 of warp 0 stores word 11. */
static void test_racecheck_names_both_accesses(void **state) {
    (void)state;
    const struct model_race race = expect_races(WARPS "R2A A1, R3, 0x2\n"                    /* 18 */
                                                      "R2G.U32.U32 g [A1+0x8] (C0.EQ), R1\n" /* 20 */
                                                      "MOV R2 (C0.NE), g [0xb]\n"            /* 28 */
                                                      "!NOP\n",
                                                1, 1);
    assert_true(race.shared);
    assert_false(race.lanes);
    assert_int_equal(race.addr, 11 * 4);
    assert_int_equal(race.count, 1);
    expect_access(&race.first, MODEL_STORE, 0x20, 0, 0, 3);
    expect_access(&race.second, MODEL_LOAD, 0x28, 0, 1, 0);
}

/* Each lane of warp 0 reads the word of its lane of warp 1: 32 races of one pair. */
static void test_racecheck_counts_each_pair(void **state) {
    (void)state;
    struct model_race race = expect_races(WARPS "R2A A1, R3, 0x2\n"
                                                "R2G.U32.U32 g [A1+0x8] (C0.NE), R1\n"
                                                "ADA A2, A1, 0x80\n"
                                                "MOV R2 (C0.EQ), g [A2+0x8]\n"
                                                "!NOP\n",
                                          1, 1);
    assert_int_equal(race.count, 32);
    assert_int_equal(race.addr, 40 * 4);
    race = expect_races(WARPS "SHL R4, R3, 0x2\n"                   /* 18 */
                              "GLD.U32 R2 (C0.EQ), global14 [R4]\n" /* 20: 0 .. 7c */
                              "IADD32I R4, R4, 0xffffff80\n"        /* 28 */
                              "GST.U32 global14 [R4] (C0.NE), R1\n" /* 30: the same */
                              "!NOP\n",
                        1, 1);
    assert_false(race.shared);
    assert_int_equal(race.count, 32);
    assert_int_equal(race.addr, 0);
    expect_access(&race.first, MODEL_LOAD, 0x20, 0, 0, 0);
    expect_access(&race.second, MODEL_STORE, 0x30, 0, 1, 0);
    race = expect_races(WARPS GLOBAL PUT TAKE "!NOP\n", 1, 1);
    assert_int_equal(race.count, 1); /* all lanes load one word */
}

static void test_racecheck_barrier_orders(void **state) {
    (void)state;
    expect_none(WARPS STORE SYNC LOAD "!NOP\n");
    expect_none(WARPS STORE SYNC LOAD SYNC STORE "!NOP\n");
    expect_races(WARPS SYNC STORE LOAD "!NOP\n", 1, 1);
    expect_races(WARPS STORE LOAD SYNC "!NOP\n", 1, 1);
    const struct model_race race = expect_races(WARPS STORE SYNC LOAD /* 28 */ STORE /* 30 */ "!NOP\n", 1, 1);
    expect_access(&race.first, MODEL_LOAD, 0x28, 0, 0, 0);
    expect_access(&race.second, MODEL_STORE, 0x30, 0, 1, 0);
}

/* A warp that arrives without waiting is not ordered behind the barrier: its second store may precede or follow the
 * load. */
static void test_racecheck_arrival_orders_what_was_before(void **state) {
    (void)state;
    const struct model_race race = expect_races(WARPS "BRA C0.EQ, 0x40\n"         /* 18 */
                                                      "R2G.U32.U32 g [0x8], R1\n" /* 20: warp 1 */
                                                      "BAR.ARV b1, 0xfff\n"       /* 28 */
                                                      "R2G.U32.U32 g [0x9], R1\n" /* 30 */
                                                      "!NOP\n"                    /* 38 */
                                                      "BAR.ARV.WAIT b1, 0xfff\n"  /* 40: warp 0 */
                                                      "MOV R2, g [0x8]\n"         /* 48 */
                                                      "MOV R2, g [0x9]\n"         /* 50 */
                                                      "!NOP\n",
                                                1, 1);
    expect_access(&race.first, MODEL_STORE, 0x30, 0, 1, 31);
    expect_access(&race.second, MODEL_LOAD, 0x50, 0, 0, 0);
}

/* The barrier does not wait for the second arrival of a warp. */
static void test_racecheck_second_arrival_orders_nothing(void **state) {
    (void)state;
    expect_races(WARPS "BRA C0.EQ, 0x48\n"         /* 18 */
                       "BAR.ARV b1, 0xfff\n"       /* 20: warp 1 */
                       "R2G.U32.U32 g [0x8], R1\n" /* 28 */
                       "BAR.ARV b1, 0xfff\n"       /* 30 */
                       "BAR.ARV.WAIT b2, 0xfff\n"  /* 38 */
                       "!NOP\n"                    /* 40 */
                       "NOP\nNOP\nNOP\nNOP\n"      /* 48: warp 0 */
                       "BAR.ARV.WAIT b1, 0xfff\n"  /* 68 */
                       "MOV R2, g [0x8]\n"         /* 70 */
                       "BAR.ARV.WAIT b2, 0xfff\n"  /* 78 */
                       "!NOP\n",
                 1, 1);
}

/* The barrier does not wait for a finished warp. Without a barrier the end of a warp orders nothing. */
static void test_racecheck_end_of_a_warp(void **state) {
    (void)state;
    expect_none(WARPS "BRA C0.EQ, 0x30\n"         /* 18 */
                      "R2G.U32.U32 g [0x8], R1\n" /* 20: warp 1 */
                      "!NOP\n" SYNC               /* 28, 30 */
                      "MOV R2, g [0x8]\n"
                      "!NOP\n");
    expect_none(WARPS "BRA C0.EQ, 0x30\n"
                      "R2G.U32.U32 g [0x8], R1\n"
                      "!NOP\n"
                      "NOP\nNOP\nNOP\nNOP\n" SYNC "MOV R2, g [0x8]\n"
                      "!NOP\n");
    expect_races(WARPS "BRA C0.EQ, 0x30\n"
                       "R2G.U32.U32 g [0x8], R1\n"
                       "!NOP\n"
                       "NOP\nNOP\nNOP\nNOP\nMOV R2, g [0x8]\n"
                       "!NOP\n",
                 1, 1);
}

/* The second block starts when the first has ended, in the same slots, but nothing orders them. */
static void test_racecheck_blocks_are_not_ordered(void **state) {
    (void)state;
    const struct model_race race =
        expect_races(WARPS GLOBAL "GST.U32 global14 [R4] (C0.EQ), R1\n" /* 28 */ "!NOP\n", 2, 1);
    assert_false(race.shared);
    assert_int_equal(race.addr, 0);
    expect_access(&race.first, MODEL_STORE, 0x28, 0, 0, 31);
    expect_access(&race.second, MODEL_STORE, 0x28, 1, 0, 0);
    /* store and store, store and load */
    expect_races(WARPS GLOBAL "GST.U32 global14 [R4] (C0.EQ), R1\n" SYNC "GLD.U32 R2 (C0.NE), global14 [R4]\n!NOP\n", 2,
                 2);
    expect_races(WARPS GLOBAL SYNC "GST.U32 global14 [R4] (C0.EQ), R1\n" SYNC "!NOP\n", 2, 1);
}

static void test_racecheck_blocks_on_two_sms(void **state) {
    (void)state;
    struct fixture f;
    size_t count;
    fixture_source(&f, WARPS GLOBAL "GST.U32 global14 [R4], R1\n" /* 28 */ "!NOP\n");
    f.image.grid[0] = 2;
    f.machine.sms = 2;
    f.machine.blocks = 1;
    fixture_launch(&f);
    assert_true(model_check_races(f.m));
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    const struct model_race *races = model_races(f.m, &count);
    assert_int_equal(count, 1);
    expect_access(&races[0].first, MODEL_STORE, 0x28, 0, 0, 31);
    expect_access(&races[0].second, MODEL_STORE, 0x28, 1, 0, 0);
    fixture_teardown(&f);
}

/* Each block has its own shared memory. */
static void test_racecheck_shared_memory_is_of_a_block(void **state) {
    (void)state;
    (void)expect_races(WARPS "R2G.U32.U32 g [0x8] (C0.EQ), R1\n" SYNC "MOV R2 (C0.NE), g [0x8]\n!NOP\n", 3, 0);
}

static void test_racecheck_one_warp_is_ordered(void **state) {
    (void)state;
    expect_none(WARPS "R2G.U32.U32 g [0x8] (C0.NE), R1\nMOV R2 (C0.NE), g [0x8]\nR2G.U32.U32 g [0x8] (C0.NE), R1\n"
                      "!NOP\n");
}

static void test_racecheck_loads_do_not_race(void **state) {
    (void)state;
    expect_none(WARPS GLOBAL "MOV R2, g [0x8]\nGLD.U32 R2, global14 [R4]\n!NOP\n");
}

/* The winning lane is unspecified. */
/* The second load, which the barrier does not order; and each byte that the lanes of a load read. */
static void test_racecheck_keeps_each_load(void **state) {
    (void)state;
    const struct model_race race =
        expect_races(WARPS "MOV R2 (C0.NE), g [0x8]\n" SYNC "MOV R2 (C0.NE), g [0x8]\n" /* 28 */
                           "R2G.U32.U32 g [0x8] (C0.EQ), R1\nNOP\n!NOP\n",
                     1, 1);
    assert_int_equal(race.first.pc, 0x28);
    (void)expect_races(WARPS "MVI R5, 0x2\n"
                             "GLD.U8 R7 (C0.EQ), global14 [R3]\n"
                             "GST.U8 global14 [R5] (C0.NE), R1\n!NOP\n",
                       1, 1);
}

static void test_racecheck_lanes_of_one_store(void **state) {
    (void)state;
    const struct model_race race = expect_races(WARPS "R2G.U32.U32 g [0x8] (C0.EQ), R3\n" /* 18 */ "!NOP\n", 1, 1);
    assert_true(race.lanes);
    assert_int_equal(race.count, 31);
    expect_access(&race.first, MODEL_STORE, 0x18, 0, 0, 0);
    expect_access(&race.second, MODEL_STORE, 0x18, 0, 0, 1);
    (void)expect_races(WARPS "R2G.U32.U32 g [0x8], R3\n!NOP\n", 1, 2); /* of lanes, and of warps */
    expect_none(WARPS "R2G.U32.U32 g [0x8] (C0.EQ), R1\n!NOP\n");      /* the same value in all */
    expect_none(WARPS "SHL R3, R3, 0x8\n"                              /* in the byte that is stored */
                      "R2G.U32.U8 g [0x20] (C0.EQ), R3\n!NOP\n");
    expect_none(WARPS "MVI R4, 0x3\n"                     /* 18: one value in each round */
                      "R2G.U32.U32 g [0x8] (C0.EQ), R4\n" /* 20 */
                      "IADD32I R4, R4, 0xffffffff\n"      /* 28 */
                      "I2I.U32.U32.C1 o [0x7f], R4\n"     /* 30 */
                      "BRA C1.NE, 0x20\n"                 /* 38 */
                      "!NOP\n");
}

static void test_racecheck_goes_by_bytes(void **state) {
    (void)state;
    expect_none(WARPS "R2G.U32.U8 g [0x20] (C0.EQ), R1\nR2G.U32.U8 g [0x21] (C0.NE), R1\n!NOP\n");
    expect_none(WARPS "R2G.U32.U16 g [0x11] (C0.NE), R1\nR2G.U32.U8 g [0x21] (C0.EQ), R1\n!NOP\n");
    const struct model_race race =
        expect_races(WARPS "R2G.U32.U16 g [0x10] (C0.NE), R1\nR2G.U32.U8 g [0x21] (C0.EQ), R1\n!NOP\n", 1, 1);
    assert_int_equal(race.addr, 0x21);
}

static void test_racecheck_wide_accesses(void **state) {
    (void)state;
    const struct model_race race = expect_races(WARPS GLOBAL "IADD32I R6, R5, 0xfffffffc\n"
                                                             "GST.S128 global14 [R4] (C0.EQ), R8\n"
                                                             "GLD.U32 R2 (C0.NE), global14 [R5]\n"
                                                             "GLD.U8 R2 (C0.NE), global14 [R6]\n" /* 40 */
                                                             "!NOP\n",
                                                1, 1);
    assert_int_equal(race.addr, 0xc);
    assert_int_equal(race.second.pc, 0x40);
}

static void test_racecheck_atomics_order(void **state) {
    (void)state;
    expect_none(WARPS GLOBAL PUT SIGNAL WAIT TAKE "!NOP\n");
    expect_races(WARPS GLOBAL PUT WAIT SIGNAL TAKE "!NOP\n", 1, 1);
    expect_races(WARPS GLOBAL SIGNAL PUT WAIT TAKE "!NOP\n", 1, 1);
    expect_races(WARPS GLOBAL PUT SIGNAL "IADD32I R5, R5, 0x4\n" WAIT TAKE "!NOP\n", 1, 1);
}

/* A lock: the accesses of a block between its atomics on one word. */
static void test_racecheck_atomics_order_blocks(void **state) {
    (void)state;
    expect_races(WARPS GLOBAL WAIT TAKE "GST.U32 global14 [R4] (C0.EQ), R1\n" WAIT "!NOP\n", 3, 0);
    expect_races(WARPS GLOBAL WAIT TAKE "GST.U32 global14 [R4] (C0.EQ), R1\n!NOP\n", 2, 2);
}

/* Accesses after the atomic, even the next one, are not ordered. The atomic itself is. */
static void test_racecheck_atomics_order_what_was_before(void **state) {
    (void)state;
    struct fixture f;
    size_t count;
    expect_none(WARPS GLOBAL SIGNAL WAIT "GLD.U32 R7 (C0.EQ), global14 [R5]\n!NOP\n");
    fixture_source(&f, "MVI R5, 0x10\nGATOM.IADD.U32 R6, global14 [R5], R1\nGST.U32 global14 [R1], R1\n!NOP\n");
    f.image.grid[0] = 2;
    f.machine.blocks = 1; /* of one warp: its own instructions are ordered */
    f.machine.has_atomics = true;
    fixture_launch(&f);
    assert_true(model_check_races(f.m));
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    (void)model_races(f.m, &count);
    assert_int_equal(count, 1);
    fixture_teardown(&f);
}

/* A lock that one warp of each block takes on behalf of the other. */
static void test_racecheck_order_goes_on(void **state) {
    (void)state;
    (void)expect_races(WARPS GLOBAL SIGNAL SYNC TAKE "GST.U32 global14 [R4] (C0.EQ), R1\n" SYNC SIGNAL "!NOP\n", 3, 0);
}

/* A constant at the address of a store to shared memory. */
static void test_racecheck_constants_are_no_memory(void **state) {
    (void)state;
    struct fixture f;
    uint8_t zeros[64] = {0};
    size_t count;
    fixture_source(&f, WARPS STORE "IADD R2 (C0.EQ), R1, c [0x1] [0x8]\n!NOP\n");
    f.image.block[0] = 64;
    f.image.bank[1].bytes = zeros;
    f.image.bank[1].size = sizeof zeros;
    fixture_launch(&f);
    assert_true(model_check_races(f.m));
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    (void)model_races(f.m, &count);
    assert_int_equal(count, 0);
    fixture_teardown(&f);
}

static void test_racecheck_atomics_do_not_race(void **state) {
    (void)state;
    expect_none(WARPS GLOBAL "GRED.IADD.U32 global14 [R4], R1\nGATOM.IADD.U32 R6, global14 [R4], R1\n!NOP\n");
    const struct model_race race =
        expect_races(WARPS GLOBAL "GRED.IADD.U32 global14 [R4] (C0.NE), R1\n" TAKE "!NOP\n", 1, 1);
    expect_access(&race.first, MODEL_ATOMIC, 0x28, 0, 1, 31);
    expect_access(&race.second, MODEL_LOAD, 0x30, 0, 0, 0);
}

static void test_racecheck_starts_afresh(void **state) {
    (void)state;
    struct fixture f;
    size_t count;
    start(&f, WARPS STORE LOAD "!NOP\n", 1);
    fixture_launch(&f);
    assert_null(model_races(f.m, &count)); /* detection is off */
    assert_int_equal(count, 0);
    assert_true(model_check_races(f.m));
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    assert_int_equal(model_races(f.m, &count)->count, 1);
    assert_int_equal(count, 1);
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_racecheck_names_both_accesses),
        cmocka_unit_test(test_racecheck_counts_each_pair),
        cmocka_unit_test(test_racecheck_barrier_orders),
        cmocka_unit_test(test_racecheck_arrival_orders_what_was_before),
        cmocka_unit_test(test_racecheck_second_arrival_orders_nothing),
        cmocka_unit_test(test_racecheck_end_of_a_warp),
        cmocka_unit_test(test_racecheck_blocks_are_not_ordered),
        cmocka_unit_test(test_racecheck_blocks_on_two_sms),
        cmocka_unit_test(test_racecheck_shared_memory_is_of_a_block),
        cmocka_unit_test(test_racecheck_one_warp_is_ordered),
        cmocka_unit_test(test_racecheck_loads_do_not_race),
        cmocka_unit_test(test_racecheck_keeps_each_load),
        cmocka_unit_test(test_racecheck_lanes_of_one_store),
        cmocka_unit_test(test_racecheck_goes_by_bytes),
        cmocka_unit_test(test_racecheck_wide_accesses),
        cmocka_unit_test(test_racecheck_atomics_order),
        cmocka_unit_test(test_racecheck_atomics_order_blocks),
        cmocka_unit_test(test_racecheck_atomics_order_what_was_before),
        cmocka_unit_test(test_racecheck_order_goes_on),
        cmocka_unit_test(test_racecheck_constants_are_no_memory),
        cmocka_unit_test(test_racecheck_atomics_do_not_race),
        cmocka_unit_test(test_racecheck_starts_afresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
