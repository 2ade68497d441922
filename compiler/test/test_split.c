/* SPDX-License-Identifier: Apache-2.0 */
/* driver_make_internal: functions of LLVM's text become internal, kernels and all else stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../driver_split.h"

static void expect(const char *in, const char *out) {
    char *ir = strdup(in);
    assert_non_null(ir);
    driver_make_internal(ir);
    assert_string_equal(ir, out);
    free(ir);
}

static void test_functions(void **state) {
    (void)state;
    expect("define dso_local float @f(float %a) #0 {\n", "define internal  float @f(float %a) #0 {\n");
    expect("target triple = \"nvptx\"\n\ndefine dso_local spir_func void @a() {\n}\n\ndefine dso_local i32 @b() {\n",
           "target triple = \"nvptx\"\n\ndefine internal  spir_func void @a() {\n}\n\ndefine internal  i32 @b() {\n");
    expect("define dso_local void @my_kernel (%struct.a_kernel * %p) {\n",
           "define internal  void @my_kernel (%struct.a_kernel * %p) {\n");
}

static void expect_same(const char *text) { expect(text, text); }

static void test_what_stays(void **state) {
    (void)state;
    expect_same("define dso_local spir_kernel void @k(float addrspace(1)* %a) {\n");
    expect_same("define dso_local ptx_kernel void @k() {\n");
    expect_same("define linkonce_odr dso_local void @f() {\n");
    expect_same("define weak dso_local void @f() {\n");
    expect_same("declare dso_local void @f()\n@v = dso_local addrspace(4) constant i32 1\n");
    expect_same("; define dso_local void @f()\n");
    expect_same("");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_what_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
