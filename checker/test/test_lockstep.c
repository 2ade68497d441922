/* SPDX-License-Identifier: Apache-2.0 */
/* The checker passes correct runs and catches each planted fault (fake_sim.h), with the matching report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../record/digest.h"
#include "../report/report.h"
#include "../verdict/lockstep.h"
#include "../verdict/race.h"
#include "fake_sim.h"
#include "kernel.h"
#include "twins.h"

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
    mismatch(FAKE_LANE, FAULT_FIELD, "dst R1 lane 0");
    mismatch(FAKE_LANE, FAULT_FIELD, "SHL R1, R0, 0x2");
    mismatch(FAKE_LANE, FAULT_FIELD, /* expected, actual, bits */
             "    dst R1 lane 0     0x00000000              0x00000004              0x00000004\n"
             "  operands in lane  0: R0 0x00000000\n");
    mismatch(FAKE_LANE, FAULT_FIELD,
             "  the rule: docs/isa.md 3.7, SHL\n  look at: stages X1 to WRITE, in rtl/: execute/alu.vhd, ");
    mismatch(FAKE_LOAD, FAULT_FIELD, " lane 31");
    mismatch(FAKE_FLAG, FAULT_FIELD, "differ in c");
    mismatch(FAKE_FLAG, FAULT_FIELD, "    c C0 lane ");
    mismatch(FAKE_ADDRESS, FAULT_FIELD, "differ in addr");
    mismatch(FAKE_DATA, FAULT_FIELD, "differ in data");
    mismatch(FAKE_SHARED_DATA, FAULT_FIELD, "differ in data");
}

static void test_lockstep_compares_every_word(void **state) {
    (void)state;
    expect(KERNEL_WIDE, FAKE_NONE, LOCKSTEP_PASS, FAULT_NONE, 0, "agree");
    expect(KERNEL_WIDE, FAKE_BEYOND, LOCKSTEP_PASS, FAULT_NONE, 0, "agree");
    expect(KERNEL_WIDE, FAKE_WORD1, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "dst.1 R5 lane 31");
    /* the changed bit, of that word */
    expect(KERNEL_WIDE, FAKE_WORD1, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, " 0x00000100\n");
    expect(KERNEL_WIDE, FAKE_WORD2, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, " 0x00000100\n");
    expect(KERNEL_WIDE, FAKE_WORD3, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, " 0x00000100\n");
    expect(KERNEL_WIDE, FAKE_WORD2, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "differ in dst.2");
    expect(KERNEL_WIDE, FAKE_WORD3, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "differ in dst.3");
    expect(KERNEL_WIDE, FAKE_DATA1, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "GST.S64");
    expect(KERNEL_WIDE, FAKE_DATA1, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "differ in data.1");
    expect(KERNEL_WIDE, FAKE_DATA3, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "differ in data.3");
}

/* Ten warps take turns: records 20 to 29 are the NOP.S, then comes their end. */
static void test_lockstep_names_the_rule_of_a_marker(void **state) {
    static const char *const join[] = {"SSY 0x10", "NOP", "IADD.S R1, R0, R0", "RET", NULL};
    (void)state;
    expect(join, FAKE_NEXT_ACTIVE | 24 << 8, LOCKSTEP_MISMATCH, FAULT_FIELD, 1,
           "  the rule: docs/isa.md 6.1, rule 3: .S\n  look at: stages ADDRESS, X1, X3, RESOLVE, in rtl/: "
           "branch/branch_early.vhd");
    expect(join, FAKE_LANE | 20 << 8, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "  the rule: docs/isa.md 3.1, IADD\n");
    expect(join, FAKE_STATE | 34 << 8, LOCKSTEP_MISMATCH, FAULT_FIELD, 1, "  the rule: docs/isa.md 6.3, RET\n");
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
    mismatch(FAKE_OUTSIDE, FAULT_REFUSED, "  SHL R1, R0, 0x2    pc 0x0, words ");
    mismatch(FAKE_SLOT | 40 << 8, FAULT_REFUSED, "slot");
}

/* A missing last record of a warp is no wrong record: the grid does not end. */
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
    mismatch(FAKE_LATE, FAULT_LATE, "after it reported that the grid is done");
    mismatch(FAKE_FAILED | 10 << 8, FAULT_FAILED, "assertion planted");
    mismatch(FAKE_UNLOADED, FAULT_FAILED, "load planted");
    mismatch(FAKE_TRAP_STATUS, FAULT_TRAP, "no instruction trapped");
}

static void test_lockstep_catches_silence(void **state) {
    (void)state;
    expect(KERNEL_MIXED, FAKE_SILENT, LOCKSTEP_HANG, FAULT_SILENT, 1, "retires nothing for 1000 cycles");
    expect(KERNEL_MIXED, FAKE_SILENT | 25 << 8, LOCKSTEP_HANG, FAULT_SILENT, 1, "state of every warp");
    expect(KERNEL_MIXED, FAKE_NEVER_DONE, LOCKSTEP_HANG, FAULT_SILENT, 1, "all work is done");
    /* after the warps of two blocks have ended, and the others never start */
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
    expect(KERNEL_TRAP, FAKE_CODE, LOCKSTEP_MISMATCH, FAULT_MEMORY, 1, "code memory differs");
    expect(KERNEL_TRAP, FAKE_CONST, LOCKSTEP_MISMATCH, FAULT_MEMORY, 1, "constant memory differs");
}

/* Local memory of two one-warp blocks, 16 bytes a thread, on two SMs is the 2048 bytes below a piece of 256 bytes at
 * the end of memory; the bytes around it are compared. */
static void test_lockstep_leaves_out_local_memory_only(void **state) {
    (void)state;
    static const struct {
        size_t at;
        bool differs;
    } CASES[] = {
        {0x3f6ff, true },
        {0x3f700, false},
        {0x3feff, false},
        {0x3ff00, true },
        {0x3ffff, true },
    };
    static const char *const RET[] = {"RET", NULL};
    static const uint8_t PIECE[256] = {0};
    struct machine machine = MACHINE_DEFAULT;
    machine.sms = 2;
    struct launch run = kernel_make(RET, 2, 32, &machine);
    run.image->local_bytes = 16;
    assert_int_equal(image_add_global(run.image, 0x3ff00, PIECE, sizeof PIECE), STATUS_OK);
    const struct lockstep_options options = {.run = &run, .machine = machine};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct diag d = {0};
        struct lockstep *l = lockstep_create(&options, &d);
        uint8_t *global = malloc(machine.global_bytes);
        assert_true(l != NULL && global != NULL);
        memcpy(global, model_global(lockstep_model(l)), machine.global_bytes);
        global[CASES[i].at] ^= 1;
        assert_int_equal(!lockstep_check_memory(l, SIM_GLOBAL, global, machine.global_bytes), CASES[i].differs);
        if (CASES[i].differs) assert_int_equal(lockstep_result(l)->memory.first, CASES[i].at);
        free(global);
        lockstep_destroy(l);
    }
    kernel_release(&run);
}

/* The bytes from the first difference on, to the end of memory at most. */
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
    mismatch(FAKE_CAUSE_WAIT, FAULT_COUNTERS, "issue cycles on sm 0");
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
    expect(KERNEL_TRAP, FAKE_TRAP_SM, LOCKSTEP_MISMATCH, FAULT_TRAP, 1, "in sm 1 slot 0 at pc 0x8; the trap was");
    expect(KERNEL_TRAP, FAKE_TRAP_SLOT, LOCKSTEP_MISMATCH, FAULT_TRAP, 1, "in sm 0 slot 1 at pc 0x8; the trap was");
    expect(KERNEL_TRAP, FAKE_TRAP_HALF, LOCKSTEP_MISMATCH, FAULT_COUNTERS, 1, "thread instructions");
    expect(KERNEL_TRAP, FAKE_TRAP_AS_DONE, LOCKSTEP_MISMATCH, FAULT_TRAP, 1, "reports done after");
    expect(KERNEL_TRAP, FAKE_LATE, LOCKSTEP_MISMATCH, FAULT_LATE, 1, "after it reported that the grid is done");
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

static void test_report_shows_the_stack_from_its_top(void **state) {
    (void)state;
    unsigned found = 0;
    for (uint32_t from = 0; found == 0; from++) {
        struct finding f = run_fake(KERNEL_MIXED, FAKE_NEXT_PC | from << 8, 0);
        found += strstr(f.report, "DIVERGE") != NULL;
        if (found > 0) {
            assert_non_null(strstr(f.report, ", top first:\n     1 DIVERGE  mask 0x"));
            assert_non_null(strstr(f.report, "  stack before, of the model"));
            assert_non_null(strstr(f.report, "    of the RTL: "));
            assert_non_null(strstr(f.report,
                                   "  look at: stages ADDRESS, X1, X3, RESOLVE, in rtl/: branch/branch_early.vhd, "
                                   "branch/branch_pkg.vhd, branch/branch.vhd\n"));
        }
        free(f.report);
    }
}

static void expect_report(const struct twins *t, const char *text) {
    char *report = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&report, &size);
    assert_non_null(out);
    lockstep_report(t->checker, NULL, out);
    fclose(out);
    if (strstr(report, text) == NULL) fail_msg("no '%s' in:\n%s", text, report);
    free(report);
}

static const char *const KERNEL_MOV[] = {"MOV R1, R0", "RET", NULL};

static void test_report_shows_the_first_lanes_of_many(void **state) {
    (void)state;
    const struct retire name = {.sm = 0};
    struct retire record;
    struct twins t;
    twins_start(&t, KERNEL_MOV, 1, 8);
    assert_int_equal(model_step_follow(t.rtl, &name, &record), MODEL_RETIRED);
    for (unsigned lane = 1; lane < WARP_LANES; lane++) record.dst[lane] ^= lane == 12 ? 0 : 1;
    assert_false(lockstep_check(t.checker, &record));
    expect_report(&t, ", lanes 1-11,13-31\n");
    expect_report(&t, "    dst R1 lane 8 ");
    expect_report(&t, "    dst R1 also in lanes 9-11,13-31\n");
    twins_stop(&t);
}

static void test_report_shows_a_stack_of_one_entry(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"SSY 0x10", "MOV R1, R0", "NOP.S", "RET", NULL};
    struct twins t;
    twins_start(&t, KERNEL, 1, 8);
    assert_true(twins_step(&t, 0, 0, 0));
    assert_false(twins_step(&t, 0, 0, 1));
    expect_report(&t, "  stack of the model, top first:\n     0 SYNC     mask 0xffffffff pc 0x10\n");
    twins_stop(&t);
}

/* Blocks follow each other in one slot; each has its own path. */
static void test_report_shows_the_way_of_this_warp_only(void **state) {
    (void)state;
    for (unsigned next = 1; next <= 2; next++) {
        struct twins t;
        twins_start(&t, KERNEL_MOV, 1, 1);
        assert_true(twins_step(&t, 0, 0, 0));
        assert_true(twins_step(&t, 0, 0, 0));
        assert_false(twins_step(&t, 0, next, 1));
        expect_report(&t, "no instruction of this warp before");
        twins_stop(&t);
    }
}

/* A load of SM 1 has read a value that no one stores: this is the fault, not the next one. */
static void test_lockstep_tells_the_race_that_was_none(void **state) {
    (void)state;
    const struct retire outside = {.sm = 0, .block_x = 1000};
    for (unsigned i = 0; i < 2; i++) {
        struct twins t;
        twins_start(&t, KERNEL_MIXED, 2, 8);
        assert_true(twins_step(&t, 1, 1, 0));
        assert_true(twins_step(&t, 1, 1, 4));
        assert_false(i == 0 ? lockstep_check(t.checker, &outside) : lockstep_finish(t.checker, SIM_DONE, NULL, NULL));
        assert_int_equal(lockstep_result(t.checker)->fault, FAULT_FIELD);
        assert_int_equal(lockstep_result(t.checker)->actual.block_x, 1);
        assert_int_equal(lockstep_result(t.checker)->differences.count, 1);
        twins_stop(&t);
    }
}

/* It is reported as soon as no store can explain it any more. */
static void test_lockstep_waits_for_a_race_no_longer_than_it_may_take(void **state) {
    (void)state;
    const struct retire name = {.sm = 1, .block_x = 1};
    struct retire record;
    struct twins t;
    twins_start(&t, KERNEL_MIXED, 2, 8);
    assert_true(twins_step(&t, 1, 1, 0));
    assert_true(twins_step(&t, 1, 1, 4)); /* in cycle 1 */
    for (unsigned late = 0; late < 2; late++) {
        assert_int_equal(model_step_follow(t.rtl, &name, &record), MODEL_RETIRED);
        record.cycle = 1 + RACE_WINDOW + late;
        record.dst[5] = late == 0 ? 4 + 5 : 5 & (4 + 5); /* of the loaded values */
        assert_int_equal(lockstep_check(t.checker, &record), late == 0);
    }
    assert_int_equal(lockstep_result(t.checker)->fault, FAULT_FIELD);
    assert_int_equal(lockstep_result(t.checker)->actual.pc, 8);
    twins_stop(&t);
}

/* Both warps of block 0 wait for ever, on SM 0. While a warp of block 1 could continue, on SM 1, the RTL hangs. */
static void test_lockstep_looks_for_ready_warps_on_every_sm(void **state) {
    (void)state;
    struct machine machine = MACHINE_DEFAULT;
    machine.sms = 2;
    struct launch run = kernel_make(KERNEL_STUCK, 2, 64, &machine);
    const struct lockstep_options options = {.run = &run, .machine = machine};
    for (unsigned steps = 1; steps <= 3; steps += 2) {
        struct diag d = {0};
        struct lockstep *l = lockstep_create(&options, &d);
        struct model *rtl = model_create(&machine);
        struct retire record;
        assert_true(l != NULL && rtl != NULL);
        assert_int_equal(model_launch(rtl, run.image, &d), STATUS_OK);
        for (unsigned i = 0; i < 4 * 3; i++) {
            const struct retire name = {.sm = i / 6, .block_x = i / 6, .slot = i / 3 % 2, .warp = i / 3 % 2};
            if (i >= 9 && i % 3 >= steps) break;
            assert_int_equal(model_step_follow(rtl, &name, &record), MODEL_RETIRED);
            assert_true(lockstep_check(l, &record));
        }
        assert_false(lockstep_finish(l, SIM_SILENT, NULL, NULL));
        assert_int_equal(lockstep_result(l)->fault, steps == 1 ? FAULT_SILENT : FAULT_STUCK);
        model_destroy(rtl);
        lockstep_destroy(l);
    }
    kernel_release(&run);
}

/* Two SMs loop. After a store of one, the other may see it late: loops found before that do not count. */
static void test_lockstep_finds_loops_of_several_sms(void **state) {
    (void)state;
    static const char *const STORES[] = {"GST.U32 global14 [R124], R124", "BRA 0x8", NULL};
    for (unsigned stores = 0; stores < 2; stores++) {
        struct twins t;
        struct retire record = {.cycle = 0};
        bool good = true;
        twins_start(&t, stores == 0 ? KERNEL_LOOP : STORES, 2, 1);
        for (unsigned i = 0; good && i < RACE_WINDOW; i++) {
            const struct retire name = {.sm = i % 2, .block_x = i % 2};
            assert_int_equal(model_step_follow(t.rtl, &name, &record), MODEL_RETIRED);
            record.cycle = 8 * i;
            good = lockstep_check(t.checker, &record);
        }
        assert_int_equal(lockstep_result(t.checker)->fault, FAULT_STUCK);
        assert_int_equal(record.cycle > RACE_WINDOW, stores);
        assert_true(record.cycle < 4 * RACE_WINDOW);
        twins_stop(&t);
    }
}

/* SM 0 loads another value, which may still be a race, and both loop: the difference is reported, not the loops. */
static void test_lockstep_tells_a_difference_before_loops(void **state) {
    (void)state;
    static const char *const LOADS[] = {"GLD.U32 R1, global14 [R124]", "BRA 0x8", NULL};
    struct twins t;
    struct retire record;
    bool good = true;
    twins_start(&t, LOADS, 2, 1);
    for (unsigned i = 0; good && i < RACE_WINDOW; i++) {
        const struct retire name = {.sm = i % 2, .block_x = i % 2};
        assert_int_equal(model_step_follow(t.rtl, &name, &record), MODEL_RETIRED);
        record.cycle = i;
        if (i == 0) record.dst[3] ^= 1;
        good = lockstep_check(t.checker, &record);
    }
    assert_int_equal(lockstep_result(t.checker)->status, LOCKSTEP_MISMATCH);
    assert_int_equal(lockstep_result(t.checker)->actual.pc, 0);
    assert_true(record.cycle < RACE_WINDOW);
    twins_stop(&t);
}

/* The digest covers the RTL's records, with their cycles; records after the last one are late. */
static void test_lockstep_keeps_the_digest_of_the_rtl(void **state) {
    (void)state;
    static const char *const RET[] = {"RET", NULL};
    uint64_t digest = DIGEST_EMPTY;
    struct retire record = {.sm = 0};
    struct twins t;
    twins_start(&t, RET, 1, 8);
    for (unsigned block = 0; block < 4; block++) {
        const struct retire name = {.block_x = block % 2, .block_y = block / 2, .slot = block};
        assert_int_equal(model_step_follow(t.rtl, &name, &record), MODEL_RETIRED);
        record.cycle = 1000 + block;
        assert_true(lockstep_check(t.checker, &record));
        digest = digest_record(digest, &record);
        assert_int_equal(lockstep_result(t.checker)->digest, digest);
    }
    assert_false(lockstep_check(t.checker, &record));
    assert_int_equal(lockstep_result(t.checker)->fault, FAULT_LATE);
    twins_stop(&t);
}

/* Block 0 has stored 7, and the RTL's lane 5 of block 1 has loaded the old 0: this is excused, and not part of a later
 * difference. */
static void test_lockstep_tells_no_race_that_was_one(void **state) {
    (void)state;
    static const char *const KERNEL[] = {
        "MVI R1, 0x800", "GLD.U32 R2, global14[R1]", "MVI R2, 0x7", "GST.U32 global14[R1], R2", "RET", NULL};
    const struct retire outside = {.sm = 0, .block_x = 1000};
    struct twins t;
    twins_start(&t, KERNEL, 2, 8);
    for (unsigned i = 0; i < 4; i++) assert_true(twins_step(&t, 0, 0, 0));
    assert_true(twins_step(&t, 1, 1, 0));
    assert_true(twins_step(&t, 1, 1, 7)); /* 0 of before */
    assert_int_equal(lockstep_result(t.checker)->raced, 1);
    assert_false(lockstep_check(t.checker, &outside));
    assert_int_equal(lockstep_result(t.checker)->fault, FAULT_REFUSED);
    assert_int_equal(lockstep_result(t.checker)->differences.count, 0);
    twins_stop(&t);
}

/* A wrong value shows the lanes that differ and no others. */
static void test_report_shows_differing_lanes_only(void **state) {
    (void)state;
    struct finding f = run_fake(KERNEL_MIXED, FAKE_LANE, 0);
    assert_null(strstr(f.report, "dst R1 lane 1"));
    assert_non_null(strstr(f.report, "lanes 0\n"));
    free(f.report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lockstep_passes_what_is_right),
        cmocka_unit_test(test_lockstep_catches_wrong_values),
        cmocka_unit_test(test_lockstep_compares_every_word),
        cmocka_unit_test(test_lockstep_catches_wrong_control),
        cmocka_unit_test(test_lockstep_names_the_rule_of_a_marker),
        cmocka_unit_test(test_lockstep_catches_a_wrong_sequence),
        cmocka_unit_test(test_lockstep_catches_a_missing_last_record),
        cmocka_unit_test(test_lockstep_catches_a_wrong_end),
        cmocka_unit_test(test_lockstep_catches_silence),
        cmocka_unit_test(test_lockstep_catches_wrong_memory),
        cmocka_unit_test(test_lockstep_leaves_out_local_memory_only),
        cmocka_unit_test(test_lockstep_shows_the_memory_that_differs),
        cmocka_unit_test(test_lockstep_catches_wrong_counters),
        cmocka_unit_test(test_lockstep_agrees_on_a_trap),
        cmocka_unit_test(test_lockstep_catches_a_wrong_trap),
        cmocka_unit_test(test_lockstep_tells_a_hanging_kernel),
        cmocka_unit_test(test_report_shows_the_way_there),
        cmocka_unit_test(test_report_shows_the_stack_from_its_top),
        cmocka_unit_test(test_report_shows_the_first_lanes_of_many),
        cmocka_unit_test(test_report_shows_a_stack_of_one_entry),
        cmocka_unit_test(test_report_shows_the_way_of_this_warp_only),
        cmocka_unit_test(test_lockstep_tells_the_race_that_was_none),
        cmocka_unit_test(test_lockstep_waits_for_a_race_no_longer_than_it_may_take),
        cmocka_unit_test(test_lockstep_looks_for_ready_warps_on_every_sm),
        cmocka_unit_test(test_lockstep_finds_loops_of_several_sms),
        cmocka_unit_test(test_lockstep_tells_a_difference_before_loops),
        cmocka_unit_test(test_lockstep_keeps_the_digest_of_the_rtl),
        cmocka_unit_test(test_lockstep_tells_no_race_that_was_one),
        cmocka_unit_test(test_report_shows_differing_lanes_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
