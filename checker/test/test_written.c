/* SPDX-License-Identifier: Apache-2.0 */
/* Words of code and constants that need not be written again; all other words are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../../spec/host_regs.h"
#include "../port/written.h"

static void test_written_knows_words(void **state) {
    const struct machine machine = MACHINE_DEFAULT;
    const uint32_t last = HOST_CODE + machine.code_bytes - 4;
    struct written *w = written_create(&machine);
    (void)state;
    assert_non_null(w);
    assert_true(written_differs(w, HOST_CODE, 0)); /* nothing is written at first */
    assert_false(written_differs(w, HOST_CODE, 0));
    assert_true(written_differs(w, HOST_CODE, 7));
    assert_true(written_differs(w, HOST_CODE + 4, 7));
    assert_true(written_differs(w, HOST_CODE, 0));
    assert_true(written_differs(w, last, 1));
    assert_false(written_differs(w, last, 1));
    assert_true(written_differs(w, HOST_CONST, 5));
    assert_false(written_differs(w, HOST_CONST, 5));
    written_forget(w);
    assert_true(written_differs(w, HOST_CONST, 5));
    assert_true(written_differs(w, last, 1));
    written_destroy(w);
}

static void test_written_leaves_the_rest(void **state) {
    const struct machine machine = MACHINE_DEFAULT;
    const uint32_t others[] = {HOST_CONTROL,
                               HOST_GRID,
                               HOST_PARAMS,
                               HOST_GLOBAL,
                               HOST_CODE + machine.code_bytes,
                               HOST_CONST + machine.const_bytes};
    struct written *w = written_create(&machine);
    (void)state;
    assert_non_null(w);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        for (unsigned n = 0; n < 2; n++) assert_true(written_differs(w, others[i], 1));
    written_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_knows_words),
        cmocka_unit_test(test_written_leaves_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
