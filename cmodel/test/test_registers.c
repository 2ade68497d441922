/* SPDX-License-Identifier: Apache-2.0 */
/* Register files: halves, R124, R127, the bucket, registers beyond the launch, A and C registers, moves between them.
 */
#include "fixture.h"

static void start(struct fixture *f, const char *text) {
    fixture_source(f, text);
    fixture_launch(f);
}

static uint32_t reg(const struct fixture *f, unsigned n) { return model_peek_reg(f->m, 0, 0, 6, n); }

static void test_registers_half_write_keeps_the_other_half(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "MOV.U16 R1H, R2L\nMOV.U16 R1L, R2H\nMOV32.U16 R3H, R2H\nMOV32.U16 R3L, R3L\n!NOP\n");
    fixture_poke(&f, 1, 0x11112222, 0);
    fixture_poke(&f, 2, 0x33334444, 0);
    fixture_poke(&f, 3, 0x55556666, 0);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.dst_kind, RETIRE_DST_REG16);
    assert_int_equal(r.dst_reg, 3);
    assert_int_equal(r.dst[6], 0x4444);
    assert_int_equal(reg(&f, 1), 0x44442222);
    fixture_step(&f);
    assert_int_equal(reg(&f, 1), 0x44443333);
    r = fixture_step(&f);
    assert_int_equal(r.word_hi, 0);
    assert_int_equal(r.next_pc, 0x14);
    assert_int_equal(reg(&f, 3), 0x33336666);
    fixture_teardown(&f);
}

/* 16-bit arithmetic: carry and sign at bit 15, the other half untouched. 0xffff + 1. */
static void test_registers_half_arithmetic(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "MVI R2, 0x1ffff\nMVI R3, 0x1\nIADD.U16.C2 R4H, R2L, R3L\n!NOP\n");
    fixture_poke(&f, 4, 0x12345678, 0);
    const struct retire r = fixture_steps(&f, 3);
    assert_int_equal(reg(&f, 4), 0x00005678);
    assert_int_equal(r.c_reg, 2);
    assert_int_equal(r.c_mask, 0xffffffff);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) assert_int_equal(r.c[lane], 5); /* C and Z */
    fixture_teardown(&f);
}

/* SR1 counts every second warp instruction where the model has its own clock. */
static void test_registers_clock_counts_every_second(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "S2R R1, SR1\nS2R R2, SR1\nS2R R3, SR1\nS2R R4, SR1\n!NOP\n");
    fixture_steps(&f, 4);
    assert_int_equal(reg(&f, 1), 0);
    assert_int_equal(reg(&f, 2), 0);
    assert_int_equal(reg(&f, 3), 1);
    assert_int_equal(reg(&f, 4), 1);
    fixture_teardown(&f);
}

static void test_registers_124_reads_zero(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "IADD R1, R124, R2\nMOV R124, R2\nMOV R3, R124\n!NOP\n");
    f.image.regs = 128;
    fixture_launch(&f);
    fixture_poke(&f, 2, 9, 0);
    fixture_steps(&f, 3);
    assert_int_equal(reg(&f, 1), 9);
    assert_int_equal(reg(&f, 3), 0);
    fixture_teardown(&f);

    start(&f, "MOV.U16 R62L, R2L\nMOV.U16 R3L, R62L\n!NOP\n"); /* a half register is not affected */
    f.image.regs = 128;
    fixture_launch(&f);
    fixture_poke(&f, 2, 9, 0);
    fixture_poke(&f, 3, 0, 0);
    fixture_steps(&f, 2);
    assert_int_equal(reg(&f, 3), 9);
    fixture_teardown(&f);
}

static void test_registers_127_and_bucket_discard(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "MOV R127, R2\nIADD.C0 o [0x7f], R2, R2\n!NOP\n");
    f.image.regs = 128;
    fixture_launch(&f);
    fixture_poke(&f, 2, 0x80000000, 0);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.dst_kind, RETIRE_DST_NONE);
    assert_int_equal(r.exec, 0xffffffff);
    assert_int_equal(reg(&f, 127), 0);
    r = fixture_step(&f);
    assert_int_equal(r.dst_kind, RETIRE_DST_NONE);
    assert_int_equal(r.c[6], 0xd); /* 2^31 + 2^31: O, C, Z */
    fixture_teardown(&f);
}

static void test_registers_beyond_the_launch_read_zero_and_drop_writes(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "MOV R16, R2\nIADD R1, R16, R2\nMOV.U16 R20L, R2L\nMOV.U16 R16L, R2L\nMOV.U16 R15H, R2L\n!NOP\n");
    fixture_poke(&f, 2, 5, 0);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.dst_kind, RETIRE_DST_NONE);
    assert_int_equal(r.dst_mask, 0);
    fixture_step(&f);
    assert_int_equal(reg(&f, 1), 5);
    for (unsigned i = 0; i < 2; i++) assert_int_equal(fixture_step(&f).dst_kind, RETIRE_DST_NONE);
    r = fixture_step(&f);
    assert_int_equal(r.dst_kind, RETIRE_DST_REG16); /* the last half register */
    assert_int_equal(r.dst_reg, 31);
    assert_int_equal(model_undefined_count(f.m), 0);
    fixture_teardown(&f);
}

/* Lane L of a quad is written if bit L of the mask is set: word of MOV R1, R2 with lane mask 5. */
static void test_registers_mov_lane_mask(void **state) {
    (void)state;
    struct fixture f;
    fixture_setup(&f, (uint32_t[]){0x10000405, 0x040147c0, 0xf0000001, 0xe0000001}, 4); /* MOV.C0, lanes 0 and 2 */
    fixture_launch(&f);
    fixture_poke(&f, 1, 100, 0);
    fixture_poke(&f, 2, 200, 0);
    const struct retire r = fixture_step(&f);
    assert_int_equal(r.exec, 0xffffffff);
    assert_int_equal(r.dst_mask, 0x55555555);
    assert_int_equal(r.c_mask, 0x55555555);
    assert_int_equal(reg(&f, 1), 200); /* lane 6 */
    assert_int_equal(model_peek_reg(f.m, 0, 0, 7, 1), 100);
    fixture_teardown(&f);
}

/* Address registers: 16 bits, A0 reads zero. Source: docs/isa.md 4.3. */
static void test_registers_address_moves(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "R2A A1, R2, 0x4\n" /* 0x12345 << 4 = 0x2345 0 */
              "ADA A2, A1, 0xf000\n"
              "A2R R3, A2\n"
              "ADA A3, A0, 0x20\n"
              "A2R R4, A3\n"
              "ADA A0, A3, 0x1\n"
              "A2R R5, A0\n"
              "!NOP\n");
    fixture_poke(&f, 2, 0x12345, 0);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.a_reg, 1);
    assert_int_equal(r.a_mask, 0xffffffff);
    assert_int_equal(r.a[6], 0x3450);
    assert_int_equal(r.dst_kind, RETIRE_DST_NONE);
    r = fixture_step(&f);
    assert_int_equal(r.a_reg, 2);
    assert_int_equal(r.a[6], 0x2450); /* 0x3450 + 0xf000 mod 2^16 */
    fixture_step(&f);
    assert_int_equal(reg(&f, 3), 0x2450);
    fixture_steps(&f, 2);
    assert_int_equal(reg(&f, 4), 0x20);
    r = fixture_step(&f);
    assert_int_equal(r.a_mask, 0); /* a write to A0 is dropped */
    fixture_step(&f);
    assert_int_equal(reg(&f, 5), 0);
    fixture_teardown(&f);
}

static void test_registers_condition_moves(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "R2C C2, R2\nC2R R3, C2\n!NOP\n");
    fixture_poke(&f, 2, 0xa5, 1);
    struct retire r = fixture_step(&f);
    assert_int_equal(r.c_reg, 2);
    assert_int_equal(r.c_mask, 0xffffffff);
    assert_int_equal(r.c[6], 0xb); /* 0xa5 + 6 = 0xab */
    assert_int_equal(r.dst_kind, RETIRE_DST_NONE);
    fixture_step(&f);
    assert_int_equal(reg(&f, 3), 0xb);
    fixture_teardown(&f);
}

static void test_registers_special(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "S2R R1, SR0\nS2R R2, SR4\nS2R R3, SR1\n!NOP\n");
    f.image.block[0] = 1024;
    fixture_launch(&f);
    struct retire r;
    for (unsigned warp = 0; warp < 32; warp++) { /* each in the slot of its number */
        r = fixture_step(&f);
        assert_int_equal(r.dst[6], 6 | warp << 8);
    }
    r = fixture_step(&f);
    assert_int_equal(r.dst[6], 0);
    r = fixture_steps(&f, 32); /* the clock: every second of 64 instructions */
    assert_int_equal(r.dst[6], 32);
    f.image.block[0] = 7; /* for any number of threads */
    fixture_launch(&f);
    assert_int_equal(fixture_steps(&f, 3).dst[6], 1);
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers_half_write_keeps_the_other_half),
        cmocka_unit_test(test_registers_half_arithmetic),
        cmocka_unit_test(test_registers_clock_counts_every_second),
        cmocka_unit_test(test_registers_124_reads_zero),
        cmocka_unit_test(test_registers_127_and_bucket_discard),
        cmocka_unit_test(test_registers_beyond_the_launch_read_zero_and_drop_writes),
        cmocka_unit_test(test_registers_mov_lane_mask),
        cmocka_unit_test(test_registers_address_moves),
        cmocka_unit_test(test_registers_condition_moves),
        cmocka_unit_test(test_registers_special),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
