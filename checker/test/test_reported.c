/* SPDX-License-Identifier: Apache-2.0 */
/* Records that lack fields: hidden fields do not count, all others do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../verdict/lockstep.h"
#include "crooked.h"
#include "kernel.h"

static const char *const NEEDED[] = {"sm", "slot", "block_x", "block_y", "warp", "pc"};

static struct lockstep_result run_on(const struct sim_api *api, const char *const *kernel, unsigned keep_going) {
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run = kernel_make(kernel, 2, 64, &machine);
    const struct sim_options sim = {.cores = 8, .machine = machine, .seed = 1};
    const struct lockstep_options options = {.run = &run, .machine = machine, .keep_going = keep_going};
    struct diag d = {0};
    struct lockstep *l = lockstep_create(&options, &d);
    assert_non_null(l);
    if (!lockstep_run(l, api, &sim, &d)) fail_msg("%s", d.text);
    struct lockstep_result result = *lockstep_result(l);
    result.global = NULL;
    result.findings = NULL;
    lockstep_destroy(l);
    kernel_release(&run);
    return result;
}

static struct lockstep_result run(const char *const *kernel, const char *instead, const char *hides,
                                  const char *fills) {
    setenv(CROOKED, instead, 1);
    setenv(CROOKED_HIDES, hides, 1);
    setenv(CROOKED_FILLS, fills, 1);
    return run_on(crooked_sim_api(), kernel, 0);
}

static bool is_needed(const char *name) {
    for (size_t i = 0; i < sizeof NEEDED / sizeof NEEDED[0]; i++)
        if (strcmp(NEEDED[i], name) == 0) return true;
    return false;
}

/* Any field may be missing, alone or with all others, except those needed to follow a step. */
static void test_reported_without_any_field(void **state) {
    (void)state;
    char all[512] = "";
    for (size_t i = 0; i < retire_field_count(); i++) {
        const struct retire_field *f = retire_field_at(i);
        if (is_needed(f->name) || f->kind == FIELD_HARNESS) continue;
        const struct lockstep_result mixed = run(KERNEL_MIXED, "", f->name, "");
        if (mixed.status != LOCKSTEP_PASS) fail_msg("without %s: %s", f->name, mixed.text);
        const struct lockstep_result wide = run(KERNEL_WIDE, "", f->name, "");
        if (wide.status != LOCKSTEP_PASS) fail_msg("wide, without %s: %s", f->name, wide.text);
        if (strcmp(f->name, "trap") != 0) assert_int_equal(run(KERNEL_TRAP, "", f->name, "").status, LOCKSTEP_TRAP);
        snprintf(all + strlen(all), sizeof all - strlen(all), " %s", f->name);
    }
    assert_int_equal(run(KERNEL_MIXED, "", all, "").status, LOCKSTEP_PASS);
    assert_int_equal(run(KERNEL_WIDE, "", all, "").status, LOCKSTEP_PASS);
}

/* The same bug in a compared field, and in a hidden one. */
static void test_reported_compares_the_others(void **state) {
    (void)state;
    static const char *const KERNEL[] = {"SHL.C0 R1, R0, 0x2", "SHL R2, R0, 0x2", "RET", NULL};
    static const char BUG[] = "0x0=SHL.C1 R1, R0, 0x2";
    assert_int_equal(run(KERNEL, BUG, "", "").fault, FAULT_FIELD);
    assert_int_equal(run(KERNEL, BUG, "c c_mask depth", "").fault, FAULT_FIELD);
    assert_int_equal(run(KERNEL, BUG, "c_reg", "").status, LOCKSTEP_PASS);
    assert_int_equal(run(KERNEL, BUG, "", "c_reg").status, LOCKSTEP_PASS); /* the RTL's value of a filled field is
                                                                            * ignored */
    assert_int_equal(run(KERNEL, "0x8=SHL R2, R0, 0x3", "dst_mask dst_reg dst_kind", "").fault, FAULT_FIELD);
    assert_int_equal(run(KERNEL, "0x8=SHL R2, R0, 0x3", "dst", "").status, LOCKSTEP_PASS);
}

static void test_reported_fills_what_is_static(void **state) {
    (void)state;
    static const char STATIC[] = "word_lo word_hi dst_kind dst_reg c_reg a_reg mem_kind mem_bytes";
    assert_int_equal(run(KERNEL_MIXED, "", "", STATIC).status, LOCKSTEP_PASS);
    assert_int_equal(run(KERNEL_WIDE, "", "", STATIC).status, LOCKSTEP_PASS);
    assert_int_equal(run(KERNEL_TRAP, "", "", STATIC).status, LOCKSTEP_TRAP);
    assert_int_equal(run(KERNEL_TRAP, "", "trap", STATIC).fault, FAULT_NONE);
}

/* Findings work together with missing fields. */
static void test_reported_goes_with_findings(void **state) {
    (void)state;
    setenv(CROOKED, "", 1);
    setenv(CROOKED_HIDES, "active depth exec word_lo", 1);
    setenv(CROOKED_FILLS, "", 1);
    assert_int_equal(run_on(crooked_sim_api(), KERNEL_MIXED, 9).status, LOCKSTEP_PASS);
}

static void test_reported_knows_older_simulations(void **state) {
    (void)state;
    setenv(CROOKED, "", 1);
    setenv(CROOKED_HIDES, "", 1);
    struct sim_api api = *crooked_sim_api();
    api.version = SIM_API_OLDEST;
    api.unreported = api.filled = (const char *)1; /* members beyond its version */
    assert_int_equal(run_on(&api, KERNEL_MIXED, 0).status, LOCKSTEP_PASS);
}

static void test_reported_refuses(void **state) {
    (void)state;
    static const struct {
        const char *names;
        enum reported_how how;
        const char *said;
        unsigned column;
    } WRONG[] = {
        {"depth slot",  REPORTED_NOT,    "'slot' cannot be left out",                       7},
        {"pc",          REPORTED_FILLED, "'pc' cannot be left out",                         1},
        {"state,dest",  REPORTED_NOT,    "'dest' is no field",                              7},
        {"*",           REPORTED_NOT,    "'*' is no field",                                 1},
        {"dst_reg dst", REPORTED_FILLED, "'dst' does not follow from the instruction word", 9},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        struct reported r = {.incomplete = false};
        struct diag d = {0};
        assert_int_equal(reported_declare(&r, WRONG[i].names, WRONG[i].how, "who", &d), STATUS_BAD_INPUT);
        if (strstr(d.text, WRONG[i].said) == NULL) fail_msg("%s", d.text);
        assert_int_equal(d.column, WRONG[i].column);
    }
}

static void print(const struct reported *r, char *text, size_t size, void (*how)(const struct reported *, FILE *)) {
    FILE *out = fmemopen(text, size, "w");
    assert_non_null(out);
    how(r, out);
    fclose(out);
}

static void test_reported_says_what_is_missing(void **state) {
    (void)state;
    struct reported r = {.incomplete = false};
    char text[256] = "";
    assert_int_equal(reported_declare(&r, NULL, REPORTED_NOT, "", NULL), STATUS_OK);
    assert_false(r.incomplete);
    print(&r, text, sizeof text, reported_print_text);
    assert_string_equal(text, "");
    assert_int_equal(reported_declare(&r, "state, dst", REPORTED_NOT, "", NULL), STATUS_OK);
    r.no_memory = true;
    print(&r, text, sizeof text, reported_print_text);
    assert_string_equal(text, "; fields not compared: dst, state, memory");
    assert_int_equal(reported_declare(&r, "dst_reg", REPORTED_FILLED, "", NULL), STATUS_OK);
    print(&r, text, sizeof text, reported_print_json);
    assert_string_equal(text, ",\"not_compared\":[\"dst\",\"state\",\"memory\"],\"filled\":[\"dst_reg\"]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reported_without_any_field),       cmocka_unit_test(test_reported_compares_the_others),
        cmocka_unit_test(test_reported_fills_what_is_static),    cmocka_unit_test(test_reported_goes_with_findings),
        cmocka_unit_test(test_reported_knows_older_simulations), cmocka_unit_test(test_reported_refuses),
        cmocka_unit_test(test_reported_says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
