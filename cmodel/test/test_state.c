/* SPDX-License-Identifier: Apache-2.0 */
/* State from outside: peeks at and beyond the limits, pokes beyond them, which have no effect, and impossible
 * machines. */
#include <string.h>

#include "fixture.h"

enum { ABSENT_SLOT = 99 };

/* A full warp in slot 0 that pushes a token, pops it again and writes A2; every C register is poked full. */
static void start(struct fixture *f) {
    fixture_source(f, "SSY 0x8\nNOP.S\nADA A2, A0, 0x1234\n!NOP\n");
    fixture_launch(f);
    for (unsigned creg = 0; creg < 4; creg++) fixture_poke_c(f, creg, 15);
}

static void test_state_stack_ends_at_its_depth(void **state) {
    (void)state;
    struct fixture f;
    start(&f);
    fixture_step(&f);
    const struct model_stack_entry top = model_peek_stack(f.m, 0, 0, 0);
    assert_int_equal(top.token, TOKEN_SYNC);
    assert_int_equal(top.mask, 0xffffffff);
    assert_int_equal(top.pc, 8);
    assert_int_equal(model_peek_stack(f.m, 0, 0, 1).mask, 0);
    fixture_step(&f);
    const struct model_stack_entry none = model_peek_stack(f.m, 0, 0, 0); /* popped */
    assert_int_equal(none.mask, 0);
    assert_int_equal(none.pc, 0);
    assert_int_equal(model_peek_stack(f.m, 0, ABSENT_SLOT, 0).mask, 0);
    fixture_teardown(&f);

    fixture_source(&f, "SSY 0x3fff8\n!NOP\n");
    fixture_launch(&f);
    fixture_step(&f);
    assert_int_equal(model_peek_stack(f.m, 0, 0, 0).pc, 0x3fff8);
    fixture_teardown(&f);
}

static void test_state_peeks_beyond_read_zero(void **state) {
    (void)state;
    struct fixture f;
    start(&f);
    fixture_steps(&f, 3);
    fixture_poke(&f, 15, 7, 0);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 31, 15), 7);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 31, 16), 0); /* the launch has 16 */
    assert_int_equal(model_peek_reg(f.m, 0, 0, WARP_LANES, 15), 0);
    assert_int_equal(model_peek_creg(f.m, 0, 0, 31, 3), 15);
    assert_int_equal(model_peek_creg(f.m, 0, 0, 31, 4), 0);
    assert_int_equal(model_peek_creg(f.m, 0, 0, WARP_LANES, 3), 0);
    assert_int_equal(model_peek_areg(f.m, 0, 0, 31, 2), 0x1234);
    assert_int_equal(model_peek_areg(f.m, 0, 0, WARP_LANES, 1), 0); /* not lane 0 of A2 */
    assert_int_equal(model_peek_areg(f.m, 0, 0, 31, 5), 0);
    assert_int_equal(model_peek_reg(f.m, 1, 0, 0, 15), 0);
    assert_int_equal(model_peek_creg(f.m, 0, ABSENT_SLOT, 0, 0), 0);
    f.image.regs = 8;
    fixture_launch(&f);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 31, 15), 0); /* which held 7 */
    fixture_teardown(&f);
}

/* R0 .. R127 all exist; registers beyond, in any direction, do not. */
static void test_state_pokes_beyond_do_nothing(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "!NOP\n");
    f.image.regs = 128;
    fixture_launch(&f);
    model_poke_reg(f.m, 0, 0, 0, 128, 9);
    model_poke_reg(f.m, 0, 0, WARP_LANES, 1, 9);
    model_poke_reg(f.m, 0, ABSENT_SLOT, 0, 1, 9);
    model_poke_creg(f.m, 0, 0, WARP_LANES, 0, 15);
    model_poke_creg(f.m, 0, 0, 0, 4, 15);
    model_poke_creg(f.m, 0, ABSENT_SLOT, 0, 0, 15);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        assert_int_equal(model_peek_reg(f.m, 0, 0, lane, 1), 0);
        for (unsigned creg = 0; creg < 4; creg++) assert_int_equal(model_peek_creg(f.m, 0, 0, lane, creg), 0);
    }
    fixture_teardown(&f);
}

static void test_state_what_is_poked_is_defined(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "MOV R1 (C1.EQU), R5\n!NOP\n");
    fixture_launch(&f);
    fixture_poke(&f, 5, 7, 0);
    fixture_poke_c(&f, 1, 1);
    assert_int_equal(fixture_step(&f).dst[9], 7);
    assert_int_equal(model_undefined_count(f.m), 0);
    fixture_teardown(&f);
}

/* A warp sees nothing of the previous warp in its slot. */
static void test_state_registers_begin_at_zero(void **state) {
    (void)state;
    struct fixture f;
    start(&f);
    fixture_steps(&f, 3);
    for (unsigned reg = 0; reg < 16; reg++) fixture_poke(&f, reg, 7, 0);
    f.image.regs = 15;
    fixture_launch(&f);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        assert_int_equal(model_peek_reg(f.m, 0, 0, lane, 0), lane); /* threadIdx */
        for (unsigned reg = 1; reg < 16; reg++) assert_int_equal(model_peek_reg(f.m, 0, 0, lane, reg), 0);
        for (unsigned creg = 0; creg < 4; creg++) assert_int_equal(model_peek_creg(f.m, 0, 0, lane, creg), 0);
        for (unsigned areg = 0; areg < 5; areg++) assert_int_equal(model_peek_areg(f.m, 0, 0, lane, areg), 0);
    }
    fixture_teardown(&f);
}

/* The limit of model_run applies to one call. */
static void test_state_runs_up_to_a_limit(void **state) {
    (void)state;
    struct fixture f;
    uint64_t steps;
    fixture_source(&f, "NOP\nNOP\nNOP\n!NOP\n");
    fixture_launch(&f);
    assert_int_equal(model_run(f.m, 2, &steps), MODEL_RETIRED);
    assert_int_equal(steps, 2);
    assert_int_equal(model_run(f.m, 1, &steps), MODEL_RETIRED);
    assert_int_equal(steps, 1);
    assert_int_equal(model_run(f.m, 9, &steps), MODEL_DONE);
    assert_int_equal(steps, 1);
    fixture_teardown(&f);
}

/* A launch resets a model that has followed the RTL, read undefined values, trapped and refused. */
static void test_state_a_launch_starts_afresh(void **state) {
    (void)state;
    static const struct model_counts NOTHING = {0};
    struct fixture f;
    struct model_counts counts;
    struct retire out, rtl = fixture_record(0, 0, 0, 0, 0);
    fixture_source(&f, "IADD R1, R5, R5\nTRAP\n");
    fixture_launch(&f);
    assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
    assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
    assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_TRAPPED);
    assert_string_not_equal(model_why(f.m), "");
    fixture_launch(&f);
    model_get_counts(f.m, &counts);
    assert_memory_equal(&counts, &NOTHING, sizeof counts);
    assert_int_equal(model_undefined_count(f.m), 0);
    assert_int_equal(model_get_trap(f.m).code, TRAP_NONE);
    assert_int_equal(model_get_sm_trap(f.m, 0).code, TRAP_NONE);
    assert_string_equal(model_why(f.m), "");
    assert_false(model_finished(f.m));
    assert_int_equal(fixture_step(&f).pc, 0); /* by its own scheduling */
    fixture_teardown(&f);
}

/* Also after an unfinished launch of more warps, and after a finished one. */
static void test_state_a_launch_finds_no_warps_of_the_one_before(void **state) {
    (void)state;
    struct fixture f;
    fixture_source(&f, "NOP\n!NOP\n");
    f.image.block[0] = 64;
    fixture_launch(&f);
    fixture_steps(&f, 2);
    f.image.block[0] = 32;
    for (unsigned i = 0; i < 2; i++) {
        fixture_launch(&f);
        assert_false(model_finished(f.m));
        fixture_steps(&f, 2);
        assert_int_equal(model_run_step(f.m, NULL), MODEL_DONE);
    }
    fixture_teardown(&f);
}

/* A finished warp stays in its slot until its block ends, without live threads. */
static void test_state_nobody_is_alive_in_a_finished_warp(void **state) {
    (void)state;
    struct fixture f;
    struct model_warp warp;
    fixture_source(&f, "!NOP\n");
    f.image.block[0] = 64;
    fixture_launch(&f);
    fixture_step(&f);
    model_peek_warp(f.m, 0, 0, &warp);
    assert_true(warp.present);
    assert_int_equal(warp.state, RETIRE_FINISHED);
    assert_int_equal(warp.alive, 0);
    assert_int_equal(warp.active, 0);
    model_peek_warp(f.m, 0, 1, &warp);
    assert_int_equal(warp.alive, 0xffffffff);
    fixture_teardown(&f);

    /* nor are the threads that a join without its SSY has left behind: odd lanes */
    fixture_source(&f, "R2C C0, R0\nBRA C0.EQU, 0x18\n!NOP\nNOP.S\n!NOP\n");
    f.image.block[0] = 34;
    fixture_launch(&f);
    fixture_poke(&f, 0, 0, 1);
    do {
        model_peek_warp(f.m, 0, 0, &warp);
    } while (warp.state != RETIRE_FINISHED && model_run_step(f.m, NULL) == MODEL_RETIRED);
    assert_int_equal(warp.alive, 0);
    fixture_teardown(&f);
}

/* A block's warps are a set of 64 bits. */
static void test_state_refuses_a_machine_of_too_many_warps(void **state) {
    (void)state;
    struct machine machine = MACHINE_DEFAULT;
    machine.warps = 64;
    struct model *m = model_create(&machine);
    assert_non_null(m);
    model_destroy(m);
    machine.warps = 65;
    assert_null(model_create(&machine));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_stack_ends_at_its_depth),
        cmocka_unit_test(test_state_peeks_beyond_read_zero),
        cmocka_unit_test(test_state_pokes_beyond_do_nothing),
        cmocka_unit_test(test_state_what_is_poked_is_defined),
        cmocka_unit_test(test_state_registers_begin_at_zero),
        cmocka_unit_test(test_state_runs_up_to_a_limit),
        cmocka_unit_test(test_state_a_launch_starts_afresh),
        cmocka_unit_test(test_state_a_launch_finds_no_warps_of_the_one_before),
        cmocka_unit_test(test_state_nobody_is_alive_in_a_finished_warp),
        cmocka_unit_test(test_state_refuses_a_machine_of_too_many_warps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
