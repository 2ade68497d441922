/* SPDX-License-Identifier: Apache-2.0 */
/* Undefined values: reads, the number of reports, and the value read. Contract: everything but R0, the block header,
 * parameters, constants and global memory is undefined until it is written. */
#include <stdio.h>

#include "fixture.h"

static size_t run(const char *text, struct model_undefined *first, uint64_t *reads) {
    struct fixture f;
    struct model_counts counts;
    fixture_source(&f, text);
    f.image.local_bytes = 16;
    fixture_launch(&f);
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    const size_t count = model_undefined_count(f.m);
    if (count > 0) *first = *model_undefined_at(f.m, 0);
    model_get_counts(f.m, &counts);
    *reads = counts.undefined_reads;
    assert_null(model_undefined_at(f.m, count));
    fixture_teardown(&f);
    return count;
}

static void check(const char *text, size_t count, const char *what, uint32_t pc, uint64_t reads) {
    struct model_undefined first = {0};
    uint64_t actual_reads;
    assert_int_equal(run(text, &first, &actual_reads), count);
    assert_int_equal(actual_reads, reads);
    if (count > 0) {
        assert_string_equal(first.what, what);
        assert_int_equal(first.pc, pc);
    }
}

static void test_undefined_reads_are_named(void **state) {
    (void)state;
    check("IADD R1, R0, R5\n!NOP\n", 1, "R5", 0, 32);
    check("MOV.U16 R1L, R0H\nMOV R2, R1\n!NOP\n", 1, "R1", 8, 32); /* the high half of R1 */
    check("MOV.U16 R1L, R0H\nMOV.U16 R2L, R1H\n!NOP\n", 1, "R1H", 8, 32);
    check("MOV.U16 R1H, R0L\nMOV.U16 R2L, R1L\n!NOP\n", 1, "R1L", 8, 32);
    check("MOV.U16 R1H, R0L\nMOV.U16 R2L, R1H\nMOV R2, R1\n!NOP\n", 1, "R1", 16, 32);
    check("MOV R2 (C1.NE), R0\n!NOP\n", 1, "C1", 0, 32);
    check("IADD.CARRY3 R2, R0, R0\n!NOP\n", 1, "C3", 0, 32);
    check("A2R R1, A3\n!NOP\n", 1, "A3", 0, 32);
    check("ADA A2, A2, 0x4\n!NOP\n", 1, "A2", 0, 32);
    check("MOV R1, g [A1+0x0]\n!NOP\n", 1, "A1", 0, 32);
    check("MOV R1, g [0x9]\n!NOP\n", 1, "shared 0x24", 0, 32);
    check("LLD.U32 R1, local [0x8]\n!NOP\n", 1, "local 0x8", 0, 32);
    check("LST.U8 local [0x9], R0\nLLD.U16 R1, local [0x8]\n!NOP\n", 1, "local 0x8", 8, 32); /* half of it */
    check("LST.U8 local [0x8], R0\nLLD.U16 R1, local [0x8]\n!NOP\n", 1, "local 0x8", 8, 32);
    check("R2G.U16.U16 g [0x12], R0L\nMOV R1, g [0x9]\n!NOP\n", 1, "shared 0x24", 8, 32);
    check("R2G.U16.U16 g [0x13], R0L\nMOV R1, g [0x9]\n!NOP\n", 1, "shared 0x24", 8, 32);
    check("C2R R1, C0\n!NOP\n", 1, "C0", 0, 32);
    check("GST.U32 global14 [R1], R0\n!NOP\n", 1, "R1", 0, 32);
    check("GST.U32 global14 [R124], R9\n!NOP\n", 1, "R9", 0, 32);
}

static void test_undefined_defined_values_are_not_reported(void **state) {
    (void)state;
    check("MOV R1, R0\nIADD R2, R1, R124\nMOV.U16 R3L, g [0x1].U16\nMOV R4, R20\n!NOP\n", 0, "", 0, 0);
    check("MOV R1, R16\nMOV.U16 R2L, R16L\n!NOP\n", 0, "", 0, 0); /* the first beyond the launch */
    check("R2G.U32.U32 g [0x9], R0\nMOV R1, g [0x9]\nMOV.U16 R2L, g [0x12].U16\n!NOP\n", 0, "", 0, 0);
    check("LST.U16 local [0x2], R0\nLLD.U8 R1, local [0x3]\n!NOP\n", 0, "", 0, 0);
    check("I2I.U32.U32.C2 o [0x7f], R0\nMOV R1 (C2.EQU), R0\n!NOP\n", 0, "", 0, 0);
    check("GLD.U32 R1, global14 [R124]\nMOV R2, R1\n!NOP\n", 0, "", 0, 0);
    /* PASS_B reads its second source only */
    check("LOP.PASS_B R1, R9, ~R0\nLOP.PASS_B.C0 R1, R9, R0\n!NOP\n", 0, "", 0, 0);
}

/* The report of a half instruction does not stand for the other one of its pair. */
static void test_undefined_is_reported_of_each_half_instruction(void **state) {
    (void)state;
    check("IADD32 R1, R0, R5\nIADD32 R1, R0, R6\n!NOP\n", 2, "R5", 0, 64);
}

/* A value computed from an undefined one counts as defined: one report, not a chain. */
static void test_undefined_is_reported_once_a_pc_and_does_not_spread(void **state) {
    (void)state;
    check("IADD R1, R5, R6\nIADD R1, R1, R1\n!NOP\n", 1, "R5", 0, 64);
    check(
        "MVI R1, 0x3\nIADD32I R1, R1, 0xffffffff\nIADD R2, R5, R0\nI2I.S32.S32.C0 o [0x7f], R1\nBRA C0.NE, 0x8\n!NOP\n",
        1, "R5", 0x10, 96);
}

/* Only lanes that execute read: here lanes 16..31 have written R1, and only they use it. */
static void test_undefined_follows_lanes(void **state) {
    (void)state;
    enum { USE = 0x20 };
    static const char *const write_high =
        "MVI R2, 0x10\nI2I.U32.U16 R3, R0L\nISET.C0 o [0x7f], R3, R2, GE\nMOV R1 (C0.NE), R0\n";
    char text[256];
    snprintf(text, sizeof text, "%sIADD R4 (C0.NE), R1, R1\n!NOP\n", write_high);
    check(text, 0, "", 0, 0);
    snprintf(text, sizeof text, "%sIADD R4 (C0.EQ), R1, R0\n!NOP\n", write_high);
    check(text, 1, "R1", USE, 16);
    struct model_undefined first;
    uint64_t reads;
    snprintf(text, sizeof text, "%sIADD R4 (C0.NE), R9, R0\n!NOP\n", write_high);
    assert_int_equal(run(text, &first, &reads), 1);
    assert_int_equal(first.lane, 16);
    snprintf(text, sizeof text, "%sMOV.U16 R5L (C0.NE), R0L\nMOV.U16 R6L (C0.EQ), R5L\n!NOP\n", write_high);
    check(text, 1, "R5L", USE + 8, 16);
    check("MOV.LANE1 R5, R0\nMOV.U16 R6L, R5L\n!NOP\n", 1, "R5L", 8, 24); /* one lane of four */
    snprintf(text, sizeof text, "%sMOV.U16 R6L (C0.EQ), R1L\nMOV.U16 R6L (C0.EQ), R1H\n!NOP\n", write_high);
    check(text, 2, "R1L", USE, 32);
    snprintf(text, sizeof text, "%sMOV R4 (C0.EQ), g [0x9]\n!NOP\n", write_high);
    check(text, 1, "shared 0x24", USE, 16);
}

/* Only warp 1 of block 3, the last slot of the second SM, reads a value that it has not written. */
static void test_undefined_says_where(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "I2I.U32.U16 R1, g [0x6].U16\n" /* blockIdx.x */
                       "SHR R2, R1, 0x1\n"
                       "LOP.AND R1, R1, R2\n"
                       "SHR R2, R0, 0x5\n"
                       "LOP.AND.C0 R1, R1, R2\n"
                       "MOV R3 (C0.NE), R5\n"
                       "!NOP\n");
    f.machine.sms = 2;
    f.machine.blocks = 2;
    f.image.grid[0] = 4;
    f.image.block[0] = 64;
    fixture_launch(&f);
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    assert_int_equal(model_undefined_count(f.m), 1);
    assert_int_equal(model_undefined_at(f.m, 0)->sm, 1);
    assert_int_equal(model_undefined_at(f.m, 0)->slot, 3);
    fixture_teardown(&f);
}

static void test_undefined_reads_as_zero(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "IADD32I R1, R5, 0x7\nMOV R2, g [0x9]\n!NOP\n");
    fixture_launch(&f);
    fixture_poke(&f, 2, 1, 0);
    fixture_steps(&f, 2);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 3, 1), 7);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 3, 2), 0);
    fixture_teardown(&f);
}

/* A new block starts undefined, although the block before it wrote the same registers and shared memory. */
static void test_undefined_again_in_the_next_block(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "I2I.U32.U16.C0 R1, g [0x6].U16\n" /* blockIdx.x */
                       "BRA C0.NE, 0x20\n"
                       "R2G.U32.U32 g [0x9], R0\n"
                       "!NOP\n"
                       "MOV R2, g [0x9]\n"
                       "!NOP\n");
    f.machine.blocks = 1;
    f.image.grid[0] = 2;
    fixture_launch(&f);
    fixture_steps(&f, 6); /* four of block 0 */
    assert_int_equal(fixture_step(&f).dst[5], 0);
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    assert_int_equal(model_undefined_count(f.m), 1);
    assert_string_equal(model_undefined_at(f.m, 0)->what, "shared 0x24");
    fixture_teardown(&f);
}

/* The same for all registers. */
static void test_undefined_registers_in_the_next_block(void **state) {
    (void)state;
    struct fixture f;
    struct model_counts counts;
    fixture_source(&f, "C2R R1, C3\nA2R R1, A4\nMOV R1, R15\nMOV.U16 R1L, R14H\n"
                       "R2C C3, R0\nR2A A4, R0\nMOV R15, R0\nMOV R14, R0\n!NOP\n");
    f.machine.blocks = 1;
    f.image.grid[0] = 2;
    fixture_launch(&f);
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    model_get_counts(f.m, &counts);
    assert_int_equal(counts.undefined_reads, 2 * 4 * 32);
    fixture_teardown(&f);
}

/* The same for local memory up to its last word, in each lane: it belongs to the thread, not to the slot. */
static void test_undefined_local_again_in_the_next_block(void **state) {
    (void)state;
    struct fixture f;
    struct model_counts counts;
    struct retire r;
    fixture_source(&f, "LLD.U32 R1, local [0x2c]\n"
                       "LST.U32 local [0x2c], R124\n"
                       "!NOP\n");
    f.machine.blocks = 1;
    f.image.grid[0] = 2;
    f.image.local_bytes = 48;
    fixture_launch(&f);
    for (unsigned block = 0; block < 2; block++) {
        r = fixture_step(&f);
        assert_int_equal(r.block_x, block);
        model_get_counts(f.m, &counts);
        assert_int_equal(counts.undefined_reads, 32 * (block + 1));
        fixture_steps(&f, 2);
    }
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undefined_reads_are_named),
        cmocka_unit_test(test_undefined_defined_values_are_not_reported),
        cmocka_unit_test(test_undefined_is_reported_once_a_pc_and_does_not_spread),
        cmocka_unit_test(test_undefined_is_reported_of_each_half_instruction),
        cmocka_unit_test(test_undefined_follows_lanes),
        cmocka_unit_test(test_undefined_says_where),
        cmocka_unit_test(test_undefined_reads_as_zero),
        cmocka_unit_test(test_undefined_again_in_the_next_block),
        cmocka_unit_test(test_undefined_registers_in_the_next_block),
        cmocka_unit_test(test_undefined_local_again_in_the_next_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
