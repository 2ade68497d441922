/* SPDX-License-Identifier: Apache-2.0 */
/* Divergence, reconvergence, calls, loops and exit: docs/isa.md 6.1, rule by rule, with masks computed by hand. These
 * programs set C0 per lane before the first step, so that BRA C0.NE is taken in lanes with Z clear. */
#include <string.h>

#include "fixture.h"

enum { FLAG_Z = 1 };

/* Launches a source with Z set in C0 (so NE fails) in the lanes of `not_taken`, and in C1 in the lanes of
 * `not_taken1`. */
static void start(struct fixture *f, const char *text, uint32_t not_taken, uint32_t not_taken1) {
    fixture_source(f, text);
    fixture_launch(f);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        model_poke_creg(f->m, 0, 0, lane, 0, (not_taken >> lane & 1) != 0 ? FLAG_Z : 0);
        model_poke_creg(f->m, 0, 0, lane, 1, (not_taken1 >> lane & 1) != 0 ? FLAG_Z : 0);
    }
    fixture_poke(f, 2, 0, 0);
    fixture_poke(f, 3, 0, 0);
}

static void check_next(const struct retire *r, uint32_t pc, uint32_t active, uint32_t depth) {
    assert_int_equal(r->trap, TRAP_NONE);
    assert_int_equal(r->next_pc, pc);
    assert_int_equal(r->next_active, active);
    assert_int_equal(r->depth, depth);
}

static void check_step(struct fixture *f, uint32_t pc, uint32_t active, uint32_t depth) {
    const struct retire r = fixture_step(f);
    check_next(&r, pc, active, depth);
}

/* if / else with SSY: taken side first, each group executes the .S instruction once, then all continue behind it. */
static void test_flow_if_else_reconverges(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "SSY 0x28\n"             /* 00 */
          "BRA C0.NE, 0x20\n"      /* 08 */
          "IADD32I R2, R2, 0x1\n"  /* 10: not taken */
          "BRA 0x28\n"             /* 18 */
          "IADD32I R2, R2, 0x10\n" /* 20: taken */
          "SHL.S R2, R2, 0x1\n"    /* 28 */
          "!NOP\n",                /* 30 */
          0x0000ffff, 0);
    check_step(&f, 0x08, 0xffffffff, 1);
    check_step(&f, 0x20, 0xffff0000, 2);
    check_step(&f, 0x28, 0xffff0000, 2);
    check_step(&f, 0x10, 0x0000ffff, 1);
    check_step(&f, 0x18, 0x0000ffff, 1);
    check_step(&f, 0x28, 0x0000ffff, 1);
    check_step(&f, 0x30, 0xffffffff, 0);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 0, 2), 0x2);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 31, 2), 0x20);
    const struct retire r = fixture_step(&f);
    assert_int_equal(r.state, RETIRE_FINISHED);
    assert_int_equal(r.exec, 0xffffffff); /* NOP ignores its guard field */
    check_next(&r, 0, 0, 0);
    assert_int_equal(fixture_run(&f), MODEL_DONE);
    fixture_teardown(&f);
}

static void test_flow_nested_ssy(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "SSY 0x30\n"        /* 00 */
          "BRA C0.NE, 0x30\n" /* 08: lanes 16..31 go */
          "SSY 0x28\n"        /* 10 */
          "BRA C1.NE, 0x28\n" /* 18: lanes 0..7 go */
          "NOP\n"             /* 20: lanes 8..15 */
          "NOP.S\n"           /* 28 */
          "NOP.S\n"           /* 30 */
          "!NOP\n",           /* 38 */
          0x0000ffff, 0xffffff00);
    check_step(&f, 0x08, 0xffffffff, 1);
    check_step(&f, 0x30, 0xffff0000, 2);
    check_step(&f, 0x10, 0x0000ffff, 1);
    check_step(&f, 0x18, 0x0000ffff, 2);
    check_step(&f, 0x28, 0x000000ff, 3);
    check_step(&f, 0x20, 0x0000ff00, 2);
    check_step(&f, 0x28, 0x0000ff00, 2);
    check_step(&f, 0x30, 0x0000ffff, 1);
    check_step(&f, 0x38, 0xffffffff, 0);
    fixture_teardown(&f);
}

/* Rule 6: the group left after the others exited continues behind the .S instruction that it has executed. */
static void test_flow_early_exit_resumes_after_the_join(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "SSY 0x18\n"        /* 00 */
          "BRA C0.NE, 0x18\n" /* 08: lanes 16..31 join first */
          "RET\n"             /* 10: lanes 0..15 exit */
          "NOP.S\n"           /* 18 */
          "!NOP\n",           /* 20 */
          0x0000ffff, 0);
    check_step(&f, 0x08, 0xffffffff, 1);
    check_step(&f, 0x18, 0xffff0000, 2);
    check_step(&f, 0x10, 0x0000ffff, 1);
    check_step(&f, 0x20, 0xffff0000, 0);
    struct model_warp warp;
    model_peek_warp(f.m, 0, 0, &warp);
    assert_int_equal(warp.alive, 0xffff0000);
    fixture_teardown(&f);
}

/* RET of some threads without a CALL on the stack: they exit, the others continue. */
static void test_flow_guarded_return_exits(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "RET C0.NE\n!NOP\n", 0x000000ff, 0);
    check_step(&f, 0x08, 0x000000ff, 0);
    const struct retire r = fixture_step(&f);
    assert_int_equal(r.active, 0x000000ff);
    assert_int_equal(r.state, RETIRE_FINISHED);
    fixture_teardown(&f);
}

/* Rule 4: threads that return wait; the last one takes all of them back to the caller. */
static void test_flow_call_waits_for_all_to_return(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "CAL 0x10\n"  /* 00 */
          "!NOP\n"      /* 08 */
          "RET C0.NE\n" /* 10 */
          "NOP\n"       /* 18 */
          "RET\n",      /* 20 */
          0x0000000f, 0);
    check_step(&f, 0x10, 0xffffffff, 1);
    check_step(&f, 0x18, 0x0000000f, 1);
    check_step(&f, 0x20, 0x0000000f, 1);
    check_step(&f, 0x08, 0xffffffff, 0);
    fixture_teardown(&f);
}

/* Returning from both sides of a branch inside a function; the DIVERGE entry on the way runs its group first. */
static void test_flow_return_runs_diverged_groups(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "CAL 0x10\n"        /* 00 */
          "!NOP\n"            /* 08 */
          "BRA C0.NE, 0x20\n" /* 10 */
          "RET\n"             /* 18 */
          "RET\n",            /* 20 */
          0x0000000f, 0);
    check_step(&f, 0x10, 0xffffffff, 1);
    check_step(&f, 0x20, 0xfffffff0, 2);
    check_step(&f, 0x18, 0x0000000f, 1);
    check_step(&f, 0x08, 0xffffffff, 0);
    fixture_teardown(&f);
}

/* Rule 8: a thread that returned is not revived by a SYNC entry above the CALL. */
static void test_flow_returned_threads_stay_parked_over_a_sync(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "CAL 0x10\n"        /* 00 */
          "!NOP\n"            /* 08 */
          "SSY 0x28\n"        /* 10 */
          "BRA C0.NE, 0x28\n" /* 18: lanes 4..31 */
          "RET\n"             /* 20: lanes 0..3 */
          "NOP.S\n"           /* 28 */
          "RET\n",            /* 30 */
          0x0000000f, 0);
    check_step(&f, 0x10, 0xffffffff, 1);
    check_step(&f, 0x18, 0xffffffff, 2);
    check_step(&f, 0x28, 0xfffffff0, 3);
    check_step(&f, 0x20, 0x0000000f, 2);
    check_step(&f, 0x30, 0xfffffff0, 1); /* behind the join, without the threads that returned */
    check_step(&f, 0x08, 0xffffffff, 0);
    fixture_teardown(&f);
}

static void test_flow_break_leaves_the_loop_together(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "PBK 0x20\n"  /* 00 */
          "BRK C0.NE\n" /* 08: lanes 4..31 */
          "BRK C1.NE\n" /* 10: lanes 0..1 */
          "BRK\n"       /* 18: lanes 2..3 */
          "!NOP\n",     /* 20 */
          0x0000000f, 0xfffffffc);
    check_step(&f, 0x08, 0xffffffff, 1);
    check_step(&f, 0x10, 0x0000000f, 1);
    check_step(&f, 0x18, 0x0000000c, 1);
    check_step(&f, 0x20, 0xffffffff, 0);
    fixture_teardown(&f);
}

/* Rule 8, both kinds at once: lanes 0..1 return from inside a loop of a function, the others break. The end of the loop
 * must not revive the returned lanes. */
static void test_flow_return_inside_a_loop_of_a_function(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "CAL 0x10\n"  /* 00 */
          "!NOP\n"      /* 08 */
          "PBK 0x28\n"  /* 10 */
          "RET C0.NE\n" /* 18: lanes 0..1 */
          "BRK\n"       /* 20 */
          "NOP\n"       /* 28 */
          "RET\n",      /* 30 */
          0xfffffffc, 0);
    check_step(&f, 0x10, 0xffffffff, 1);
    check_step(&f, 0x18, 0xffffffff, 2);
    check_step(&f, 0x20, 0xfffffffc, 2);
    check_step(&f, 0x28, 0xfffffffc, 1);
    check_step(&f, 0x30, 0xfffffffc, 1);
    check_step(&f, 0x08, 0xffffffff, 0);
    fixture_teardown(&f);
}

/* The mirror image: BRK in a function that a loop calls. */
static void test_flow_break_inside_a_function_of_a_loop(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "PBK 0x28\n"  /* 00 */
          "CAL 0x18\n"  /* 08 */
          "BRK\n"       /* 10 */
          "BRK C0.NE\n" /* 18: lanes 0..1 */
          "RET\n"       /* 20 */
          "!NOP\n",     /* 28 */
          0xfffffffc, 0);
    check_step(&f, 0x08, 0xffffffff, 1);
    check_step(&f, 0x18, 0xffffffff, 2);
    check_step(&f, 0x20, 0xfffffffc, 2);
    check_step(&f, 0x10, 0xfffffffc, 1); /* back from the call, without those that broke out */
    check_step(&f, 0x28, 0xffffffff, 0);
    fixture_teardown(&f);
}

static void test_flow_join_on_an_empty_stack_only_executes(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "IADD.S R2, R2, R2\nIADD32I.SAT R2, R2, 0x1\n!NOP\n", 0, 0);
    fixture_poke(&f, 2, 21, 0);
    check_step(&f, 0x08, 0xffffffff, 0);
    assert_int_equal(model_peek_reg(f.m, 0, 0, 9, 2), 42);
    fixture_teardown(&f);
}

/* Without an SSY: the side that diverged first continues with the other, except for returned lanes. */
static void test_flow_join_on_an_empty_stack_gathers_all(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "BRA C0.NE, 0x10\n" /* 00 */
          "RET C1.EQU\n"      /* 08: lanes 0..3 */
          "NOP.S\n"           /* 10 */
          "!NOP\n",           /* 18 */
          0x0000ffff, 0xf);
    check_step(&f, 0x10, 0xffff0000, 1);
    check_step(&f, 0x08, 0x0000ffff, 0);
    check_step(&f, 0x10, 0x0000fff0, 0);
    check_step(&f, 0x18, 0xfffffff0, 0);
    fixture_teardown(&f);
}

/* The guard of a .S instruction decides which lanes execute it, not which lanes join. */
static void test_flow_join_pops_whatever_the_guard(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "SSY 0x8\nMOV.S R3 (C0.NE), R0\n!NOP\n", 0xffffffff, 0);
    check_step(&f, 0x08, 0xffffffff, 1);
    const struct retire r = fixture_step(&f);
    assert_int_equal(r.exec, 0);
    assert_int_equal(r.dst_kind, RETIRE_DST_REG32);
    assert_int_equal(r.dst_mask, 0);
    check_next(&r, 0x10, 0xffffffff, 0);
    fixture_teardown(&f);
}

/* END: all active threads exit, even those with a false guard. */
static void test_flow_end_ignores_the_guard(void **state) {
    (void)state;
    struct fixture f;
    start(&f, "!MOV R3 (C0.NE), R2\nNOP\n", 0x0000ffff, 0);
    const struct retire r = fixture_step(&f);
    assert_int_equal(r.exec, 0xffff0000);
    assert_int_equal(r.state, RETIRE_FINISHED);
    fixture_teardown(&f);
}

/* Every lane leaves a loop in another iteration: 31 DIVERGE entries at once. */
static void test_flow_loop_with_divergent_exits(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "SSY 0x20\n"                         /* 00 */
          "IADD32I R2, R2, 0x1\n"              /* 08 */
          "ISET.S32.C0 o [0x7f], R2, R1, LT\n" /* 10 */
          "BRA C0.NE, 0x8\n"                   /* 18 */
          "IADD.S R3, R3, R2\n"                /* 20 */
          "!NOP\n",                            /* 28 */
          0, 0);
    fixture_poke(&f, 1, 1, 1); /* lane L runs L + 1 turns */
    unsigned deepest = 0;
    struct retire r;
    do {
        r = fixture_step(&f);
        assert_int_equal(r.trap, TRAP_NONE);
        deepest = r.depth > deepest ? r.depth : deepest;
    } while (r.next_pc != 0x28 && r.state != RETIRE_FINISHED);
    assert_int_equal(deepest, 32); /* SYNC and 31 groups */
    assert_int_equal(r.next_active, 0xffffffff);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) assert_int_equal(model_peek_reg(f.m, 0, 0, lane, 3), lane + 1);
    fixture_teardown(&f);
}

/* A trap leaves half of the warp parked by BRK; the next launch restores it. */
static void test_flow_next_launch_forgets_who_was_parked(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "PBK 0x18\n"                  /* 00 */
          "BRK C0.NE\n"                 /* 08 */
          "GLD.U32 R3, global14 [R2]\n" /* 10 */
          "SSY 0x28\n"                  /* 18 */
          "NOP.S\n"                     /* 20 */
          "!NOP\n",                     /* 28 */
          0x0000ffff, 0);
    fixture_poke(&f, 2, 1, 0); /* misaligned */
    assert_int_equal(fixture_run(&f), MODEL_TRAPPED);
    fixture_launch(&f);
    fixture_poke_c(&f, 0, FLAG_Z);
    fixture_poke(&f, 2, 0, 0);
    check_step(&f, 0x08, 0xffffffff, 1);
    check_step(&f, 0x10, 0xffffffff, 1);
    check_step(&f, 0x18, 0xffffffff, 1);
    check_step(&f, 0x20, 0xffffffff, 2);
    check_step(&f, 0x28, 0xffffffff, 1);
    fixture_teardown(&f);
}

/* Lanes 8..15 exit inside a loop that lanes 0..7 have left; lanes 0..7 still wait for the others. */
static void test_flow_exit_inside_a_loop(void **state) {
    (void)state;
    struct fixture f;
    start(&f,
          "PBK 0x38\n"  /* 00 */
          "SSY 0x28\n"  /* 08 */
          "BRK C0.NE\n" /* 10 */
          "RET C1.NE\n" /* 18 */
          "NOP\n"       /* 20 */
          "NOP.S\n"     /* 28 */
          "BRK\n"       /* 30 */
          "!NOP\n",     /* 38 */
          0xffffff00, 0xffff00ff);
    fixture_steps(&f, 2);
    check_step(&f, 0x18, 0xffffff00, 2);
    check_step(&f, 0x20, 0xffff0000, 2);
    fixture_step(&f);
    check_step(&f, 0x30, 0xffff0000, 1);
    check_step(&f, 0x38, 0xffff00ff, 0);
    fixture_teardown(&f);
}

/* 63 entries, then the text at 0x1f8: the last free entry is the only one of its kind. */
static void check_last_entry(const char *text, uint32_t back) {
    struct fixture f;
    char source[1024] = "";
    for (unsigned i = 0; i < 63; i++) strcat(source, "SSY 0x0\n");
    start(&f, strcat(source, text), 0, 0);
    fixture_steps(&f, 64);
    check_step(&f, back, 0xffffffff, 63);
    fixture_teardown(&f);
}

static void test_flow_leaves_by_the_last_entry(void **state) {
    (void)state;
    check_last_entry("PBK 0x210\nBRK\nNOP\nNOP\n", 0x210);
    check_last_entry("CAL 0x208\nNOP\nRET\n", 0x200);
}

/* A full stack: a branch that splits the warp has no room for the lanes that stay; if all lanes go or stay it needs
 * none. */
static void test_flow_branch_overflows_where_lanes_part(void **state) {
    (void)state;
    static const uint32_t STAY[] = {0, 0xffffffff, 0x0000ffff};
    static const enum trap MUST[] = {TRAP_NONE, TRAP_NONE, TRAP_STACK_OVERFLOW};
    for (unsigned i = 0; i < 3; i++) {
        struct fixture f;
        start(&f, "SSY 0x0\nBRA C1.NE, 0x0\nBRA C0.NE, 0x18\n!NOP\n", STAY[i], 0);
        assert_int_equal(fixture_steps(&f, 2 * f.machine.stack_depth - 1).depth, f.machine.stack_depth);
        fixture_poke_c(&f, 1, FLAG_Z);
        assert_int_equal(fixture_steps(&f, 2).trap, MUST[i]);
        fixture_teardown(&f);
    }
}

/* RET searches the whole stack for a call, here below 30 other entries. */
static void test_flow_return_from_a_call_far_down(void **state) {
    (void)state;
    struct fixture f;
    char text[512] = "CAL 0x10\n!NOP\n";
    for (unsigned i = 0; i < 30; i++) strcat(text, "SSY 0x8\n");
    strcat(text, "RET\n!NOP\n");
    start(&f, text, 0, 0);
    const struct retire r = fixture_steps(&f, 32);
    assert_int_equal(r.trap, TRAP_NONE);
    assert_int_equal(r.next_pc, 8);
    assert_int_equal(r.next_active, 0xffffffff);
    assert_int_equal(r.depth, 0);
    fixture_teardown(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flow_if_else_reconverges),
        cmocka_unit_test(test_flow_nested_ssy),
        cmocka_unit_test(test_flow_early_exit_resumes_after_the_join),
        cmocka_unit_test(test_flow_guarded_return_exits),
        cmocka_unit_test(test_flow_call_waits_for_all_to_return),
        cmocka_unit_test(test_flow_return_runs_diverged_groups),
        cmocka_unit_test(test_flow_returned_threads_stay_parked_over_a_sync),
        cmocka_unit_test(test_flow_break_leaves_the_loop_together),
        cmocka_unit_test(test_flow_return_inside_a_loop_of_a_function),
        cmocka_unit_test(test_flow_break_inside_a_function_of_a_loop),
        cmocka_unit_test(test_flow_join_on_an_empty_stack_only_executes),
        cmocka_unit_test(test_flow_join_on_an_empty_stack_gathers_all),
        cmocka_unit_test(test_flow_join_pops_whatever_the_guard),
        cmocka_unit_test(test_flow_end_ignores_the_guard),
        cmocka_unit_test(test_flow_loop_with_divergent_exits),
        cmocka_unit_test(test_flow_next_launch_forgets_who_was_parked),
        cmocka_unit_test(test_flow_exit_inside_a_loop),
        cmocka_unit_test(test_flow_leaves_by_the_last_entry),
        cmocka_unit_test(test_flow_branch_overflows_where_lanes_part),
        cmocka_unit_test(test_flow_return_from_a_call_far_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
