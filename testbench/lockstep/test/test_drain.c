/* SPDX-License-Identifier: Apache-2.0 */
/* A trap on one of several SMs: the others finish what they have issued, and may trap as well. The "RTL" is a second
 * model that is stepped as the test says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lockstep.h"
#include "kernel.h"

/* Each block stores to 256 bytes of its own; all but its first lanes are misaligned. */
static const char *const KERNEL_STORES[] = {
    "I2I.U32.U16 R1, g [0x6].U16", "SHL R1, R1, 0x8", "IADD R1, R1, R0", "GST.U32 global14[R1], R0", "RET", NULL,
};

/* Block x runs on SM x, in slot 0. */
struct pair {
    struct launch run;
    struct lockstep_options options;
    struct lockstep *checker;
    struct model *rtl;
};

static void start(struct pair *p, const char *const *kernel) {
    struct diag d = {0};
    struct machine machine = MACHINE_DEFAULT;
    machine.sms = 2;
    p->run = kernel_make(kernel, 2, 32, &machine);
    p->options = (struct lockstep_options){.run = &p->run, .machine = machine};
    p->checker = lockstep_create(&p->options, &d);
    p->rtl = model_create(&machine);
    assert_non_null(p->checker);
    assert_non_null(p->rtl);
    assert_int_equal(model_launch(p->rtl, &p->run, &d), STATUS_OK);
}

static void stop(struct pair *p) {
    lockstep_destroy(p->checker);
    model_destroy(p->rtl);
    kernel_release(&p->run);
}

static bool step(struct pair *p, unsigned sm) {
    struct retire name = {.sm = sm, .block_x = sm}, record = {0};
    assert_int_equal(model_step_follow(p->rtl, &name, &record), MODEL_RETIRED);
    return lockstep_check(p->checker, &record);
}

static struct sim_trap trap_of(const struct pair *p, unsigned sm) {
    const struct model_trap t = model_get_sm_trap(p->rtl, sm);
    return (struct sim_trap){.code = t.code, .sm = t.sm, .slot = t.slot, .pc = t.pc};
}

static enum lockstep_fault fault(const struct pair *p) { return lockstep_result(p->checker)->fault; }

/* SM 1 traps in its fourth instruction, then SM 0 in its own. */
static void trap_both(struct pair *p) {
    start(p, KERNEL_STORES);
    for (unsigned i = 0; i < 4; i++) assert_true(step(p, 1));
    for (unsigned i = 0; i < 4; i++) assert_true(step(p, 0));
}

static void test_drain_takes_the_records_of_other_sms(void **state) {
    (void)state;
    struct pair p;
    start(&p, KERNEL_TRAP);
    for (unsigned i = 0; i < 2; i++) assert_true(step(&p, 1));
    assert_true(step(&p, 0));
    const struct sim_trap trap = trap_of(&p, 1);
    assert_true(lockstep_finish(p.checker, SIM_TRAPPED, &trap, NULL));
    assert_int_equal(lockstep_result(p.checker)->status, LOCKSTEP_TRAP);
    assert_non_null(strstr(lockstep_result(p.checker)->text, "at pc 0x8, sm 1 slot 0"));
    assert_true(lockstep_check_memory(p.checker, SIM_GLOBAL, model_global(p.rtl), p.options.machine.global_bytes));
    stop(&p);
}

static void test_drain_tells_the_first_of_two_traps(void **state) {
    (void)state;
    struct pair p;
    trap_both(&p);
    const struct sim_trap first = trap_of(&p, 1), second = trap_of(&p, 0);
    assert_int_equal(second.code, TRAP_GLOBAL_ALIGN);
    assert_true(lockstep_finish(p.checker, SIM_TRAPPED, &first, NULL));
    stop(&p);
    trap_both(&p);
    assert_false(lockstep_finish(p.checker, SIM_TRAPPED, &second, NULL));
    assert_int_equal(fault(&p), FAULT_TRAP);
    stop(&p);
}

/* Of each block the last lane may have stored to bytes 31..34 of its own; nothing else may have changed. */
static void test_drain_leaves_out_the_bytes_of_both_traps(void **state) {
    (void)state;
    struct pair p;
    trap_both(&p);
    uint8_t *global = model_global(p.rtl);
    global[28] ^= 0xff;
    global[256 + 34] ^= 0xff;
    assert_true(lockstep_check_memory(p.checker, SIM_GLOBAL, global, p.options.machine.global_bytes));
    global[256 + 35] ^= 0xff;
    assert_false(lockstep_check_memory(p.checker, SIM_GLOBAL, global, p.options.machine.global_bytes));
    assert_int_equal(lockstep_result(p.checker)->memory.first, 256 + 35);
    stop(&p);
}

/* Lane 0 does not store; byte 1 is of lane 1. */
static void test_drain_leaves_out_the_bytes_of_lanes_that_store(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"I2I.U32.U16.C0 R1, R0L", "GST.U32 global14[R1] (C0.NE), R0", "RET", NULL};
    struct pair p;
    start(&p, KERNEL);
    for (unsigned i = 0; i < 2; i++) assert_true(step(&p, 0));
    uint8_t *global = model_global(p.rtl);
    global[1] ^= 0xff;
    assert_true(lockstep_check_memory(p.checker, SIM_GLOBAL, global, p.options.machine.global_bytes));
    global[0] ^= 0xff;
    assert_false(lockstep_check_memory(p.checker, SIM_GLOBAL, global, p.options.machine.global_bytes));
    assert_int_equal(lockstep_result(p.checker)->memory.first, 0);
    stop(&p);
}

/* A store at the end of memory may have got there, and no further: the machine has no more bytes than are compared. */
static void test_drain_leaves_out_no_bytes_beyond_memory(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"MVI R1, 0x3fffe", "GST.U32 global14[R1], R0", "RET", NULL};
    struct pair p;
    start(&p, KERNEL);
    for (unsigned i = 0; i < 2; i++) assert_true(step(&p, 0));
    const size_t size = p.options.machine.global_bytes;
    assert_int_equal(size, 0x40000);
    uint8_t *global = malloc(size);
    assert_non_null(global);
    memcpy(global, model_global(p.rtl), size);
    global[size - 1] ^= 0xff;
    assert_true(lockstep_check_memory(p.checker, SIM_GLOBAL, global, size));
    global[size - 3] ^= 0xff;
    assert_false(lockstep_check_memory(p.checker, SIM_GLOBAL, global, size));
    assert_int_equal(lockstep_result(p.checker)->memory.first, size - 3);
    free(global);
    stop(&p);
}

static bool counts_pass(unsigned warps, unsigned threads) {
    struct pair p;
    trap_both(&p);
    const struct sim_counters c = {.warp_instructions = warps, .thread_instructions = threads};
    const bool good = lockstep_check_counters(p.checker, &c);
    if (!good) assert_int_equal(fault(&p), FAULT_COUNTERS);
    stop(&p);
    return good;
}

static void test_drain_counts_both_traps_or_none(void **state) {
    (void)state;
    assert_true(counts_pass(6, 6 * 32));
    assert_true(counts_pass(8, 8 * 32));
    assert_false(counts_pass(7, 7 * 32));
    assert_false(counts_pass(8, 7 * 32));
}

static void test_drain_refuses_the_sm_that_trapped(void **state) {
    (void)state;
    struct pair p;
    start(&p, KERNEL_TRAP);
    for (unsigned i = 0; i < 2; i++) assert_true(step(&p, 1));
    struct retire again = {.sm = 1, .block_x = 1};
    assert_false(lockstep_check(p.checker, &again));
    assert_int_equal(fault(&p), FAULT_LATE);
    assert_non_null(strstr(lockstep_result(p.checker)->text, "sm 1 was stopped by a trap"));
    stop(&p);
}

/* Block 0 traps, block 1 never ends. */
static void test_drain_ends(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"I2I.U32.U16.C0 R1, g [0x6].U16", "BRA C0.NE, 0x8", "TRAP", NULL};
    struct pair p;
    start(&p, KERNEL);
    for (unsigned i = 0; i < 500; i++) assert_true(step(&p, 1));
    for (unsigned i = 0; i < 3; i++) assert_true(step(&p, 0));
    unsigned after = 0;
    while (after < 1000 && step(&p, 1)) after++;
    assert_in_range(after, 20, 200);
    assert_int_equal(fault(&p), FAULT_LATE);
    assert_non_null(strstr(lockstep_result(p.checker)->text, "sm 1 goes on after a trap"));
    stop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drain_takes_the_records_of_other_sms),
        cmocka_unit_test(test_drain_tells_the_first_of_two_traps),
        cmocka_unit_test(test_drain_leaves_out_the_bytes_of_both_traps),
        cmocka_unit_test(test_drain_leaves_out_the_bytes_of_lanes_that_store),
        cmocka_unit_test(test_drain_leaves_out_no_bytes_beyond_memory),
        cmocka_unit_test(test_drain_counts_both_traps_or_none),
        cmocka_unit_test(test_drain_refuses_the_sm_that_trapped),
        cmocka_unit_test(test_drain_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
