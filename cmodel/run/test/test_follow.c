/* SPDX-License-Identifier: Apache-2.0 */
/* Lockstep steps: the warp that is stepped, and refusals. The "RTL" of these tests is a record made by hand. */
#include <string.h>

#include "../../test/fixture.h"

/* Two SMs of four slots; a grid of 3 x 2 blocks of two warps. */
static void start(struct fixture *f, const char *text) {
    fixture_source(f, text);
    f->machine.sms = 2;
    f->machine.warps = 4;
    f->image.grid[0] = 3;
    f->image.grid[1] = 2;
    f->image.block[0] = 64;
    fixture_launch(f);
}

static enum model_result follow(struct fixture *f, unsigned sm, unsigned slot, unsigned x, unsigned y, unsigned warp) {
    const struct retire rtl = fixture_record(sm, slot, x, y, warp);
    struct retire out;
    return model_step_follow(f->m, &rtl, &out);
}

static void check_refused(struct fixture *f, unsigned sm, unsigned slot, unsigned x, unsigned y, unsigned warp,
                          const char *why) {
    struct model_counts before, after;
    model_get_counts(f->m, &before);
    assert_int_equal(follow(f, sm, slot, x, y, warp), MODEL_REFUSED);
    if (strstr(model_why(f->m), why) == NULL) fail_msg("refused because '%s', expected '%s'", model_why(f->m), why);
    model_get_counts(f->m, &after);
    assert_int_equal(before.warp_instructions, after.warp_instructions);
}

static void test_follow_places_blocks_as_the_rtl_does(void **state) {
    (void)state;
    struct fixture f;
    struct retire out;
    struct model_warp warp;
    start(&f, "S2R R1, SR0\n!NOP\n");
    const struct retire rtl = fixture_record(1, 3, 2, 1, 1); /* the last block first, its second warp first */
    assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
    assert_int_equal(out.sm, 1);
    assert_int_equal(out.slot, 3);
    assert_int_equal(out.block_x, 2);
    assert_int_equal(out.block_y, 1);
    assert_int_equal(out.warp, 1);
    assert_int_equal(out.dst[4], 4 | 3 << 8 | 1 << 16);
    model_peek_warp(f.m, 1, 3, &warp);
    assert_true(warp.present);
    assert_int_equal(warp.pc, 8);
    model_peek_warp(f.m, 0, 0, &warp);
    assert_false(warp.present); /* own scheduling's placement is gone */
    fixture_teardown(&f);
}

static void test_follow_refuses_names_out_of_range(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "NOP\n!NOP\n");
    check_refused(&f, 2, 0, 0, 0, 0, "sm 2");
    check_refused(&f, 0, 4, 0, 0, 0, "slot 4");
    check_refused(&f, 0, 0, 3, 0, 0, "outside the grid");
    check_refused(&f, 0, 0, 0, 2, 0, "outside the grid");
    check_refused(&f, 0, 0, 0, 0, 2, "warp 2");
    fixture_teardown(&f);
}

static void test_follow_refuses_wrong_places(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "NOP\n!NOP\n");
    assert_int_equal(follow(&f, 0, 1, 0, 0, 0), MODEL_RETIRED);
    check_refused(&f, 1, 1, 0, 0, 0, "is on sm 0");
    check_refused(&f, 1, 2, 0, 0, 1, "is on sm 0"); /* nor its other warp, which has not appeared yet */
    check_refused(&f, 0, 2, 0, 0, 0, "is in slot 1");
    check_refused(&f, 0, 1, 0, 0, 1, "is taken");
    check_refused(&f, 0, 1, 1, 0, 0, "is taken");
    assert_int_equal(follow(&f, 0, 3, 1, 0, 1), MODEL_RETIRED);
    check_refused(&f, 0, 0, 2, 0, 0, "does not fit"); /* 2 + 2 warps are resident, though two slots are still empty */
    fixture_teardown(&f);
}

static void test_follow_refuses_finished_and_repeated(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "!NOP\n");
    assert_int_equal(follow(&f, 0, 0, 0, 0, 0), MODEL_RETIRED);
    check_refused(&f, 0, 0, 0, 0, 0, "has finished");
    assert_int_equal(follow(&f, 1, 1, 1, 0, 1), MODEL_RETIRED);
    check_refused(&f, 1, 1, 1, 0, 1, "has finished"); /* the other warp */
    assert_int_equal(follow(&f, 0, 1, 0, 0, 1), MODEL_RETIRED);
    check_refused(&f, 0, 0, 0, 0, 0, "cannot run twice");
    assert_int_equal(follow(&f, 0, 0, 2, 0, 0), MODEL_RETIRED); /* the slot is free again */
    assert_false(model_finished(f.m));
    fixture_teardown(&f);
}

static void test_follow_refuses_a_warp_at_a_barrier(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "BAR.ARV.WAIT b2, 0xfff\n!NOP\n");
    assert_int_equal(follow(&f, 0, 0, 0, 0, 0), MODEL_RETIRED);
    check_refused(&f, 0, 0, 0, 0, 0, "waits at barrier 2");
    assert_int_equal(follow(&f, 0, 1, 0, 0, 1), MODEL_RETIRED); /* a warp that has not appeared before releases it */
    assert_int_equal(follow(&f, 0, 0, 0, 0, 0), MODEL_RETIRED);
    fixture_teardown(&f);
}

static void test_follow_runs_the_whole_grid(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "!NOP\n");
    for (unsigned block = 0; block < 6; block++) {
        assert_false(model_finished(f.m));
        assert_int_equal(follow(&f, block % 2, 0, block % 3, block / 3, 0), MODEL_RETIRED);
        assert_int_equal(follow(&f, block % 2, 1, block % 3, block / 3, 1), MODEL_RETIRED);
    }
    assert_true(model_finished(f.m));
    fixture_teardown(&f);
}

static void test_follow_stops_at_a_trap(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"TRAP\n", "GLD.S64 R3, global14 [R1]\n" /* undefined */};
    for (unsigned i = 0; i < 2; i++) {
        struct fixture f;
        start(&f, TEXTS[i]);
        assert_int_equal(follow(&f, 0, 0, 0, 0, 0), MODEL_RETIRED);
        assert_int_equal(follow(&f, 0, 1, 0, 0, 1), MODEL_TRAPPED);
        assert_non_null(strstr(model_why(f.m), "sm 0 was stopped by a trap"));
        fixture_teardown(&f);
    }
}

/* The other SM finishes its issued instructions, and may trap in turn; the first trap is reported. */
static void test_follow_lets_other_sms_drain(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "NOP\nTRAP\n");
    assert_int_equal(follow(&f, 1, 2, 1, 0, 0), MODEL_RETIRED);
    assert_int_equal(follow(&f, 0, 0, 0, 0, 0), MODEL_RETIRED);
    assert_int_equal(follow(&f, 1, 2, 1, 0, 0), MODEL_RETIRED);
    assert_int_equal(model_get_trap(f.m).code, TRAP_BREAKPOINT);
    assert_int_equal(model_get_trap(f.m).sm, 1);
    assert_true(model_finished(f.m));
    assert_int_equal(follow(&f, 1, 3, 1, 0, 1), MODEL_TRAPPED);
    assert_int_equal(model_get_sm_trap(f.m, 0).code, TRAP_NONE);
    assert_int_equal(follow(&f, 0, 1, 0, 0, 1), MODEL_RETIRED); /* a warp that has not appeared before */
    assert_int_equal(follow(&f, 0, 0, 0, 0, 0), MODEL_RETIRED);
    assert_int_equal(model_get_sm_trap(f.m, 0).code, TRAP_BREAKPOINT);
    assert_int_equal(model_get_trap(f.m).sm, 1);
    assert_int_equal(follow(&f, 0, 1, 0, 0, 1), MODEL_TRAPPED);
    fixture_launch(&f);
    assert_int_equal(model_get_sm_trap(f.m, 0).code, TRAP_NONE);
    assert_int_equal(model_get_sm_trap(f.m, 1).code, TRAP_NONE);
    fixture_teardown(&f);
}

static void test_follow_and_own_scheduling_do_not_mix(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "NOP\n!NOP\n");
    fixture_step(&f);
    check_refused(&f, 0, 0, 0, 0, 0, "scheduling by itself");
    fixture_launch(&f);
    assert_int_equal(follow(&f, 0, 0, 0, 0, 0), MODEL_RETIRED);
    assert_int_equal(model_run_step(f.m, NULL), MODEL_REFUSED);
    fixture_teardown(&f);
}

/* Also if the grid is one block, which the model alone would put into the first slot. */
static void test_follow_takes_any_slot(void **state) {
    (void)state;
    struct fixture f;
    const struct retire rtl = fixture_record(1, 5, 0, 0, 0);
    struct retire out;
    fixture_source(&f, "!NOP\n");
    f.machine.sms = 2;
    fixture_launch(&f);
    assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
    assert_true(model_finished(f.m));
    fixture_teardown(&f);
}

/* Blocks may come in any order, side by side. */
static void test_follow_takes_blocks_far_apart(void **state) {
    (void)state;
    struct fixture f;
    struct retire out;
    fixture_source(&f, "NOP\n!NOP\n");
    f.image.grid[0] = f.image.grid[1] = 1000;
    fixture_launch(&f);
    for (unsigned i = 0; i < 4; i++) {
        const struct retire rtl = fixture_record(0, i, 7 + 256 * (i % 2), 7 + 256 * (i / 2), 0);
        assert_int_equal(model_step_follow(f.m, &rtl, &out), MODEL_RETIRED);
        assert_int_equal(out.pc, 0);
        assert_int_equal(out.block_x, rtl.block_x);
        assert_int_equal(out.block_y, rtl.block_y);
    }
    fixture_teardown(&f);
}

/* The number of a block may be 2^31 and more. */
static void test_follow_takes_a_block_beyond_2_to_the_31(void **state) {
    (void)state;
    enum { WIDTH = 65535, X = 32768, Y = 32768 }; /* Y * WIDTH + X is 2^31 */
    struct fixture f;
    fixture_source(&f, "!NOP\n");
    f.image.grid[0] = f.image.grid[1] = WIDTH;
    fixture_launch(&f);
    assert_int_equal(follow(&f, 0, 0, 0, 0, 0), MODEL_RETIRED);
    assert_int_equal(follow(&f, 0, 0, X, Y, 0), MODEL_RETIRED);
    check_refused(&f, 0, 0, X, Y, 0, "cannot run twice");
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follow_places_blocks_as_the_rtl_does),
        cmocka_unit_test(test_follow_refuses_names_out_of_range),
        cmocka_unit_test(test_follow_refuses_wrong_places),
        cmocka_unit_test(test_follow_refuses_finished_and_repeated),
        cmocka_unit_test(test_follow_refuses_a_warp_at_a_barrier),
        cmocka_unit_test(test_follow_runs_the_whole_grid),
        cmocka_unit_test(test_follow_stops_at_a_trap),
        cmocka_unit_test(test_follow_lets_other_sms_drain),
        cmocka_unit_test(test_follow_takes_any_slot),
        cmocka_unit_test(test_follow_takes_blocks_far_apart),
        cmocka_unit_test(test_follow_takes_a_block_beyond_2_to_the_31),
        cmocka_unit_test(test_follow_and_own_scheduling_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
