/* SPDX-License-Identifier: Apache-2.0 */
/* A trap on one of several SMs: the others finish their issued instructions, and may trap as well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel.h"
#include "twins.h"

/* Each block stores to its own 256 bytes; all but its first lanes are misaligned. */
static const char *const KERNEL_STORES[] = {
    "I2I.U32.U16 R1, g [0x6].U16", "SHL R1, R1, 0x8", "IADD R1, R1, R0", "GST.U32 global14[R1], R0", "RET", NULL,
};

/* Two SMs with a block each: block x runs on SM x, in slot 0. */
static void start(struct twins *t, const char *const *kernel) { twins_start(t, kernel, 2, 8); }
static bool step(const struct twins *t, unsigned sm) { return twins_step(t, sm, sm, 0); }

static struct sim_trap trap_of(const struct twins *t, unsigned sm) {
    const struct model_trap trap = model_get_sm_trap(t->rtl, sm);
    return (struct sim_trap){.code = trap.code, .sm = trap.sm, .slot = trap.slot, .pc = trap.pc};
}

static enum lockstep_fault fault(const struct twins *t) { return lockstep_result(t->checker)->fault; }

/* SM 1 traps in its fourth instruction, then SM 0 in its own. */
static void trap_both(struct twins *t) {
    start(t, KERNEL_STORES);
    for (unsigned i = 0; i < 4; i++) assert_true(step(t, 1));
    for (unsigned i = 0; i < 4; i++) assert_true(step(t, 0));
}

static void test_drain_takes_the_records_of_other_sms(void **state) {
    (void)state;
    struct twins t;
    start(&t, KERNEL_TRAP);
    for (unsigned i = 0; i < 2; i++) assert_true(step(&t, 1));
    assert_true(step(&t, 0));
    const struct sim_trap trap = trap_of(&t, 1);
    assert_true(lockstep_finish(t.checker, SIM_TRAPPED, &trap, NULL));
    assert_int_equal(lockstep_result(t.checker)->status, LOCKSTEP_TRAP);
    assert_non_null(strstr(lockstep_result(t.checker)->text, "at pc 0x8, sm 1 slot 0"));
    assert_true(lockstep_check_memory(t.checker, SIM_GLOBAL, model_global(t.rtl), t.options.machine.global_bytes));
    twins_stop(&t);
}

static void test_drain_tells_the_first_of_two_traps(void **state) {
    (void)state;
    struct twins t;
    trap_both(&t);
    const struct sim_trap first = trap_of(&t, 1), second = trap_of(&t, 0);
    assert_int_equal(second.code, TRAP_GLOBAL_ALIGN);
    assert_true(lockstep_finish(t.checker, SIM_TRAPPED, &first, NULL));
    twins_stop(&t);
    trap_both(&t);
    assert_false(lockstep_finish(t.checker, SIM_TRAPPED, &second, NULL));
    assert_int_equal(fault(&t), FAULT_TRAP);
    twins_stop(&t);
    struct sim_trap elsewhere = first;
    elsewhere.pc ^= 0x800000; /* its highest bit */
    trap_both(&t);
    assert_false(lockstep_finish(t.checker, SIM_TRAPPED, &elsewhere, NULL));
    twins_stop(&t);
}

/* In each block the last lane may have stored to bytes 31..34 of its range; nothing else may have changed. */
static void test_drain_leaves_out_the_bytes_of_both_traps(void **state) {
    (void)state;
    struct twins t;
    trap_both(&t);
    uint8_t *global = model_global(t.rtl);
    global[28] ^= 0xff;
    global[256 + 34] ^= 0xff;
    assert_true(lockstep_check_memory(t.checker, SIM_GLOBAL, global, t.options.machine.global_bytes));
    global[256 + 35] ^= 0xff;
    assert_false(lockstep_check_memory(t.checker, SIM_GLOBAL, global, t.options.machine.global_bytes));
    assert_int_equal(lockstep_result(t.checker)->memory.first, 256 + 35);
    twins_stop(&t);
}

/* Lane 0 does not store; byte 1 belongs to lane 1. */
static void test_drain_leaves_out_the_bytes_of_lanes_that_store(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"I2I.U32.U16.C0 R1, R0L", "GST.U32 global14[R1] (C0.NE), R0", "RET", NULL};
    struct twins t;
    start(&t, KERNEL);
    for (unsigned i = 0; i < 2; i++) assert_true(step(&t, 0));
    uint8_t *global = model_global(t.rtl);
    global[1] ^= 0xff;
    assert_true(lockstep_check_memory(t.checker, SIM_GLOBAL, global, t.options.machine.global_bytes));
    global[0] ^= 0xff;
    assert_false(lockstep_check_memory(t.checker, SIM_GLOBAL, global, t.options.machine.global_bytes));
    assert_int_equal(lockstep_result(t.checker)->memory.first, 0);
    twins_stop(&t);
}

/* Two blocks start; block 0 traps with this in its record. */
static void trap_first(struct twins *t, const char *const *kernel, enum trap trap) {
    const struct retire name = {.trap = trap};
    struct retire record;
    start(t, kernel);
    assert_int_equal(model_step_follow(t->rtl, &name, &record), MODEL_RETIRED);
    assert_int_equal(record.trap, trap);
    assert_true(lockstep_check(t->checker, &record));
}

/* The bytes of global memory that are compared after this trap. */
static bool is_compared(const char *const *kernel, enum trap trap, size_t byte) {
    struct twins t;
    trap_first(&t, kernel, trap);
    uint8_t *global = model_global(t.rtl);
    global[byte] ^= 0xff;
    const bool good = lockstep_check_memory(t.checker, SIM_GLOBAL, global, t.options.machine.global_bytes);
    twins_stop(&t);
    return !good;
}

/* Lanes may have stored if their guard, or their address, is unknown; none if the store never began. */
static void test_drain_leaves_out_what_may_have_been_stored(void **state) {
    (void)state;
    static const char *const GUARD[] = {"GST.U32 global14[R0] (C1.EQU), R0", "RET", NULL};
    static const char *const ADDRESS[] = {"GST.U32 global14[R5], R0", "RET", NULL};
    static const char *const WIDE[] = {"GST.S128 global14[R0], R4", "RET", NULL};
    static const char *const LOAD[] = {"GLD.U32 R1, global14[R5]", "RET", NULL};
    static const char *const ATOMIC[] = {"GRED.IADD.U32 global14[R0], R0", "RET", NULL};
    assert_false(is_compared(GUARD, TRAP_GLOBAL_ALIGN, 0));
    assert_false(is_compared(GUARD, TRAP_GLOBAL_ALIGN, 34));
    assert_true(is_compared(GUARD, TRAP_GLOBAL_ALIGN, 35));
    assert_false(is_compared(WIDE, TRAP_GLOBAL_ALIGN, 31 + 15));
    assert_true(is_compared(WIDE, TRAP_GLOBAL_ALIGN, 31 + 16));
    assert_false(is_compared(ADDRESS, TRAP_GLOBAL_RANGE, 0));
    assert_false(is_compared(ADDRESS, TRAP_GLOBAL_RANGE, 0x3ffff));
    assert_true(is_compared(LOAD, TRAP_GLOBAL_RANGE, 0));
    assert_true(is_compared(ATOMIC, TRAP_UNIMPLEMENTED, 0));
}

/* Block 0 traps in the store, block 1 loads a word that lane 0 of it may have stored, and one after all of them. */
static const char *const KERNEL_MEETING[] = {
    "I2I.U32.U16.C0 R1, g [0x6].U16",
    "MVI R3, 0x100",
    "BRA C0.NE, 0x20",
    "GST.U32 global14[R0], R0",
    "GLD.U32 R2, global14[R124]",
    "GLD.U32 R2, global14[R3]",
    "RET",
    NULL,
};

/* Another SM may load anything from these bytes, before or after the trap; from other bytes it may not. */
static void test_drain_takes_what_a_store_that_trapped_may_have_left(void **state) {
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned before = i % 2, wrong = i / 2;
        struct twins t;
        start(&t, KERNEL_MEETING);
        for (unsigned n = 0; n < 3; n++) assert_true(step(&t, 1) && step(&t, 0));
        if (before == 1) assert_true(twins_step(&t, 1, 1, 0x5a00));
        assert_true(step(&t, 0));
        if (before == 0) assert_true(twins_step(&t, 1, 1, 0x5a00));
        assert_int_equal(model_peek_reg(lockstep_model(t.checker), 1, 0, 5, 2), 0x00095a00); /* bytes 2, 3: 9, 0 */
        assert_true(twins_step(&t, 1, 1, wrong));
        const struct sim_trap trap = trap_of(&t, 0);
        assert_int_equal(lockstep_finish(t.checker, SIM_TRAPPED, &trap, NULL), wrong == 0);
        twins_stop(&t);
    }
}

/* With an undefined address, in the unwritten R5, any byte may have changed. Earlier loads of the SM itself are not
 * affected by its store. */
static void test_drain_takes_what_went_anywhere(void **state) {
    (void)state;
    static const char *const KERNEL[] = {
        "MVI R3, 0x300", "GLD.U32 R2, global14[R3]", "GST.U8 global14[R5], R0", "RET", NULL,
    };
    const struct retire name = {.trap = TRAP_GLOBAL_RANGE};
    enum { BEHIND, BEFORE, ITSELF, CASES };
    for (unsigned load = BEHIND; load < CASES; load++) {
        struct twins t;
        struct retire record;
        start(&t, KERNEL);
        assert_true(step(&t, 0) && step(&t, 1));
        assert_true(twins_step(&t, 0, 0, load == ITSELF ? 0x5a000000 : 0));
        if (load == BEFORE) assert_true(twins_step(&t, 1, 1, 0x5a000000));
        assert_int_equal(model_step_follow(t.rtl, &name, &record), MODEL_RETIRED);
        assert_true(lockstep_check(t.checker, &record));
        if (load == BEHIND) assert_true(twins_step(&t, 1, 1, 0x5a000000));
        const struct sim_trap trap = trap_of(&t, 0);
        assert_int_equal(lockstep_finish(t.checker, SIM_TRAPPED, &trap, NULL), load != ITSELF);
        twins_stop(&t);
    }
}

/* The second word of block 0's store; block 1 stores there, too, and then loads bytes that block 0 may have stored. */
static void test_drain_takes_what_came_behind_another_store(void **state) {
    (void)state;
    static const char *const KERNEL[] = {
        "I2I.U32.U16.C0 R1, g [0x6].U16",
        "MVI R3, 0x104",
        "MVI R5, 0x108",
        "BRA C0.NE, 0x28",
        "GST.S64 global14[R3], R4",
        "GST.U32 global14[R5], R0",
        "GLD.U32 R2, global14[R5]",
        "RET",
        NULL,
    };
    struct twins t;
    start(&t, KERNEL);
    for (unsigned n = 0; n < 4; n++) assert_true(step(&t, 1) && step(&t, 0));
    assert_true(step(&t, 0));
    for (unsigned n = 0; n < 2; n++) assert_true(twins_step(&t, 1, 1, n == 0 ? 0 : 0x5a));
    const struct sim_trap trap = trap_of(&t, 0);
    assert_true(lockstep_finish(t.checker, SIM_TRAPPED, &trap, NULL));
    twins_stop(&t);
}

/* Block 0 loads it, and stops the grid before block 1 traps. */
static void test_drain_takes_what_the_second_trap_may_have_left(void **state) {
    (void)state;
    static const char *const KERNEL[] = {
        "I2I.U32.U16.C0 R1, g [0x6].U16",
        "BRA C0.NE, 0x20",
        "GLD.U32 R2, global14[R124]",
        "TRAP",
        "GST.U32 global14[R0], R0",
        "RET",
        NULL,
    };
    struct twins t;
    start(&t, KERNEL);
    for (unsigned n = 0; n < 2; n++) assert_true(step(&t, 1) && step(&t, 0));
    assert_true(twins_step(&t, 0, 0, 0x5a));
    assert_true(step(&t, 0) && step(&t, 1));
    const struct sim_trap trap = trap_of(&t, 0);
    assert_int_equal(trap.code, TRAP_BREAKPOINT);
    assert_true(lockstep_finish(t.checker, SIM_TRAPPED, &trap, NULL));
    twins_stop(&t);
}

/* A store at the end of memory may have reached it, but not beyond: the machine has no more bytes than are compared. */
static void test_drain_leaves_out_no_bytes_beyond_memory(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"MVI R1, 0x3fffe", "GST.U32 global14[R1], R0", "RET", NULL};
    struct twins t;
    start(&t, KERNEL);
    for (unsigned i = 0; i < 2; i++) assert_true(step(&t, 0));
    const size_t size = t.options.machine.global_bytes;
    assert_int_equal(size, 0x40000);
    uint8_t *global = malloc(size);
    assert_non_null(global);
    memcpy(global, model_global(t.rtl), size);
    global[size - 1] ^= 0xff;
    assert_true(lockstep_check_memory(t.checker, SIM_GLOBAL, global, size));
    global[size - 3] ^= 0xff;
    assert_false(lockstep_check_memory(t.checker, SIM_GLOBAL, global, size));
    assert_int_equal(lockstep_result(t.checker)->memory.first, size - 3);
    free(global);
    twins_stop(&t);
}

static bool counts_pass(unsigned warps, unsigned threads) {
    struct twins t;
    trap_both(&t);
    const struct sim_counters c = {.warp_instructions = warps, .thread_instructions = threads};
    const bool good = lockstep_check_counters(t.checker, &c);
    if (!good) assert_int_equal(fault(&t), FAULT_COUNTERS);
    twins_stop(&t);
    return good;
}

static void test_drain_counts_both_traps_or_none(void **state) {
    (void)state;
    assert_true(counts_pass(6, 6 * 32));
    assert_true(counts_pass(8, 8 * 32));
    assert_false(counts_pass(7, 7 * 32));
    assert_false(counts_pass(8, 7 * 32));
}

/* In a diverged warp only the threads that execute the trapping instruction count: 31 of block 0. */
static void test_drain_counts_active_threads(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"I2I.U32.U16.C0 R1, R0L", "BRA C0.NE, 0x18", "RET", "TRAP", NULL};
    for (unsigned threads = 31; threads <= 32; threads++) {
        struct twins t;
        start(&t, KERNEL);
        for (unsigned i = 0; i < 3; i++) assert_true(step(&t, 0));
        const struct sim_counters c = {.warp_instructions = 3, .thread_instructions = 32 + 32 + threads};
        assert_int_equal(lockstep_check_counters(t.checker, &c), threads == 31);
        twins_stop(&t);
    }
}

static void test_drain_refuses_the_sm_that_trapped(void **state) {
    (void)state;
    struct twins t;
    start(&t, KERNEL_TRAP);
    for (unsigned i = 0; i < 2; i++) assert_true(step(&t, 1));
    struct retire again = {.sm = 1, .block_x = 1};
    assert_false(lockstep_check(t.checker, &again));
    assert_int_equal(fault(&t), FAULT_LATE);
    assert_non_null(strstr(lockstep_result(t.checker)->text, "sm 1 was stopped by a trap"));
    twins_stop(&t);
}

/* Block 0 traps, block 1 never ends. */
static void test_drain_ends(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"I2I.U32.U16.C0 R1, g [0x6].U16", "BRA C0.NE, 0x8", "TRAP", NULL};
    struct twins t;
    start(&t, KERNEL);
    for (unsigned i = 0; i < 500; i++) assert_true(step(&t, 1));
    for (unsigned i = 0; i < 3; i++) assert_true(step(&t, 0));
    unsigned after = 0;
    while (after < 1000 && step(&t, 1)) after++;
    assert_in_range(after, 20, 200);
    assert_int_equal(fault(&t), FAULT_LATE);
    assert_non_null(strstr(lockstep_result(t.checker)->text, "sm 1 goes on after a trap"));
    twins_stop(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drain_takes_the_records_of_other_sms),
        cmocka_unit_test(test_drain_tells_the_first_of_two_traps),
        cmocka_unit_test(test_drain_leaves_out_the_bytes_of_both_traps),
        cmocka_unit_test(test_drain_leaves_out_the_bytes_of_lanes_that_store),
        cmocka_unit_test(test_drain_leaves_out_what_may_have_been_stored),
        cmocka_unit_test(test_drain_takes_what_a_store_that_trapped_may_have_left),
        cmocka_unit_test(test_drain_takes_what_went_anywhere),
        cmocka_unit_test(test_drain_takes_what_came_behind_another_store),
        cmocka_unit_test(test_drain_takes_what_the_second_trap_may_have_left),
        cmocka_unit_test(test_drain_leaves_out_no_bytes_beyond_memory),
        cmocka_unit_test(test_drain_counts_both_traps_or_none),
        cmocka_unit_test(test_drain_counts_active_threads),
        cmocka_unit_test(test_drain_refuses_the_sm_that_trapped),
        cmocka_unit_test(test_drain_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
