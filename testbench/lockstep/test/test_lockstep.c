/* SPDX-License-Identifier: Apache-2.0 */
/* The checker passes what is right and catches each planted fault (fake_sim.h), with the report that belongs to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lockstep.h"
#include "../report.h"
#include "fake_sim.h"
#include "kernel.h"

struct finding {
    struct lockstep_result result;
    int exit_code;
    char *report;
};

static struct finding run_fake(const char *const *kernel, uint32_t seed, uint64_t max_cycles) {
    struct machine machine = MACHINE_DEFAULT;
    machine.sms = 2;
    struct launch run = kernel_make(kernel, 5, 64, &machine);
    const struct sim_options sim = {.cores = 8, .machine = machine, .seed = seed};
    const struct lockstep_options options = {
        .run = &run, .machine = machine, .silence = 1000, .max_cycles = max_cycles};
    struct diag d = {0};
    struct finding f = {.report = NULL};
    size_t size = 0;
    struct lockstep *l = lockstep_create(&options, &d);
    assert_non_null(l);
    assert_true(lockstep_run(l, fake_sim_api(), &sim, &d));
    FILE *out = open_memstream(&f.report, &size);
    const struct lockstep_report_extra extra = {.command = "warp-lockstep x.sass"};
    lockstep_report(l, &extra, out);
    fclose(out);
    f.result = *lockstep_result(l);
    f.result.global = NULL;
    f.exit_code = lockstep_exit_code(&f.result);
    lockstep_destroy(l);
    kernel_release(&run);
    return f;
}

static void expect(const char *const *kernel, uint32_t seed, enum lockstep_status status, enum lockstep_fault fault,
                   int exit_code, const char *text) {
    struct finding f = run_fake(kernel, seed, 0);
    if (f.result.status != status || f.result.fault != fault || strstr(f.report, text) == NULL)
        print_error("fault %u: got status %d, fault %d; wanted %d, %d and '%s' in:\n%s", seed & 0xff,
                    (int)f.result.status, (int)f.result.fault, (int)status, (int)fault, text, f.report);
    assert_int_equal(f.result.status, status);
    assert_int_equal(f.result.fault, fault);
    assert_int_equal(f.exit_code, exit_code);
    assert_non_null(strstr(f.report, text));
    assert_non_null(strstr(f.report, "repeat: warp-lockstep x.sass"));
    free(f.report);
}

static void mismatch(uint32_t seed, enum lockstep_fault fault, const char *text) {
    expect(KERNEL_MIXED, seed, LOCKSTEP_MISMATCH, fault, 1, text);
}

static void test_lockstep_passes_what_is_right(void **state) {
    (void)state;
    struct finding f = run_fake(KERNEL_MIXED, FAKE_NONE, 0);
    if (f.result.status != LOCKSTEP_PASS) print_error("%s", f.report);
    assert_int_equal(f.result.status, LOCKSTEP_PASS);
    assert_int_equal(f.exit_code, 0);
    assert_true(f.result.compared >= 5 * 2 * 14);
    assert_int_equal(f.result.counters.warp_instructions, f.result.compared);
    free(f.report);
}

static void test_lockstep_catches_wrong_values(void **state) {
    (void)state;
    mismatch(FAKE_LANE, FAULT_FIELD, "dst lane 0");
    mismatch(FAKE_LANE, FAULT_FIELD, "SHL R1, R0, 0x2");
    mismatch(FAKE_LANE, FAULT_FIELD, "0x00000004");
    mismatch(FAKE_LOAD, FAULT_FIELD, "dst lane 31");
    mismatch(FAKE_FLAG, FAULT_FIELD, "differ in c");
    mismatch(FAKE_ADDRESS, FAULT_FIELD, "differ in addr");
    mismatch(FAKE_DATA, FAULT_FIELD, "differ in data");
    mismatch(FAKE_SHARED_DATA, FAULT_FIELD, "differ in data");
}

static void test_lockstep_compares_every_word(void **state) {
    (void)state;
    expect(KERNEL_WIDE, FAKE_NONE, LOCKSTEP_PASS, FAULT_NONE, 0, "agree");
    expect(KERNEL_WIDE, FAKE_BEYOND, LOCKSTEP_PASS, FAULT_NONE, 0, "agree");
    expect(KERNEL_WIDE, FAKE_WORD1, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "dst.1 lane 31");
    /* the bit that was spoilt, of that word */
    expect(KERNEL_WIDE, FAKE_WORD1, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, " 0x00000100\n");
    expect(KERNEL_WIDE, FAKE_WORD2, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, " 0x00000100\n");
    expect(KERNEL_WIDE, FAKE_WORD3, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, " 0x00000100\n");
    expect(KERNEL_WIDE, FAKE_WORD2, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "differ in dst.2");
    expect(KERNEL_WIDE, FAKE_WORD3, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "differ in dst.3");
    expect(KERNEL_WIDE, FAKE_DATA1, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "GST.S64");
    expect(KERNEL_WIDE, FAKE_DATA1, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "differ in data.1");
    expect(KERNEL_WIDE, FAKE_DATA3, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "differ in data.3");
}

static void test_lockstep_catches_wrong_control(void **state) {
    (void)state;
    mismatch(FAKE_MASK, FAULT_FIELD, "differ in exec");
    mismatch(FAKE_WRITE_MASK, FAULT_FIELD, "differ in dst_mask");
    mismatch(FAKE_NEXT_PC, FAULT_FIELD, "differ in next_pc");
    mismatch(FAKE_NEXT_ACTIVE, FAULT_FIELD, "differ in next_active");
    mismatch(FAKE_DEPTH, FAULT_FIELD, "differ in depth");
    mismatch(FAKE_STATE, FAULT_FIELD, "differ in state");
    mismatch(FAKE_RECORD_TRAP, FAULT_FIELD, "1 undefined instruction");
}

static void test_lockstep_catches_a_wrong_sequence(void **state) {
    (void)state;
    mismatch(FAKE_MISSING, FAULT_SKIPPED, "the RTL skipped pc 0x0");
    mismatch(FAKE_MISSING | 20 << 8, FAULT_SKIPPED, "the RTL skipped pc");
    mismatch(FAKE_REPEATED, FAULT_REPEATED, "the RTL retired pc 0x0 twice");
    mismatch(FAKE_REPEATED | 30 << 8, FAULT_REPEATED, "twice");
    mismatch(FAKE_OUTSIDE, FAULT_REFUSED, "outside the grid");
    mismatch(FAKE_SLOT | 40 << 8, FAULT_REFUSED, "slot");
}

/* The last record of a warp left out is no wrong record: the grid does not end. */
static void test_lockstep_catches_a_missing_last_record(void **state) {
    (void)state;
    struct finding f = run_fake(KERNEL_MIXED, FAKE_NONE, 0);
    const uint32_t last = (uint32_t)f.result.compared - 1;
    free(f.report);
    mismatch(FAKE_MISSING | last << 8, FAULT_EARLY, "the model has work left");
}

static void test_lockstep_catches_a_wrong_end(void **state) {
    (void)state;
    mismatch(FAKE_EARLY | 20 << 8, FAULT_EARLY, "state of every warp");
    mismatch(FAKE_EMPTY, FAULT_EMPTY, "nothing was compared");
    mismatch(FAKE_LATE, FAULT_LATE, "after it said that the grid is done");
    mismatch(FAKE_FAILED | 10 << 8, FAULT_FAILED, "assertion planted");
    mismatch(FAKE_UNLOADED, FAULT_FAILED, "load planted");
    mismatch(FAKE_TRAP_STATUS, FAULT_TRAP, "no instruction trapped");
}

static void test_lockstep_catches_silence(void **state) {
    (void)state;
    expect(KERNEL_MIXED, FAKE_SILENT, LOCKSTEP_HANG, FAULT_SILENT, 1, "retires nothing for 1000 cycles");
    expect(KERNEL_MIXED, FAKE_SILENT | 25 << 8, LOCKSTEP_HANG, FAULT_SILENT, 1, "state of every warp");
    expect(KERNEL_MIXED, FAKE_NEVER_DONE, LOCKSTEP_HANG, FAULT_SILENT, 1, "all work is done");
    /* when the warps of two blocks have ended, and the others never start */
    static const char *const RET[] = {"RET", NULL};
    expect(RET, FAKE_SILENT | 4 << 8, LOCKSTEP_HANG, FAULT_SILENT, 1, "retires nothing for 1000 cycles");
}

static void test_lockstep_catches_wrong_memory(void **state) {
    (void)state;
    mismatch(FAKE_GLOBAL, FAULT_MEMORY, "1 bytes, the first at 0x123");
    mismatch(FAKE_GLOBAL_LAST, FAULT_MEMORY, "the first at 0x3ffff");
    mismatch(FAKE_CODE, FAULT_MEMORY, "code memory differs");
    mismatch(FAKE_CONST, FAULT_MEMORY, "constant memory differs");
    mismatch(FAKE_UNREADABLE, FAULT_FAILED, "cannot be read");
}

/* The bytes from the first that differs on, as many as memory has. */
static void test_lockstep_shows_the_memory_that_differs(void **state) {
    (void)state;
    struct finding f = run_fake(KERNEL_MIXED, FAKE_GLOBAL, 0);
    assert_int_equal(f.result.memory.first, 0x123);
    assert_int_equal(f.result.memory.shown, 16);
    assert_int_equal(f.result.memory.expected[0] ^ f.result.memory.actual[0], 0x10);
    assert_memory_equal(f.result.memory.expected + 1, f.result.memory.actual + 1, 15);
    free(f.report);
    f = run_fake(KERNEL_MIXED, FAKE_GLOBAL_LAST, 0);
    assert_int_equal(f.result.memory.shown, 1);
    assert_int_equal(f.result.memory.expected[0], 0);
    assert_int_equal(f.result.memory.actual[0], 1);
    free(f.report);
}

static void test_lockstep_catches_wrong_counters(void **state) {
    (void)state;
    mismatch(FAKE_WARP_COUNT, FAULT_COUNTERS, "warp instructions");
    mismatch(FAKE_THREAD_COUNT, FAULT_COUNTERS, "thread instructions");
    mismatch(FAKE_CAUSE_SUM, FAULT_COUNTERS, "cycles by cause sum to");
    mismatch(FAKE_CAUSE_SM, FAULT_COUNTERS, "on sm 0, not to the");
    mismatch(FAKE_CAUSE_ISSUE, FAULT_COUNTERS, "issue cycles on sm 1");
}

static void test_lockstep_agrees_on_a_trap(void **state) {
    (void)state;
    expect(KERNEL_TRAP, FAKE_NONE, LOCKSTEP_TRAP, FAULT_NONE, 3, "misaligned global memory access at pc 0x8");
    expect(KERNEL_TRAP, FAKE_PARTIAL_STORE, LOCKSTEP_TRAP, FAULT_NONE, 3, "GST.U32");
    expect(KERNEL_TRAP, FAKE_TRAP_COUNTED, LOCKSTEP_TRAP, FAULT_NONE, 3, "GST.U32");
}

static void test_lockstep_catches_a_wrong_trap(void **state) {
    (void)state;
    expect(KERNEL_TRAP, FAKE_TRAP_CODE, LOCKSTEP_MISMATCH, FAULT_TRAP, 1, "fetch beyond the code");
    expect(KERNEL_TRAP, FAKE_TRAP_PC, LOCKSTEP_MISMATCH, FAULT_TRAP, 1, "at pc 0x10");
    expect(KERNEL_TRAP, FAKE_TRAP_HALF, LOCKSTEP_MISMATCH, FAULT_COUNTERS, 1, "thread instructions");
    expect(KERNEL_TRAP, FAKE_TRAP_AS_DONE, LOCKSTEP_MISMATCH, FAULT_TRAP, 1, "says done after");
    expect(KERNEL_TRAP, FAKE_STRAY_STORE, LOCKSTEP_MISMATCH, FAULT_MEMORY, 1, "the first at 0x40");
}

static void test_lockstep_tells_a_hanging_kernel(void **state) {
    (void)state;
    expect(KERNEL_STUCK, FAKE_NONE, LOCKSTEP_HANG, FAULT_STUCK, 3, "waits at barrier 1");
    struct finding f = run_fake(KERNEL_LOOP, FAKE_NONE, 4000);
    assert_int_equal(f.result.fault, FAULT_CYCLES);
    assert_int_equal(f.result.compared, 1000); /* a record every four cycles, the last in the last cycle allowed */
    assert_int_equal(f.result.cycle, 4000);
    assert_int_equal(f.exit_code, 3);
    assert_non_null(strstr(f.report, "did not end within 4000 cycles"));
    free(f.report);
}

static void test_report_shows_the_way_there(void **state) {
    (void)state;
    struct finding f = run_fake(KERNEL_MIXED, FAKE_LANE | 30 << 8, 0);
    assert_non_null(strstr(f.report, "last instructions of this warp"));
    assert_non_null(strstr(f.report, "block ("));
    assert_non_null(strstr(f.report, "active mask before: 0xffffffff"));
    assert_non_null(strstr(f.report, "stack of the model"));
    assert_non_null(strstr(f.report, "fields: "));
    free(f.report);
}

/* A wrong value shows the lanes that differ and no others. */
static void test_report_shows_differing_lanes_only(void **state) {
    (void)state;
    struct finding f = run_fake(KERNEL_MIXED, FAKE_LANE, 0);
    assert_null(strstr(f.report, "dst lane 1"));
    assert_non_null(strstr(f.report, "lanes 0\n"));
    free(f.report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lockstep_passes_what_is_right),
        cmocka_unit_test(test_lockstep_catches_wrong_values),
        cmocka_unit_test(test_lockstep_compares_every_word),
        cmocka_unit_test(test_lockstep_catches_wrong_control),
        cmocka_unit_test(test_lockstep_catches_a_wrong_sequence),
        cmocka_unit_test(test_lockstep_catches_a_missing_last_record),
        cmocka_unit_test(test_lockstep_catches_a_wrong_end),
        cmocka_unit_test(test_lockstep_catches_silence),
        cmocka_unit_test(test_lockstep_catches_wrong_memory),
        cmocka_unit_test(test_lockstep_shows_the_memory_that_differs),
        cmocka_unit_test(test_lockstep_catches_wrong_counters),
        cmocka_unit_test(test_lockstep_agrees_on_a_trap),
        cmocka_unit_test(test_lockstep_catches_a_wrong_trap),
        cmocka_unit_test(test_lockstep_tells_a_hanging_kernel),
        cmocka_unit_test(test_report_shows_the_way_there),
        cmocka_unit_test(test_report_shows_differing_lanes_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
