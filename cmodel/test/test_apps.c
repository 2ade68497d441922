/* SPDX-License-Identifier: Apache-2.0 */
/* Runs real sm_10 applications on the model, to their verified output. */
#include "app.h"

#define CORPUS "../shared/corpus/apps/"

static void run_app(const char *path) {
    struct app app;
    struct model_counts counts;
    app_load(&app, path);
    fixture_launch(&app.fixture);
    assert_int_not_equal(app_count_wrong(&app), 0); /* before the run the output is not there: the check can fail */
    assert_int_equal(fixture_run(&app.fixture), MODEL_DONE);
    assert_int_equal(app_count_wrong(&app), 0);
    assert_int_equal(model_undefined_count(app.fixture.m), 0);
    model_get_counts(app.fixture.m, &counts);
    print_message("%s: %llu warp instructions\n", path, (unsigned long long)counts.warp_instructions);
    app_release(&app);
}

static void test_apps_vector_add(void **state) {
    (void)state;
    run_app(CORPUS "VectorAdd_integer.json");
}

static void test_apps_transpose(void **state) {
    (void)state;
    run_app(CORPUS "Transpose.json");
}

static void test_apps_edge_detection(void **state) {
    (void)state;
    run_app(CORPUS "EdgeDetection_64threads.json");
}

/* Reduction calls a division routine in floating point: recognised, not executed. */
static void test_apps_reduction_traps_at_float(void **state) {
    (void)state;
    struct app app;
    app_load(&app, CORPUS "Reduction.json");
    fixture_launch(&app.fixture);
    assert_int_equal(fixture_run(&app.fixture), MODEL_TRAPPED);
    const struct model_trap trap = model_get_trap(app.fixture.m);
    assert_int_equal(trap.code, TRAP_UNIMPLEMENTED);
    assert_int_equal(trap.pc, 0xf8); /* I2F.F32.U32 R9, R8 */
    app_release(&app);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apps_vector_add),
        cmocka_unit_test(test_apps_transpose),
        cmocka_unit_test(test_apps_edge_detection),
        cmocka_unit_test(test_apps_reduction_traps_at_float),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
