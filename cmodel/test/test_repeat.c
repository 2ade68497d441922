/* SPDX-License-Identifier: Apache-2.0 */
/* Endless loops are found, and nothing else is reported as one. */
#include "../turns.h"
#include "fixture.h"

enum { STEPS_MAX = 1000000 };

/* Runs a source on `threads` threads to its end or to STEPS_MAX; the fixture stays for inspection. */
static enum model_result run(struct fixture *f, const char *source, unsigned threads) {
    uint64_t steps;
    fixture_source(f, source);
    f->image.block[0] = threads;
    f->machine.has_atomics = true;
    fixture_launch(f);
    return model_run(f->m, STEPS_MAX, &steps);
}

static void check(const char *source, unsigned threads, enum model_result result) {
    struct fixture f;
    assert_int_equal(run(&f, source, threads), result);
    assert_int_equal(model_is_hung(f.m), result == MODEL_STUCK);
    fixture_teardown(&f);
}

static void test_repeat_finds_loops_that_change_nothing(void **state) {
    (void)state;
    check("BRA 0x0\n", 32, MODEL_STUCK);
    check("MVI R1, 0x5\nIADD32I R1, R1, 0x1\nIADD32I R1, R1, 0xffffffff\nBRA 0x8\n", 96, MODEL_STUCK);
    check("I2I.U32.U16.C0 R1, R0L\nSSY 0x18\nBRA C0.NE, 0x10\nBRA 0x18\n", 64, MODEL_STUCK); /* divided */
    check("MVI R1, 0x0\nADA A1, A0, 0x10\nISET.C0 o [0x7f], R1, R1, NE\nBRA C0.EQ, 0x10\n!NOP\n", 32, MODEL_STUCK);
}

/* No remaining warp would store. */
static void test_repeat_finds_waits_for_what_nobody_stores(void **state) {
    (void)state;
    check("I2I.U32.U32.C0 R1, g [0x4]\nBRA C0.EQ, 0x0\n!NOP\n", 32, MODEL_STUCK);
    check("MVI R2, 0x100\nGLD.U32 R1, global14 [R2]\nI2I.U32.U32.C0 o [0x7f], R1\nBRA C0.EQ, 0x8\n!NOP\n", 64,
          MODEL_STUCK);
}

/* A store of the present value changes nothing, nor does an atomic operation that leaves the old value. */
static void test_repeat_finds_stores_of_the_same(void **state) {
    (void)state;
    check("MVI R1, 0x100\nMVI R2, 0x7\nGST.U32 global14 [R1], R2\nBRA 0x10\n", 64, MODEL_STUCK);
    check("MVI R1, 0x7\nR2G.U32.U32 g [0x8], R1\nBRA 0x8\n", 64, MODEL_STUCK);
    check("MVI R1, 0x100\nGST.U32 global14 [R1], R0\nBRA 0x8\n", 32, MODEL_STUCK); /* the last lane wins */
    check("MVI R1, 0x100\nMVI R2, 0x1\nGRED.IMAX.U32 global14 [R1], R2\nBRA 0x10\n", 64, MODEL_STUCK);
    /* a lock that is never released */
    check("MVI R1, 0x100\nMVI R2, 0x0\nMVI R3, 0x1\nGATOM.CAS.U32 R4, global14 [R1], R2, R3\n"
          "I2I.U32.U32.C0 o [0x7f], R4\nBRA C0.NE, 0x18\nBRA 0x18\n",
          64, MODEL_STUCK);
}

/* Two stores alternate, and restore the old value: the whole machine repeats. */
static void test_repeat_finds_machines_that_come_back(void **state) {
    (void)state;
    check("MVI R1, 0x100\nMVI R2, 0x0\nMVI R3, 0x1\nGST.U32 global14 [R1], R2\nGST.U32 global14 [R1], R3\n"
          "BRA 0x18\n",
          96, MODEL_STUCK);
    check("BAR.ARV.WAIT b0, 0xfff\nBRA 0x0\n", 96, MODEL_STUCK);
    /* a word of global memory that alternates between 0 and 1 */
    check("MVI R1, 0x100\nMVI R2, 0x1\nGLD.U32 R3, global14 [R1]\nLOP.XOR R3, R3, R2\nGST.U32 global14 [R1], R3\n"
          "BRA 0x10\n",
          64, MODEL_STUCK);
}

/* A loop that counts in memory, or reads the clock, is not found. */
static void test_repeat_lets_memory_count(void **state) {
    (void)state;
    check("MVI R1, 0x100\nMVI R2, 0x1\nMVI R4, 0x4e20\nGLD.U32 R3, global14 [R1]\nIADD R3, R3, R2\n"
          "GST.U32 global14 [R1], R3\nISET.C0 o [0x7f], R3, R4, LT\nMVI R3, 0x0\nBRA C0.NE, 0x18\n!NOP\n",
          32, MODEL_DONE);
    check("MVI R1, 0x100\nMVI R2, 0x1\nMVI R4, 0x4e20\nGATOM.IADD.U32 R3, global14 [R1], R2\n"
          "ISET.C0 o [0x7f], R3, R4, LT\nMVI R3, 0x0\nBRA C0.NE, 0x18\n!NOP\n",
          64, MODEL_DONE);
}

/* Warp 0 loops, warp 1 waits at a barrier: the report distinguishes them. */
static void test_repeat_tells_who_loops(void **state) {
    (void)state;
    struct fixture f;
    struct model_warp warp;
    assert_int_equal(run(&f, "SHR.C0 R1, R0, 0x5\nBRA C0.EQ, 0x8\nBAR.ARV.WAIT b0, 0xfff\n!NOP\n", 64), MODEL_STUCK);
    model_peek_warp(f.m, 0, 0, &warp);
    assert_true(warp.repeats);
    assert_int_equal(warp.pc, 8);
    model_peek_warp(f.m, 0, 1, &warp);
    assert_false(warp.repeats);
    assert_int_equal(warp.state, RETIRE_BARRIER);
    fixture_teardown(&f);
}

/* 20000 iterations are more than enough for the detectors to look. */
static void test_repeat_lets_loops_end(void **state) {
    (void)state;
    static const char COUNTS[] = "MVI R1, 0x4e20\nIADD32I R1, R1, 0xffffffff\nI2I.U32.U32.C0 o [0x7f], R1\n"
                                 "BRA C0.NE, 0x8\n!NOP\n";
    check(COUNTS, 32, MODEL_DONE);
    /* until the clock says 0x8000 */
    check("MVI R2, 0x8000\nS2R R1, SR1\nISET.C0 o [0x7f], R1, R2, LT\nBRA C0.NE, 0x8\n!NOP\n", 32, MODEL_DONE);
    /* by adding one to a word of shared or global memory until it is 0x2000 */
    check("MVI R2, 0x2000\nMVI R1, 0x0\nR2G.U32.U32 g [0x8], R1\nMOV R1, g [0x8]\nIADD32I R1, R1, 0x1\n"
          "R2G.U32.U32 g [0x8], R1\nISET.C0 o [0x7f], R1, R2, LT\nMVI R1, 0x0\nBRA C0.NE, 0x18\n!NOP\n",
          32, MODEL_DONE);
    check("MVI R2, 0x2000\nMVI R3, 0x100\nGLD.U32 R1, global14 [R3]\nIADD32I R1, R1, 0x1\n"
          "GST.U32 global14 [R3], R1\nISET.C0 o [0x7f], R1, R2, LT\nMVI R1, 0x0\nBRA C0.NE, 0x10\n!NOP\n",
          32, MODEL_DONE);
}

/* Warp 0 waits for a word that warp 1 stores after 20000 iterations; the word may be in either memory. */
static void test_repeat_lets_warps_wait_for_each_other(void **state) {
    (void)state;
    check("MVI R3, 0x0\nR2G.U32.U32 g [0x8], R3\nSHR.C0 R1, R0, 0x5\nBRA C0.NE, 0x38\n"
          "I2I.U32.U32.C0 R2, g [0x8]\nBRA C0.EQ, 0x20\n!NOP\n"
          "MVI R1, 0x4e20\nIADD32I R1, R1, 0xffffffff\nI2I.U32.U32.C0 o [0x7f], R1\nBRA C0.NE, 0x40\n"
          "MVI R1, 0x1\nR2G.U32.U32 g [0x8], R1\n!NOP\n",
          64, MODEL_DONE);
    check("MVI R3, 0x100\nSHR.C0 R1, R0, 0x5\nBRA C0.NE, 0x38\n"
          "GLD.U32 R2, global14 [R3]\nI2I.U32.U32.C0 R2, R2\nBRA C0.EQ, 0x18\n!NOP\n"
          "MVI R1, 0x4e20\nIADD32I R1, R1, 0xffffffff\nI2I.U32.U32.C0 o [0x7f], R1\nBRA C0.NE, 0x40\n"
          "MVI R1, 0x1\nGST.U32 global14 [R3], R1\n!NOP\n",
          64, MODEL_DONE);
}

/* A clock that is read once in 2048 backward branches, so that some comparisons have no read in between. */
static void test_repeat_lets_loops_ask_now_and_then(void **state) {
    (void)state;
    check("MVI R2, 0x10000\nMVI R1, 0x800\nIADD32I R1, R1, 0xffffffff\nI2I.U32.U32.C0 o [0x7f], R1\nBRA C0.NE, 0x10\n"
          "S2R R1, SR1\nISET.C0 o [0x7f], R1, R2, LT\nMVI R1, 0x0\nBRA C0.NE, 0x8\n!NOP\n",
          32, MODEL_DONE);
}

/* Warp 0 loads a word once in 2048 long iterations, and traps when it is set. Warp 1 sets it after `rounds` and loops
 * for ever: this is found before warp 0 loads again. */
static void check_set(const char *load, const char *store, unsigned rounds) {
    char source[1024];
    int length = snprintf(source, sizeof source,
                          "MVI R3, 0x0\nR2G.U32.U32 g [0x8], R3\nMVI R3, 0x100\nSHR.C0 R1, R0, 0x5\nBRA C0.NE, 0x98\n"
                          "%sMVI R1, 0x800\n",
                          load); /* at 0x28 and 0x30 */
    for (unsigned i = 0; i < 6; i++) length += snprintf(source + length, sizeof source - (size_t)length, "NOP\n");
    snprintf(source + length, sizeof source - (size_t)length,
             "IADD32I R1, R1, 0xffffffff\nI2I.U32.U32.C0 o [0x7f], R1\nBRA C0.NE, 0x38\n"
             "I2I.U32.U32.C0 o [0x7f], R2\nBRA C0.EQ, 0x28\nTRAP\n"
             "MVI R1, 0x%x\nIADD32I R1, R1, 0xffffffff\nI2I.U32.U32.C0 o [0x7f], R1\nBRA C0.NE, 0xa0\n"
             "MVI R1, 0x1\n%sBRA 0xc8\n",
             rounds, store);
    check(source, 64, MODEL_TRAPPED);
}

static void test_repeat_forgets_what_a_store_may_change(void **state) {
    (void)state;
    for (unsigned rounds = 10000; rounds < 18000; rounds += 1000) {
        check_set("MOV R2, g [0x8]\n", "R2G.U32.U32 g [0x8], R1\n", rounds);
        check_set("GLD.U32 R2, global14 [R3]\n", "GST.U32 global14 [R3], R1\n", rounds);
    }
}

/* Warp 0 loops for ever; the trap of warp 1 is still found. */
static void test_repeat_lets_others_trap(void **state) {
    (void)state;
    check("SHR.C0 R1, R0, 0x5\nBRA C0.EQ, 0x8\n"
          "MVI R1, 0x4e20\nIADD32I R1, R1, 0xffffffff\nI2I.U32.U32.C0 o [0x7f], R1\nBRA C0.NE, 0x18\nTRAP\n",
          64, MODEL_TRAPPED);
}

/* Each iteration leaves other values in memory. */
static void test_repeat_does_not_find_loops_that_change_memory(void **state) {
    (void)state;
    check("MVI R1, 0x100\nGLD.U32 R2, global14 [R1]\nIADD32I R2, R2, 0x1\nGST.U32 global14 [R1], R2\nBRA 0x8\n", 32,
          MODEL_RETIRED);
}

/* Lockstep: while the RTL may place another block, nothing is certain. */
static void test_repeat_waits_for_all_blocks(void **state) {
    (void)state;
    struct fixture f;
    struct retire out;
    fixture_source(&f, "BRA 0x0\n");
    f.image.grid[0] = 2;
    fixture_launch(&f);
    for (unsigned x = 0; x < 2; x++) {
        assert_false(model_is_hung(f.m));
        const struct retire record = fixture_record(0, x, x, 0, 0);
        for (unsigned i = 0; i < 20000; i++) assert_int_equal(model_step_follow(f.m, &record, &out), MODEL_RETIRED);
    }
    assert_true(model_is_hung(f.m));
    fixture_teardown(&f);
}

/* Lockstep: stores of the same value are found in any order of the warps; a value that two stores restore is not. */
static void test_repeat_follows_stores(void **state) {
    (void)state;
    static const struct {
        const char *source;
        bool hung;
    } LOOPS[] = {
        {"MVI R1, 0x100\nGST.U32 global14 [R1], R0\nBRA 0x8\n",                                          true },
        {"MVI R1, 0x100\nMVI R2, 0x0\nGST.U32 global14 [R1], R1\nGST.U32 global14 [R1], R2\nBRA 0x10\n", false},
    };
    for (size_t i = 0; i < sizeof LOOPS / sizeof LOOPS[0]; i++) {
        struct fixture f;
        struct retire out;
        fixture_source(&f, LOOPS[i].source);
        fixture_launch(&f);
        const struct retire record = fixture_record(0, 0, 0, 0, 0);
        for (unsigned n = 0; n < 20000; n++) assert_int_equal(model_step_follow(f.m, &record, &out), MODEL_RETIRED);
        assert_int_equal(model_is_hung(f.m), LOOPS[i].hung);
        fixture_teardown(&f);
    }
}

/* Each 512th branch back counts for 512, wherever it is: of 1999 and 4999 branches 3 and 10 of them. */
static void test_repeat_counts_the_turns_of_loops(void **state) {
    (void)state;
#define LOOP(turns, pc) \
    "MVI R1, " turns "\nIADD32I R1, R1, -1\nI2I.U32.U32.C0 o [0x7f], R1\nBRA C0.NE, " pc "\n" /* 4 x 8 bytes */
    struct model_turns most[3];
    struct fixture f;
    struct diag d = {0};
    uint64_t steps;
    fixture_source(&f, LOOP("2000", "0x8") LOOP("5000", "0x28") "RET\n");
    fixture_launch(&f);
    assert_int_equal(model_turns(f.m, most, 3), 0);
    assert_int_equal(model_run(f.m, STEPS_MAX, &steps), MODEL_DONE);
    assert_int_equal(model_turns(f.m, most, 3), 2);
    assert_int_equal(most[0].pc, 0x28);
    assert_int_equal(most[0].count, 10 * 512);
    assert_int_equal(most[1].pc, 0x8);
    assert_int_equal(most[1].count, 3 * 512);
    most[0].pc = 0;
    assert_int_equal(model_turns(f.m, most, 1), 1); /* the most frequent one */
    assert_int_equal(most[0].pc, 0x28);
    assert_int_equal(model_launch(f.m, &f.image, &d), STATUS_OK);
    assert_int_equal(model_turns(f.m, most, 3), 0);
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeat_finds_loops_that_change_nothing),
        cmocka_unit_test(test_repeat_finds_waits_for_what_nobody_stores),
        cmocka_unit_test(test_repeat_finds_stores_of_the_same),
        cmocka_unit_test(test_repeat_finds_machines_that_come_back),
        cmocka_unit_test(test_repeat_lets_memory_count),
        cmocka_unit_test(test_repeat_tells_who_loops),
        cmocka_unit_test(test_repeat_lets_loops_end),
        cmocka_unit_test(test_repeat_lets_warps_wait_for_each_other),
        cmocka_unit_test(test_repeat_lets_loops_ask_now_and_then),
        cmocka_unit_test(test_repeat_forgets_what_a_store_may_change),
        cmocka_unit_test(test_repeat_lets_others_trap),
        cmocka_unit_test(test_repeat_does_not_find_loops_that_change_memory),
        cmocka_unit_test(test_repeat_waits_for_all_blocks),
        cmocka_unit_test(test_repeat_follows_stores),
        cmocka_unit_test(test_repeat_counts_the_turns_of_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
