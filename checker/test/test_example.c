/* SPDX-License-Identifier: Apache-2.0 */
/* The worked example of docs/bring-your-own-rtl.md in lockstep: it agrees on its five instructions, traps alike, and
 * its faults are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../port/example/tiny_core.c"
#include "../verdict/lockstep.h"
#include "kernel.h"

static struct lockstep_result run_example(const char *const *texts, unsigned grid, unsigned block,
                                          enum lockstep_status wanted) {
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run = kernel_make(texts, grid, block, &machine);
    const struct sim_options sim = {.cores = 8, .machine = machine, .seed = 3};
    const struct lockstep_options options = {.run = &run, .machine = machine};
    struct diag d = {0};
    struct lockstep *l = lockstep_create(&options, &d);
    assert_non_null(l);
    assert_true(lockstep_run(l, warpstep_sim(), &sim, &d));
    struct lockstep_result result = *lockstep_result(l);
    if (result.status != wanted) print_error("%s\n", result.text);
    assert_int_equal(result.status, wanted);
    result.global = NULL;
    lockstep_destroy(l);
    kernel_release(&run);
    return result;
}

static void test_example_agrees(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"SHL R1, R0, 0x2",
                                         "MVI R2, 0x12345678",
                                         "IADD R3, R1, R2",
                                         "IADD R3, R3, R3",
                                         "GST.U32 global14[R1], R3",
                                         "RET",
                                         NULL};
    const struct lockstep_result r = run_example(KERNEL, 3, 50, LOCKSTEP_PASS);
    assert_int_equal(r.compared, 3 * 2 * 6);
    assert_int_equal(r.counters.thread_instructions, 3 * 50 * 6);
}

static void test_example_traps_alike(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"SHL R1, R0, 0x1", "GST.U32 global14[R1], R0", "RET", NULL};
    const struct lockstep_result r = run_example(KERNEL, 1, 32, LOCKSTEP_TRAP);
    assert_int_equal(r.compared, 2);
}

static void test_example_is_caught_where_it_is_wrong(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"SHL R1, R0, 0x1", "SHR R1, R0, 0x1", "RET", NULL};
    const struct lockstep_result r = run_example(KERNEL, 1, 32, LOCKSTEP_MISMATCH);
    assert_int_equal(r.fault, FAULT_FIELD);
    assert_int_equal(r.expected.pc, 8);
    assert_int_equal(r.actual.trap, TRAP_UNDEFINED);
}

/* An undefined register is read: the model adopts the core's value, and counts it. */
static void test_example_undefined_values_are_adopted(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"IADD R2, R1, R1", "RET", NULL};
    run_example(KERNEL, 1, 32, LOCKSTEP_PASS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example_agrees),
        cmocka_unit_test(test_example_traps_alike),
        cmocka_unit_test(test_example_is_caught_where_it_is_wrong),
        cmocka_unit_test(test_example_undefined_values_are_adopted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
