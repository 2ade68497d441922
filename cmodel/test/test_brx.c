/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps through a constant, and return addresses that no call has set; masks computed by hand. No known code has them:
 * docs/isa.md decides the rules. */
#include "fixture.h"

enum { TABLE_BYTES = 24 };

static const uint8_t TABLE[TABLE_BYTES] = {
    0x30, 0,    0,    0,    /* 0x00: target 0x30 */
    0x38, 0,    0,    0,    /* 0x04: target 0x38 */
    0x30, 0,    0,    0,    /* 0x08: the same as the first */
    0x3b, 0,    0,    0xff, /* 0x0c: 0x38 in the used bits */
    0x00, 0x10, 0x00, 0,    /* 0x10: beyond the code */
    0x0c, 0,    0,    0,    /* 0x14: the second half instruction of a pair */
};

/* Launches with the table in c[1] and `depth` entries for the warp's stack. R1 is 0. */
static void start(struct fixture *f, const char *text, unsigned depth) {
    static uint8_t bank[TABLE_BYTES];
    memcpy(bank, TABLE, sizeof bank);
    fixture_source(f, text);
    f->image.bank[1].bytes = bank;
    f->image.bank[1].size = sizeof bank;
    f->machine.stack_depth = depth;
    fixture_launch(f);
    fixture_poke(f, 1, 0, 0);
}

/* R1 = the offset of the lane's entry; lanes take `entries` entries in turn. */
static void poke_entries(struct fixture *f, unsigned entries) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++) model_poke_reg(f->m, 0, 0, lane, 1, 4 * (lane % entries));
}

static void finish(struct fixture *f) {
    f->image.bank[1].bytes = NULL;
    f->image.bank[1].size = 0;
    fixture_teardown(f);
}

static void check_step(struct fixture *f, uint32_t pc, uint32_t active, uint32_t depth) {
    const struct retire r = fixture_step(f);
    assert_int_equal(r.trap, TRAP_NONE);
    assert_int_equal(r.dst_kind, RETIRE_DST_NONE);
    assert_int_equal(r.next_pc, pc);
    assert_int_equal(r.next_active, active);
    assert_int_equal(r.depth, depth);
}

static void test_brx_uniform_jumps(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "BRX c [0x1] [0x1]\n" /* 00 */
          "NOP\nNOP\nNOP\nNOP\nNOP\nNOP\n"
          "BRX c [0x1] [0x3]\n" /* 38: to itself */
          "!NOP\n",
          8);
    check_step(&f, 0x38, 0xffffffff, 0);
    check_step(&f, 0x38, 0xffffffff, 0);
    finish(&f);
    start(&f, "BRX c [0x1] [0x5]\nMOV32 R2, R1\nMOV32 R3, R1\n!NOP\n", 8);
    check_step(&f, 0x0c, 0xffffffff, 0);
    assert_int_equal(fixture_step(&f).dst_reg, 3);
    finish(&f);
}

/* Entries 0 and 2 go to 0x30, entry 1 to 0x38: of three entries, lanes 1, 4, 7 ... come back. */
static const char DIVERGENT[] = "NOP\n"                   /* 00 */
                                "R2A A1, R1\n"            /* 08 */
                                "SSY 0x38\n"              /* 10 */
                                "BRX c [0x1] [A1+0x0]\n"  /* 18 */
                                "NOP\n"                   /* 20 */
                                "NOP\n"                   /* 28 */
                                "IADD32I R1, R1, 0x100\n" /* 30 */
                                "NOP.S\n"                 /* 38 */
                                "!NOP\n";                 /* 40 */

static void test_brx_divergent_lanes_execute_it_again(void **state) {
    (void)state;
    struct fixture f;
    start(&f, DIVERGENT, 8);
    poke_entries(&f, 3);
    const uint32_t second = 0x92492492; /* lanes 1, 4 .. 31 */
    fixture_steps(&f, 2);
    check_step(&f, 0x18, 0xffffffff, 1);
    check_step(&f, 0x30, ~second, 2);
    fixture_step(&f);
    check_step(&f, 0x18, second, 1); /* NOP.S: the others, at the BRX */
    check_step(&f, 0x38, second, 1); /* they agree */
    check_step(&f, 0x40, 0xffffffff, 0);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 0, 1), 0x100);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 1, 1), 0x4);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 2, 1), 0x108);
    finish(&f);
}

static void test_brx_ignores_its_guard(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "BRX c [0x1] [0x0]\nNOP\nNOP\nNOP\nNOP\nNOP\n!NOP\n", 8);
    fixture_poke_c(&f, 0, 0);
    check_step(&f, 0x30, 0xffffffff, 0);
    finish(&f);
}

static void test_brx_traps(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "BRX c [0x1] [0x4]\n!NOP\n", 8); /* jumps, and the fetch there traps */
    check_step(&f, 0x1000, 0xffffffff, 0);
    assert_int_equal(fixture_step(&f).trap, TRAP_FETCH);
    finish(&f);
    start(&f, "BRX c [0x1] [0x6]\n!NOP\n", 8);
    assert_int_equal(fixture_step(&f).trap, TRAP_CONST_RANGE);
    finish(&f);
    start(&f, "R2A A1, R1\nBRX c [0x1] [A1+0x0]\n!NOP\n", 8);
    fixture_poke(&f, 1, 2, 0);
    assert_int_equal(fixture_steps(&f, 2).trap, TRAP_CONST_ALIGN);
    finish(&f);
}

/* A full stack: lanes with another target have no place to wait; if all targets agree, nothing is pushed. */
static void test_brx_overflows_where_lanes_disagree(void **state) {
    (void)state;
    static const enum trap MUST[] = {TRAP_NONE, TRAP_STACK_OVERFLOW};
    for (unsigned entries = 1; entries <= 2; entries++) {
        struct fixture f;
        start(&f, "R2A A1, R1\nSSY 0x0\nBRX c [0x1] [A1+0x0]\n!NOP\n", 1);
        poke_entries(&f, entries);
        assert_int_equal(fixture_steps(&f, 3).trap, MUST[entries - 1]);
        finish(&f);
    }
}

/* RET of the even lanes parks them on the entry of PRET; RET of the others brings all to its target. */
static void test_pret_sets_where_a_return_goes(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "PRET 0x20\n" /* 00 */
          "RET C0.NE\n" /* 08 */
          "RET\n"       /* 10 */
          "TRAP\n"      /* 18 */
          "!NOP\n",     /* 20 */
          8);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) model_poke_creg(f.m, 0, 0, lane, 0, lane % 2 == 0 ? 0 : 1);
    check_step(&f, 0x08, 0xffffffff, 1);
    check_step(&f, 0x10, 0xaaaaaaaa, 1);
    check_step(&f, 0x20, 0xffffffff, 0);
    finish(&f);
}

/* The last of `count` instructions, which adopts from its record. */
static struct retire follow_last(struct fixture *f, const char *text, unsigned count, const struct retire *last) {
    start(f, text, 8);
    return fixture_follow(f, count, last);
}

/* If A1 was never written, the RTL's record decides where the lanes go, and which go first. */
static void test_brx_adopts_where_undefined_lanes_go(void **state) {
    (void)state;
    struct fixture f;
    struct model_counts counts;
    struct retire rtl = fixture_record(0, 0, 0, 0, 0);
    rtl.next_pc = 0x30;
    rtl.next_active = 0x0000ffff;
    struct retire out = follow_last(&f, "BRX c [0x1] [A1+0x0]\n!NOP\n", 1, &rtl);
    assert_int_equal(out.next_pc, 0x30);
    assert_int_equal(out.next_active, 0x0000ffff);
    assert_int_equal(out.depth, 1);
    model_get_counts(f.m, &counts);
    assert_int_equal(counts.adopted, WARP_LANES);
    finish(&f);

    /* lanes 16..31 know their target and go there, whatever the record says */
    rtl.next_active = 0x00010001;
    out = follow_last(
        &f, "MVI R1, 0x10\nISET.C0 o [0x7f], R0, R1, GE\nR2A A1 (C0.NE), R124\nBRX c [0x1] [A1+0x0]\n!NOP\n", 4, &rtl);
    assert_int_equal(out.next_active, 0xffff0001);
    finish(&f);

    /* if it is not the target they do not */
    rtl.next_pc = 0x38;
    out = follow_last(
        &f, "MVI R1, 0x10\nISET.C0 o [0x7f], R0, R1, GE\nR2A A1 (C0.NE), R124\nBRX c [0x1] [A1+0x0]\n!NOP\n", 4, &rtl);
    assert_int_equal(out.next_active, 0x00000001);
    finish(&f);

    /* the lowest lane decides the target, even if another lane's entry is undefined */
    out = follow_last(
        &f, "MVI R1, 0x10\nISET.C0 o [0x7f], R0, R1, LT\nR2A A1 (C0.NE), R124\nBRX c [0x1] [A1+0x0]\n!NOP\n", 4, &rtl);
    assert_int_equal(out.next_pc, 0x30);
    finish(&f);

    /* all lanes know their target: the record has no effect */
    rtl.next_pc = 0x30;
    out = follow_last(&f, "BRX c [0x1] [0x1]\n!NOP\n", 1, &rtl);
    assert_int_equal(out.next_pc, 0x38);
    assert_int_equal(out.next_active, 0xffffffff);
    finish(&f);
}

static void test_pret_overflows(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "PRET.NOINC 0x0\nBRA 0x0\n", 8);
    const struct retire r = fixture_steps(&f, 2 * f.machine.stack_depth);
    assert_int_equal(r.trap, TRAP_NONE);
    assert_int_equal(r.depth, f.machine.stack_depth);
    assert_int_equal(fixture_step(&f).trap, TRAP_STACK_OVERFLOW);
    finish(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brx_uniform_jumps),
        cmocka_unit_test(test_brx_divergent_lanes_execute_it_again),
        cmocka_unit_test(test_brx_ignores_its_guard),
        cmocka_unit_test(test_brx_traps),
        cmocka_unit_test(test_brx_overflows_where_lanes_disagree),
        cmocka_unit_test(test_brx_adopts_where_undefined_lanes_go),
        cmocka_unit_test(test_pret_sets_where_a_return_goes),
        cmocka_unit_test(test_pret_overflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
