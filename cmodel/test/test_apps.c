/* SPDX-License-Identifier: Apache-2.0 */
/* Runs real sm_10 applications on the model, to their verified output. Races must be found exactly where the corpus
 * lists them. */
#include "app.h"

static void run_app(const char *name) {
    struct app app;
    struct model_counts counts;
    app_load(&app, name);
    fixture_launch(&app.fixture);
    assert_true(model_check_races(app.fixture.m));
    assert_int_not_equal(app_count_wrong(&app), 0); /* before the run the output is absent: the check can fail */
    assert_int_equal(fixture_run(&app.fixture), MODEL_DONE);
    assert_int_equal(app_count_wrong(&app), 0);
    assert_int_equal(model_undefined_count(app.fixture.m), 0);
    size_t races;
    (void)model_races(app.fixture.m, &races);
    assert_int_equal(races > 0, app.race_count > 0);
    model_get_counts(app.fixture.m, &counts);
    print_message("%s: %llu warp instructions\n", name, (unsigned long long)counts.warp_instructions);
    app_release(&app);
}

static void test_apps_vector_add(void **state) {
    (void)state;
    run_app("VectorAdd_integer");
}

static void test_apps_transpose(void **state) {
    (void)state;
    run_app("Transpose");
}

static void test_apps_edge_detection(void **state) {
    (void)state;
    run_app("EdgeDetection_64threads");
}

static void test_apps_fft(void **state) {
    (void)state;
    run_app("FFT64");
}

/* Divides by a routine in floating point. */
static void test_apps_reduction(void **state) {
    (void)state;
    run_app("Reduction");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apps_vector_add),     cmocka_unit_test(test_apps_transpose),
        cmocka_unit_test(test_apps_edge_detection), cmocka_unit_test(test_apps_fft),
        cmocka_unit_test(test_apps_reduction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
