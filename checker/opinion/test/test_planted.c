/* SPDX-License-Identifier: Apache-2.0 */
/* The checker with a wrong model (its step is wrapped and changes the record) and with a wrong simulation: the third
 * opinion names the wrong side, in the result and in the report. */
// link: -Wl,--wrap=warpstep_model_step_follow
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../report/report.h"
#include "../../test/fake_sim.h"
#include "../../test/kernel.h"

enum fault { FAULT_NOT_PLANTED, FAULT_DST, FAULT_FLAGS, FAULT_EXEC, FAULT_ADDR, FAULT_DATA, FAULT_NEXT, FAULT_DEPTH };

static enum fault planted;

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker defines these names */
enum model_result __real_warpstep_model_step_follow(struct model *m, const struct retire *rtl, struct retire *out);
enum model_result __wrap_warpstep_model_step_follow(struct model *m, const struct retire *rtl, struct retire *out);
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

static bool change(uint32_t *value, bool has, uint32_t bits) {
    if (has) *value ^= bits;
    return has;
}

static bool plant(struct retire *r) {
    switch (planted) {
    case FAULT_DST: return change(&r->dst[3], (r->dst_mask & 8) != 0, 0x40);
    case FAULT_FLAGS: return change(&r->c[5], (r->c_mask & 32) != 0, 2);
    case FAULT_EXEC: return change(&r->exec, true, 0x10);
    case FAULT_ADDR: return change(&r->addr[3], (r->mem_mask & 8) != 0, 4);
    case FAULT_DATA: return change(&r->data[3], (r->mem_mask & 8) != 0 && r->mem_kind == RETIRE_MEM_SHARED_STORE, 1);
    case FAULT_NEXT: return change(&r->next_pc, true, 16);
    case FAULT_DEPTH: return change(&r->depth, true, 1);
    case FAULT_NOT_PLANTED: break;
    }
    return false;
}

/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker defines this name */
enum model_result __wrap_warpstep_model_step_follow(struct model *m, const struct retire *rtl, struct retire *out) {
    const enum model_result result = __real_warpstep_model_step_follow(m, rtl, out);
    if (plant(out)) planted = FAULT_NOT_PLANTED;
    return result;
}

static void expect(uint32_t seed, const char *line, enum opinion_side side) {
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run = kernel_make(KERNEL_MIXED, 3, 64, &machine);
    const struct sim_options sim = {.cores = 8, .machine = machine, .seed = seed};
    const struct lockstep_options options = {.run = &run, .machine = machine, .silence = 1000};
    struct diag d = {0};
    char *report = NULL;
    size_t size = 0;
    struct lockstep *l = lockstep_create(&options, &d);
    assert_non_null(l);
    assert_true(lockstep_run(l, fake_sim_api(), &sim, &d));
    FILE *out = open_memstream(&report, &size);
    lockstep_report(l, NULL, out);
    fclose(out);
    if (strstr(report, line) == NULL) print_error("no '%s' in:\n%s", line, report);
    assert_non_null(strstr(report, line));
    assert_int_equal(lockstep_result(l)->opinion, side);
    free(report);
    lockstep_destroy(l);
    kernel_release(&run);
}

static void test_planted_in_the_model(void **state) {
    (void)state;
    for (enum fault f = FAULT_DST; f <= FAULT_DEPTH; f++) {
        planted = f;
        expect(FAKE_NONE, "the third opinion agrees with: RTL\n", OPINION_RTL);
        assert_int_equal(planted, FAULT_NOT_PLANTED);
    }
}

static void test_planted_in_the_simulation(void **state) {
    (void)state;
    static const uint32_t FAULTS[] = {FAKE_LANE, FAKE_LOAD,        FAKE_FLAG,  FAKE_MASK,  FAKE_WRITE_MASK,
                                      FAKE_DATA, FAKE_SHARED_DATA, FAKE_DEPTH, FAKE_STATE, FAKE_NEXT_PC};
    for (size_t n = 0; n < sizeof FAULTS / sizeof *FAULTS; n++)
        expect(FAULTS[n], "the third opinion agrees with: model\n", OPINION_MODEL);
}

/* The same lane, with different faults. */
static void test_planted_in_both(void **state) {
    (void)state;
    planted = FAULT_NEXT;
    expect(FAKE_NEXT_PC, "the third opinion agrees with: neither\n", OPINION_NEITHER);
}

/* In a run that goes on each finding has its own verdict. */
static void test_planted_in_a_run_that_goes_on(void **state) {
    (void)state;
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run = kernel_make(KERNEL_MIXED, 3, 64, &machine);
    const struct sim_options sim = {.cores = 8, .machine = machine, .seed = FAKE_DEPTH};
    const struct lockstep_options options = {.run = &run, .machine = machine, .silence = 1000, .keep_going = 10};
    struct diag d = {0};
    struct lockstep *l = lockstep_create(&options, &d);
    assert_non_null(l);
    planted = FAULT_DST;
    assert_true(lockstep_run(l, fake_sim_api(), &sim, &d));
    const struct lockstep_findings *found = lockstep_result(l)->findings;
    assert_true(found->count >= 2);
    assert_string_equal(found->list[0].field->name, "dst");
    assert_int_equal(found->list[0].judged[OPINION_RTL], 1);
    assert_int_equal(found->list[0].judged[OPINION_MODEL], 0);
    assert_string_equal(found->list[1].field->name, "depth");
    assert_int_equal(found->list[1].judged[OPINION_RTL], 0);
    assert_int_equal(found->list[1].judged[OPINION_MODEL], 1);
    lockstep_destroy(l);
    kernel_release(&run);
}

static void test_planted_in_the_sequence(void **state) {
    (void)state;
    expect(FAKE_MISSING, "the third opinion: has none\n", OPINION_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted_in_the_model),    cmocka_unit_test(test_planted_in_the_simulation),
        cmocka_unit_test(test_planted_in_both),         cmocka_unit_test(test_planted_in_a_run_that_goes_on),
        cmocka_unit_test(test_planted_in_the_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
