/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that go on after differences: an RTL that executes other instructions (crooked.h) is followed to its end, where
 * all of memory must agree, because the model's state has followed the RTL's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../verdict/lockstep.h"
#include "crooked.h"
#include "fake_sim.h"
#include "kernel.h"

enum { WAIVERS_MOST = 8, ALL = 100 };

/* One run, and its results. */
struct trial {
    struct launch run;
    struct lockstep *l;
    const struct lockstep_result *result;
    struct waivers *waivers;
};

static void start(struct trial *t, const struct sim_api *api, const char *const *kernel, const char *const *waivers,
                  unsigned keep_going, uint32_t seed) {
    const struct machine machine = MACHINE_DEFAULT;
    struct diag d = {0};
    t->run = kernel_make(kernel, 2, 64, &machine);
    t->run.image->local_bytes = 16;
    t->waivers = waivers_create();
    for (size_t i = 0; waivers != NULL && waivers[i] != NULL; i++)
        if (waivers_add(t->waivers, waivers[i], "", &d) != STATUS_OK) fail_msg("%s", d.text);
    const struct sim_options sim = {.cores = 8, .machine = machine, .seed = seed};
    const struct lockstep_options options = {
        .run = &t->run, .machine = machine, .waivers = t->waivers, .keep_going = keep_going};
    t->l = lockstep_create(&options, &d);
    assert_non_null(t->l);
    assert_true(lockstep_run(t->l, api, &sim, &d));
    t->result = lockstep_result(t->l);
}

static void stop(struct trial *t) {
    lockstep_destroy(t->l);
    waivers_destroy(t->waivers);
    kernel_release(&t->run);
}

/* The RTL executes `instead`, and each of `fields` (blanks around each name) is found, in order; nothing else is wrong.
 * The third opinion agrees with the model in all of them; it has none on barriers. */
static void expect_findings(const char *const *kernel, const char *instead, const char *fields) {
    struct trial t;
    char found[512] = "";
    assert_int_equal(setenv(CROOKED, instead, 1), 0);
    start(&t, crooked_sim_api(), kernel, NULL, ALL, 1);
    for (size_t i = 0; i < t.result->findings->count; i++) {
        const struct lockstep_finding *f = &t.result->findings->list[i];
        const size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%s%s:%s", i == 0 ? "" : " ", f->op, f->field->name);
        assert_int_equal(f->judged[OPINION_RTL] + f->judged[OPINION_NEITHER], 0);
        assert_true(f->judged[OPINION_MODEL] > 0 || strcmp(f->op, "BAR") == 0);
    }
    if (t.result->fault != FAULT_FINDINGS) print_error("%s\n", t.result->text);
    assert_string_equal(found, fields);
    assert_int_equal(t.result->fault, FAULT_FINDINGS);
    assert_int_equal(t.result->status, LOCKSTEP_MISMATCH);
    stop(&t);
}

static void test_overrule_finds_nothing_where_nothing_differs(void **state) {
    (void)state;
    struct trial t;
    setenv(CROOKED, "", 1);
    start(&t, crooked_sim_api(), KERNEL_MIXED, NULL, ALL, 1);
    assert_int_equal(t.result->status, LOCKSTEP_PASS);
    assert_int_equal(t.result->findings->count, 0);
    assert_int_equal(t.result->amended, 0);
    stop(&t);
}

/* Each value is stored at the end, so that memory shows whether the model has it. */
static const char *const VALUES[] = {"SHL R1, R0, 0x2",
                                     "MVI R2, 0x80000005",
                                     "IADD.C1 R3, R0, R2",
                                     "MVI R4, 0x7",
                                     "IADD R4 (C1.SIGN), R4, R4",
                                     "GST.U32 global14[R1], R3",
                                     "IADD32I R1, R1, 0x400",
                                     "GST.U32 global14[R1], R4",
                                     "RET",
                                     NULL};

static void test_overrule_takes_over_registers_and_flags(void **state) {
    (void)state;
    expect_findings(VALUES, "0x10=IADD.C1 R3, R0, R0", "IADD:dst IADD:c");
    expect_findings(VALUES, "0x10=IADD R3, R0, R2;0x18=MVI R4, 0x9", "IADD:c_reg IADD:c_mask MVI:dst");
    expect_findings(VALUES, "0x18=MVI R3, 0x7", "MVI:dst_reg");
    expect_findings(VALUES, "0x18=IADD R4 (C1.NOT_SIGN), R4, R4;0x0=SHL R1, R0, 0x3", "SHL:dst MVI:exec MVI:dst_mask");
}

static void test_overrule_takes_over_stores(void **state) {
    (void)state;
    expect_findings(VALUES, "0x28=GST.U32 global14[R4], R3;0x18=MVI R4, 0x8", "MVI:dst GST:addr");
    expect_findings(VALUES, "0x38=GST.U32 global14[R1], R3", "GST:data");
    expect_findings(VALUES, "0x38=NOP", "GST:mem_kind GST:mem_bytes GST:mem_mask");
    expect_findings(VALUES, "0x38=GST.U16 global14[R1], R4", "GST:mem_bytes");
    expect_findings(VALUES, "0x28=GST.S64 global14[R1], R2;0x0=SHL R1, R0, 0x3", "SHL:dst GST:mem_bytes GST:data");
}

static void test_overrule_takes_over_shared_and_local_memory(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"SHL R1, R0, 0x2",
                                         "MVI R2, 0x5",
                                         "MVI R3, 0x6",
                                         "R2G.U32.U32 g[0x8], R2",
                                         "LST.U32 local[0x4], R2",
                                         "LLD.U32 R4, local[0x4]",
                                         "MOV R5, g [0x8]",
                                         "IADD R4, R4, R5",
                                         "GST.U32 global14[R1], R4",
                                         "RET",
                                         NULL};
    expect_findings(KERNEL, "0x18=R2G.U32.U32 g[0x8], R3", "R2G:data");
    expect_findings(KERNEL, "0x20=LST.U32 local[0x4], R3", "LST:data");
}

static void test_overrule_takes_over_wide_accesses(void **state) {
    (void)state;
    expect_findings(KERNEL_WIDE, "0x8=GLD.S64 R4, global14[R1]", "GLD:mem_bytes");
    expect_findings(KERNEL_WIDE, "0x10=GLD.S128 R4, global14[R1]", "GLD:dst_reg GLD:mem_bytes");
    expect_findings(KERNEL_WIDE, "0x18=IADD R7, R7, R0", "IADD:dst_reg IADD:dst");
    expect_findings(KERNEL_WIDE, "0x20=GST.S128 global14[R1], R4;0x28=GST.S64 global14[R1], R4", "GST:mem_bytes");
}

static void test_overrule_takes_over_address_registers(void **state) {
    (void)state;
    static const char *const KERNEL[] = {
        "MVI R2, 0x4", "R2A A1, R2", "MVI R3, 0x0", "A2R R3, A1", "SHL R1, R0, 0x2", "GST.U32 global14[R1], R3",
        "RET",         NULL};
    expect_findings(KERNEL, "0x8=R2A A1, R0", "R2A:a");
    expect_findings(KERNEL, "0x0=MVI R2, 0x8;0x8=R2A A1, R2, 0x1", "MVI:dst R2A:a");
}

static const char *const FLOW[] = {
    "SHL.C0 R1, R0, 0x2",       "MVI R2, 0x1", "SSY 0x30", "BRA C0.NE, 0x28", "MVI R2, 0x2", "MVI R3, 0x3", "NOP.S",
    "GST.U32 global14[R1], R2", "RET",         NULL};

static void test_overrule_takes_over_where_a_warp_goes(void **state) {
    (void)state;
    expect_findings(FLOW, "0x18=BRA C0.NE, 0x20", "BRA:next_pc");
    expect_findings(FLOW, "0x18=BRA 0x28", "BRA:exec BRA:next_active BRA:depth");
    expect_findings(FLOW, "0x10=NOP;0x18=NOP;0x30=NOP", "SSY:depth BRA:exec BRA:next_pc BRA:next_active BRA:depth");
}

/* One side ends, the other continues. */
static void test_overrule_takes_over_the_end(void **state) {
    (void)state;
    expect_findings(VALUES, "0x38=!GST.U32 global14[R1], R4", "GST:next_pc GST:next_active GST:state");
    static const char *const TWO[] = {"SHL R1, R0, 0x2", "RET", "GST.U32 global14[R1], R0", "RET", NULL};
    expect_findings(TWO, "0x8=NOP", "RET:next_pc RET:next_active RET:state");
    /* Lanes that have ended in the model alone are restored by the join of the following branch. */
    static const char *const SOME[] = {"SHL.C0 R1, R0, 0x2",       "RET C0.EQ", "SSY 0x28",
                                       "BRA C0.NE, 0x28",          "NOP",       "NOP.S",
                                       "GST.U32 global14[R1], R0", "RET",       NULL};
    expect_findings(SOME, "0x8=NOP", "RET:exec RET:next_active");
}

/* Lanes that wait on the stack in the model alone, for the end of a call or a loop, no longer wait: the following
 * branch joins them, too. */
static void test_overrule_takes_over_lanes_that_wait(void **state) {
    (void)state;
    static const char *const CALL[] = {"SHL.C0 R1, R0, 0x2",
                                       "CAL 0x20",
                                       "GST.U32 global14[R1], R0",
                                       "RET",
                                       "RET C0.EQ",
                                       "SSY 0x40",
                                       "BRA C0.NE, 0x40",
                                       "NOP",
                                       "NOP.S",
                                       "RET",
                                       NULL};
    expect_findings(CALL, "0x20=NOP", "RET:exec RET:next_active");
    static const char *const LOOP[] = {"SHL.C0 R1, R0, 0x2",       "PBK 0x40", "BRK C0.EQ", "SSY 0x30",
                                       "BRA C0.NE, 0x30",          "NOP",      "NOP.S",     "BRK",
                                       "GST.U32 global14[R1], R0", "RET",      NULL};
    expect_findings(LOOP, "0x10=NOP", "BRK:exec BRK:next_active");
}

static void test_overrule_takes_over_barriers(void **state) {
    (void)state;
    static const char *const BARRIER[] = {"SHL R1, R0, 0x2", "BAR.ARV.WAIT b0, 0xfff", "GST.U32 global14[R1], R0",
                                          "RET", NULL};
    static const char *const NONE[] = {"SHL R1, R0, 0x2", "NOP", "GST.U32 global14[R1], R0", "RET", NULL};
    expect_findings(BARRIER, "0x8=NOP", "BAR:state");
    expect_findings(NONE, "0x8=BAR.ARV.WAIT b0, 0xfff", "NOP:state");
}

/* Instructions that only the model refuses, and that only the RTL refuses. */
static void test_overrule_takes_over_traps(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"SHL R1, R0, 0x2", "BPT", "GST.U32 global14[R1], R0", "RET", NULL};
    expect_findings(KERNEL, "0x8=NOP", "BPT:exec BPT:next_pc BPT:next_active BPT:state BPT:trap");
    expect_findings(KERNEL, "0x8=GST.U32 global14[R1], R1",
                    "BPT:exec BPT:mem_kind BPT:mem_bytes BPT:mem_mask BPT:next_pc BPT:next_active BPT:state BPT:trap");
    struct trial t;
    static const char *const NONE[] = {"SHL R1, R0, 0x2", "GST.U32 global14[R1], R0", "RET", NULL};
    setenv(CROOKED, "0x8=BPT", 1);
    static const char *const WAIVERS[] = {"GST:*", NULL};
    start(&t, crooked_sim_api(), NONE, WAIVERS, 0, 1);
    assert_int_equal(t.result->status, LOCKSTEP_TRAP);
    stop(&t);
}

/* A record with a wrong next pc alone: the RTL itself continues correctly. */
static void test_overrule_follows_a_warp_that_is_elsewhere(void **state) {
    (void)state;
    struct trial t;
    start(&t, fake_sim_api(), KERNEL_MIXED, NULL, ALL, FAKE_NEXT_PC | 8 << 8);
    assert_int_equal(t.result->fault, FAULT_FINDINGS);
    assert_int_equal(t.result->findings->count, 2);
    assert_string_equal(t.result->findings->list[0].field->name, "next_pc");
    assert_string_equal(t.result->findings->list[1].field->name, "pc");
    stop(&t);
}

static void test_overrule_counts_what_a_waiver_covers(void **state) {
    (void)state;
    static const char *const WAIVERS[] = {"IADD:dst", "IADD:c:1-2", "IADD:c:3", "IADD:c:0", "MVI:*", NULL};
    struct trial t;
    setenv(CROOKED, "0x10=IADD.C1 R3, R0, R0;0x18=MVI R4, 0x9", 1);
    start(&t, crooked_sim_api(), VALUES, WAIVERS, 0, 1);
    if (t.result->status != LOCKSTEP_PASS) fail_msg("%s", t.result->text);
    const struct waiver *w = t.waivers->list;
    assert_int_equal(w[0].covered.records, 4);
    assert_int_equal(w[0].covered.lanes, 2 * 64);
    assert_int_equal(w[1].covered.bits, 2);
    assert_int_equal(w[2].covered.records, 0);
    assert_int_equal(w[3].covered.bits, 1);
    assert_int_equal(w[3].covered.lanes, 2); /* 0 + 0 is zero, in a block's first thread */
    assert_int_equal(w[4].covered.records, 4);
    assert_int_equal(t.result->amended, 8);
    stop(&t);
}

/* Bits that a waiver does not cover are a mismatch, of those bits alone. */
static void test_overrule_leaves_other_bits(void **state) {
    (void)state;
    static const char *const WAIVERS[] = {"IADD:dst:0-30", "IADD:c", NULL};
    struct trial t;
    setenv(CROOKED, "0x10=IADD.C1 R3, R0, R0", 1);
    start(&t, crooked_sim_api(), VALUES, WAIVERS, 0, 1);
    assert_int_equal(t.result->fault, FAULT_FIELD);
    assert_int_equal(t.result->differences.count, 1);
    assert_string_equal(t.result->differences.diff[0].field->name, "dst");
    assert_int_equal(t.result->expected.dst[3] ^ t.result->actual.dst[3], 0x80000000);
    assert_int_equal(t.result->actual.pc, 0x10);
    stop(&t);
}

static void test_overrule_waives_one_operation_only(void **state) {
    (void)state;
    static const char *const WAIVERS[] = {"SHL:*", NULL};
    struct trial t;
    setenv(CROOKED, "0x0=SHL R1, R0, 0x3;0x38=GST.U32 global14[R1], R3", 1);
    start(&t, crooked_sim_api(), VALUES, WAIVERS, 0, 1);
    assert_int_equal(t.result->fault, FAULT_FIELD);
    assert_string_equal(t.result->differences.diff[0].field->name, "data");
    stop(&t);
}

static void test_overrule_stops_behind_the_last_finding(void **state) {
    (void)state;
    struct trial t;
    setenv(CROOKED, "0x0=SHL R1, R0, 0x3;0x10=IADD.C1 R3, R0, R0", 1);
    start(&t, crooked_sim_api(), VALUES, NULL, 2, 1);
    assert_int_equal(t.result->fault, FAULT_FIELD);
    assert_int_equal(t.result->findings->count, 2);
    assert_int_equal(t.result->differences.count, 1);
    assert_string_equal(t.result->differences.diff[0].field->name, "c");
    stop(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overrule_finds_nothing_where_nothing_differs),
        cmocka_unit_test(test_overrule_takes_over_registers_and_flags),
        cmocka_unit_test(test_overrule_takes_over_stores),
        cmocka_unit_test(test_overrule_takes_over_shared_and_local_memory),
        cmocka_unit_test(test_overrule_takes_over_wide_accesses),
        cmocka_unit_test(test_overrule_takes_over_address_registers),
        cmocka_unit_test(test_overrule_takes_over_where_a_warp_goes),
        cmocka_unit_test(test_overrule_takes_over_the_end),
        cmocka_unit_test(test_overrule_takes_over_lanes_that_wait),
        cmocka_unit_test(test_overrule_takes_over_barriers),
        cmocka_unit_test(test_overrule_takes_over_traps),
        cmocka_unit_test(test_overrule_follows_a_warp_that_is_elsewhere),
        cmocka_unit_test(test_overrule_counts_what_a_waiver_covers),
        cmocka_unit_test(test_overrule_leaves_other_bits),
        cmocka_unit_test(test_overrule_waives_one_operation_only),
        cmocka_unit_test(test_overrule_stops_behind_the_last_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
