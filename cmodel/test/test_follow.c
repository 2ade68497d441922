/* SPDX-License-Identifier: Apache-2.0 */
/* Following the RTL: whose warp is stepped, what is refused, which values are adopted. The "RTL" of these tests is a
 * record made by hand. */
#include <string.h>

#include "fixture.h"

static struct retire record_of(unsigned sm, unsigned slot, unsigned x, unsigned y, unsigned warp) {
    struct retire r;
    memset(&r, 0, sizeof r);
    r.sm = sm;
    r.slot = slot;
    r.block_x = x;
    r.block_y = y;
    r.warp = warp;
    r.exec = r.dst_mask = r.c_mask = r.a_mask = r.mem_mask = 0xffffffff;
    return r;
}

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
    const struct retire rtl = record_of(sm, slot, x, y, warp);
    struct retire out;
    return model_step_follow(f->m, &rtl, &out);
}

static void check_refused(struct fixture *f, unsigned sm, unsigned slot, unsigned x, unsigned y, unsigned warp,
                          const char *why) {
    struct model_counts before, after;
    model_get_counts(f->m, &before);
    assert_int_equal(follow(f, sm, slot, x, y, warp), MODEL_REFUSED);
    if (strstr(model_why(f->m), why) == NULL) {
        fail_msg("refused because '%s', expected '%s'", model_why(f->m), why);
    }
    model_get_counts(f->m, &after);
    assert_int_equal(before.warp_instructions, after.warp_instructions);
}

static void test_follow_places_blocks_as_the_rtl_does(void **state) {
    (void)state;
    struct fixture f;
    struct retire out;
    struct model_warp warp;
    start(&f, "S2R R1, SR0\n!NOP\n");
    const struct retire rtl = record_of(1, 3, 2, 1, 1); /* the last block first, its second warp first */
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
    assert_false(warp.present); /* what the model would have done by itself is gone */
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
    check_refused(&f, 0, 2, 0, 0, 0, "is in slot 1");
    check_refused(&f, 0, 1, 0, 0, 1, "is taken");
    check_refused(&f, 0, 1, 1, 0, 0, "is taken");
    assert_int_equal(follow(&f, 0, 3, 1, 0, 1), MODEL_RETIRED);
    check_refused(&f, 0, 0, 2, 0, 0, "does not fit"); /* 2 + 2 warps are there, though two slots show none yet */
    fixture_teardown(&f);
}

static void test_follow_refuses_finished_and_repeated(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "!NOP\n");
    assert_int_equal(follow(&f, 0, 0, 0, 0, 0), MODEL_RETIRED);
    check_refused(&f, 0, 0, 0, 0, 0, "has finished");
    assert_int_equal(follow(&f, 0, 1, 0, 0, 1), MODEL_RETIRED);
    check_refused(&f, 0, 0, 0, 0, 0, "cannot run twice");
    assert_int_equal(follow(&f, 0, 0, 1, 0, 0), MODEL_RETIRED); /* the slot is free again */
    assert_false(model_finished(f.m));
    fixture_teardown(&f);
}

static void test_follow_refuses_a_warp_at_a_barrier(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "BAR.ARV.WAIT b2, 0xfff\n!NOP\n");
    assert_int_equal(follow(&f, 0, 0, 0, 0, 0), MODEL_RETIRED);
    check_refused(&f, 0, 0, 0, 0, 0, "waits at barrier 2");
    assert_int_equal(follow(&f, 0, 1, 0, 0, 1), MODEL_RETIRED); /* a warp that was not seen before releases it */
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
    struct fixture f;
    start(&f, "TRAP\n");
    assert_int_equal(follow(&f, 0, 0, 0, 0, 0), MODEL_RETIRED);
    assert_int_equal(follow(&f, 0, 1, 0, 0, 1), MODEL_TRAPPED);
    assert_non_null(strstr(model_why(f.m), "sm 0 was stopped by a trap"));
    fixture_teardown(&f);
}

/* The other SM finishes what it has issued, and may trap in turn; the first trap is the one that is told. */
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
    assert_int_equal(follow(&f, 0, 1, 0, 0, 1), MODEL_RETIRED); /* a warp that has not been seen before */
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
    fixture_teardown(&f);
}

/* ------------------------------------------------------------------------------------------------------- adoption */

/* Follows one warp of one block through a source whose first `count` - 1 records need nothing from the RTL. */
static struct retire follow_last(struct fixture *f, const char *text, unsigned count, const struct retire *last) {
    struct retire out = {0};
    const struct retire plain = record_of(0, 0, 0, 0, 0);
    fixture_source(f, text);
    f->image.local_bytes = 16;
    fixture_launch(f);
    for (unsigned i = 1; i <= count; i++) {
        assert_int_equal(model_step_follow(f->m, i == count ? last : &plain, &out), MODEL_RETIRED);
    }
    return out;
}

static uint64_t adopted(const struct fixture *f) {
    struct model_counts counts;
    model_get_counts(f->m, &counts);
    return counts.adopted;
}

static void test_follow_adopts_results_of_undefined_operands(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = record_of(0, 0, 0, 0, 0);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        rtl.dst[i] = 1000 + i;
        rtl.c[i] = i % 16;
    }
    struct retire out = follow_last(&f, "IADD.C1 R1, R0, R5\n!NOP\n", 1, &rtl);
    assert_int_equal(out.dst[7], 1007);
    assert_int_equal(out.c[7], 7);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 7, 1), 1007);
    assert_int_equal(model_peek_creg(f.m, 0, 0, 7, 1), 7);
    assert_int_equal(adopted(&f), 64);
    assert_int_equal(model_undefined_count(f.m), 1);
    fixture_teardown(&f);

    /* a defined result is the model's own, whatever the RTL says */
    out = follow_last(&f, "IADD R1, R0, R0\n!NOP\n", 1, &rtl);
    assert_int_equal(out.dst[7], 14);
    assert_int_equal(adopted(&f), 0);
    fixture_teardown(&f);

    out = follow_last(&f, "MOV.U16 R2H, R3L\n!NOP\n", 1, &rtl);
    assert_int_equal(out.dst[7], 1007);
    fixture_teardown(&f);
}

/* Only lanes that read something undefined are taken over: R1 is written in lanes 16..31. */
static void test_follow_adopts_lane_by_lane(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = record_of(0, 0, 0, 0, 0);
    rtl.dst[3] = 33;
    rtl.dst[20] = 2020;
    const struct retire out = follow_last(&f,
                                          "MVI R2, 0x10\nI2I.U32.U16 R3, R0L\nISET.C0 o [0x7f], R3, R2, GE\n"
                                          "MOV R1 (C0.NE), R0\nIADD R4, R1, R1\n!NOP\n",
                                          5, &rtl);
    assert_int_equal(out.dst[3], 33);
    assert_int_equal(out.dst[20], 40);
    assert_int_equal(adopted(&f), 16);
    fixture_teardown(&f);
}

static void test_follow_adopts_guards(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = record_of(0, 0, 0, 0, 0);
    rtl.exec = 0x0000ff00;
    struct retire out = follow_last(&f, "MOV R1 (C2.NE), R0\n!NOP\n", 1, &rtl);
    assert_int_equal(out.exec, 0x0000ff00);
    assert_int_equal(out.dst_mask, 0x0000ff00);
    assert_int_equal(out.dst[9], 9);
    fixture_teardown(&f);

    out = follow_last(&f, "BRA C2.NE, 0x10\n!NOP\n!NOP\n", 1, &rtl);
    assert_int_equal(out.next_pc, 0x10);
    assert_int_equal(out.next_active, 0x0000ff00);
    assert_int_equal(out.depth, 1);
    fixture_teardown(&f);
}

static void test_follow_adopts_addresses_and_data(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = record_of(0, 0, 0, 0, 0);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        rtl.addr[i] = 0x400 + 4 * i;
        rtl.data[i] = 0xd000 + i;
    }
    struct retire out = follow_last(&f, "GST.U32 global14 [R5], R6\n!NOP\n", 1, &rtl);
    assert_int_equal(out.addr[3], 0x40c);
    assert_int_equal(out.data[3], 0xd003);
    assert_memory_equal(model_global(f.m) + 0x40c, "\x03\xd0\0\0", 4);
    fixture_teardown(&f);

    /* an adopted address is loaded from the model's memory: only the address was undefined */
    rtl.dst[3] = 77;
    out = follow_last(&f, "GLD.U32 R1, global14 [R5]\n!NOP\n", 1, &rtl);
    assert_int_equal(out.addr[3], 0x40c);
    assert_int_equal(out.dst[3], 0);
    fixture_teardown(&f);

    /* undefined bytes of local memory are the RTL's */
    out = follow_last(&f, "LLD.U32 R1, local [0x4]\n!NOP\n", 1, &rtl);
    assert_int_equal(out.dst[3], 77);
    fixture_teardown(&f);

    /* data that was adopted is defined from then on */
    out = follow_last(&f, "LST.U32 local [0x4], R9\nLLD.U32 R1, local [0x4]\n!NOP\n", 2, &rtl);
    assert_int_equal(out.dst[3], 0);
    fixture_teardown(&f);
}

static void test_follow_adopts_address_registers(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = record_of(0, 0, 0, 0, 0);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        rtl.a[i] = 0x20 + i;
        rtl.dst[i] = 5;
    }
    struct retire out = follow_last(&f, "R2A A1, R5\n!NOP\n", 1, &rtl);
    assert_int_equal(out.a[3], 0x23);
    assert_int_equal(model_peek_areg(f.m, 0, 0, 3, 1), 0x23);
    fixture_teardown(&f);
    out = follow_last(&f, "MOV R1, g [A2+++0x1]\n!NOP\n", 1, &rtl);
    assert_int_equal(out.a[3], 0x23);
    assert_int_equal(out.dst[3], 5);
    fixture_teardown(&f);
}

/* An undefined address that trapped in the RTL traps in the model; a defined one does not because the RTL says so. */
static void test_follow_adopts_traps_of_undefined_addresses(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = record_of(0, 0, 0, 0, 0);
    rtl.trap = TRAP_GLOBAL_RANGE;
    struct retire out = follow_last(&f, "GLD.U32 R1, global14 [R5]\n!NOP\n", 1, &rtl);
    assert_int_equal(out.trap, TRAP_GLOBAL_RANGE);
    fixture_teardown(&f);
    out = follow_last(&f, "GLD.U32 R1, global14 [R124]\n!NOP\n", 1, &rtl);
    assert_int_equal(out.trap, TRAP_NONE);
    fixture_teardown(&f);
}

static void test_follow_adopts_the_clock(void **state) {
    (void)state;
    struct fixture f;
    struct retire rtl = record_of(0, 0, 0, 0, 0);
    rtl.dst[3] = 12345;
    const struct retire out = follow_last(&f, "S2R R1, SR1\n!NOP\n", 1, &rtl);
    assert_int_equal(out.dst[3], 12345);
    assert_int_equal(model_undefined_count(f.m), 0);
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
        cmocka_unit_test(test_follow_and_own_scheduling_do_not_mix),
        cmocka_unit_test(test_follow_adopts_results_of_undefined_operands),
        cmocka_unit_test(test_follow_adopts_lane_by_lane),
        cmocka_unit_test(test_follow_adopts_guards),
        cmocka_unit_test(test_follow_adopts_addresses_and_data),
        cmocka_unit_test(test_follow_adopts_address_registers),
        cmocka_unit_test(test_follow_adopts_traps_of_undefined_addresses),
        cmocka_unit_test(test_follow_adopts_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
