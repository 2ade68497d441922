/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions against the masks of docs/isa.md 2.7, written by hand; all 32 conditions, all 16 nibbles. */
#include "fixture.h"

#include "../core/predicate.h"

/* Bit n is the condition's value for the flag nibble OCSZ = n. */
static const uint16_t LUT[32] = {
    0x0000, 0xbb44, 0x2222, 0x3366, 0x4411, 0x5555, 0xcc33, 0x7777, 0x8888, 0x33cc, 0xaaaa,
    0xbbee, 0xcc99, 0xdddd, 0x44bb, 0xffff, 0xff00, 0xf0f0, 0x5050, 0xcccc, 0x0000, 0x0000,
    0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x3333, 0xafaf, 0x0f0f, 0x00ff,
};

static void test_predicate_conditions_follow_the_table(void **state) {
    (void)state;
    struct flags flags = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) flags_set(&flags, lane, (uint8_t)(lane % 16));
    for (unsigned cond = 0; cond < 32; cond++) {
        assert_int_equal(flags_where(&flags, cond), LUT[cond] * 0x10001u);
        for (unsigned nibble = 0; nibble < 16; nibble++)
            assert_int_equal(isa_cond_holds(cond, nibble), LUT[cond] >> nibble & 1);
    }
}

static void test_predicate_set_and_get_are_inverse(void **state) {
    (void)state;
    struct flags flags = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        flags_set(&flags, lane, (uint8_t)(15 - lane % 16));
        assert_int_equal(flags_get(&flags, lane), 15 - lane % 16);
    }
    flags_set(&flags, 3, 0);
    assert_int_equal(flags_get(&flags, 3), 0);
    assert_int_equal(flags_get(&flags, 4), 11);
}

static void test_predicate_write_changes_masked_lanes_only(void **state) {
    (void)state;
    struct flags flags = {.zero = 0x0f, .sign = 0xf0, .carry = 0xff, .overflow = 0};
    const struct flags value = {.zero = 0, .sign = 0, .carry = 0, .overflow = 0xff};
    flags_write(&flags, &value, 0x3c);
    assert_int_equal(flags.zero, 0x03);
    assert_int_equal(flags.sign, 0xc0);
    assert_int_equal(flags.carry, 0xc3);
    assert_int_equal(flags.overflow, 0x3c);
}

/* A guard is read before the instruction's own flag write: ISET.C1 o [0x7f] (C1.EQ), ... */
static void test_predicate_guard_is_read_before_the_write(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "ISET.S32.C1 o [0x7f] (C1.EQ), R1, R2, LT\n!NOP\n");
    fixture_launch(&f);
    fixture_poke(&f, 1, 0, 1); /* lane */
    fixture_poke(&f, 2, 4, 0);
    fixture_poke_c(&f, 1, 0);
    for (unsigned lane = 0; lane < 8; lane++) model_poke_creg(f.m, 0, 0, lane, 1, 1); /* Z: EQ holds in lanes 0..7 */
    const struct retire r = fixture_step(&f);
    assert_int_equal(r.active, 0xffffffff);
    assert_int_equal(r.exec, 0x000000ff);
    assert_int_equal(r.dst_kind, RETIRE_DST_NONE);
    assert_int_equal(r.dst_mask, 0);
    assert_int_equal(r.c_reg, 1);
    assert_int_equal(r.c_mask, 0x000000ff);
    assert_int_equal(r.c[3], 2); /* 3 < 4: all ones, S */
    assert_int_equal(r.c[4], 1); /* false: Z */
    assert_int_equal(r.c[8], 0); /* not executed */
    assert_int_equal(model_peek_creg(f.m, 0, 0, 8, 1), 0);
    fixture_teardown(&f);
}

/* An instruction computes the same with and without writing flags, in each lane: the model has faster paths without
 * flags. */
static void test_predicate_flags_change_no_result(void **state) {
    (void)state;
    static const char *const OPERATIONS[] = {
        "IADD%s R1, R2, R3",           "IADD%s R1, -R2, R3",      "IADD%s R1, R2, -R3",       "IADD.SAT%s R1, R2, R3",
        "IADD.U16%s R1L, R2L, R3L",    "SHL%s R1, R2, R3",        "SHR%s R1, R2, R3",         "SHR.S32%s R1, R2, R3",
        "SHL.U16%s R1L, R2L, R3L",     "SHR.S16%s R1L, R2L, R3L", "SHL%s R1, R2, 0x1f",       "SHL%s R1, R2, 0x20",
        "SHR%s R1, R2, 0x1f",          "SHR.S32%s R1, R2, 0x20",  "SHL.U16%s R1L, R2L, 0x10", "SHR.S16%s R1L, R2L, 0xf",
        "IMAD.U16%s R1, R2L, R3L, R3",
    };
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof OPERATIONS[0]; i++) {
        struct retire with[2];
        for (unsigned c = 0; c < 2; c++) {
            char text[64];
            struct fixture f;
            const int length = (int)(strchr(OPERATIONS[i], '%') - OPERATIONS[i]);
            snprintf(text, sizeof text, "%.*s%s%s\n!NOP\n", length, OPERATIONS[i], c == 0 ? "" : ".C1",
                     OPERATIONS[i] + length + 2);
            fixture_source(&f, text);
            fixture_launch(&f);
            fixture_poke(&f, 2, 0x7fff8001, 0x08421083);
            fixture_poke(&f, 3, 0, 0x10003);
            with[c] = fixture_step(&f);
            fixture_teardown(&f);
        }
        assert_int_equal(with[1].c_mask, 0xffffffff);
        assert_memory_equal(with[0].dst, with[1].dst, sizeof with[0].dst);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predicate_conditions_follow_the_table),
        cmocka_unit_test(test_predicate_set_and_get_are_inverse),
        cmocka_unit_test(test_predicate_write_changes_masked_lanes_only),
        cmocka_unit_test(test_predicate_guard_is_read_before_the_write),
        cmocka_unit_test(test_predicate_flags_change_no_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
