/* SPDX-License-Identifier: Apache-2.0 */
/* driver_mask_rotations: rotations as LLVM writes them get a mask; other shifts stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../driver_rotate.h"

static void expect(const char *in, const char *out) {
    char *text = strdup(in);
    size_t size = strlen(in);
    assert_non_null(text);
    assert_true(driver_mask_rotations(&text, &size));
    assert_int_equal(size, strlen(out));
    assert_memory_equal(text, out, size);
    free(text);
}

static void test_left(void **state) {
    (void)state;
    expect("\t{\n\t.reg .b32 %lhs;\n\t.reg .b32 %rhs;\n\t.reg .b32 %amt2;\n"
           "\tshl.b32 \t%lhs, %r5, %r2;\n\tsub.s32 \t%amt2, 32, %r2;\n"
           "\tshr.b32 \t%rhs, %r5, %amt2;\n\tadd.u32 \t%r6, %lhs, %rhs;\n\t}\n",
           "\t{\n\t.reg .b32 %lhs;\n\t.reg .b32 %rhs;\n\t.reg .b32 %amt2;\n"
           "\tand.b32 \t%amt2, %r2, 31;\n\tshl.b32 \t%lhs, %r5, %amt2;\n\tsub.s32 \t%amt2, 32, %amt2;\n"
           "\tshr.b32 \t%rhs, %r5, %amt2;\n\tadd.u32 \t%r6, %lhs, %rhs;\n\t}\n");
}

static void test_right_of_64_bits(void **state) {
    (void)state;
    expect("\tshr.b64 \t%lhs, %rd5, %r2;\n\tsub.u32 \t%amt2, 64, %r2;\n\tshl.b64 \t%rhs, %rd5, %amt2;\n",
           "\tand.b32 \t%amt2, %r2, 63;\n\tshr.b64 \t%lhs, %rd5, %amt2;\n\tsub.u32 \t%amt2, 64, %amt2;\n"
           "\tshl.b64 \t%rhs, %rd5, %amt2;\n");
}

static void test_sign_of_a_shift(void **state) {
    (void)state;
    expect("\tmul.wide.s32 \t%rd1, %r7, -2147483648;\n\tneg.s64 \t%rd2, %rd1;\n",
           "\tmul.wide.s32 \t%rd1, %r7, -2147483648;\n\tneg.s64 \t%rd1, %rd1;\n\tneg.s64 \t%rd2, %rd1;\n");
    expect("\tmul.wide.s16 \t%r1, %rs7, -32768;\n", "\tmul.wide.s16 \t%r1, %rs7, -32768;\n\tneg.s32 \t%r1, %r1;\n");
    expect("\tmul.wide.u32 \t%rd1, %r7, -2147483648;\n", "\tmul.wide.u32 \t%rd1, %r7, -2147483648;\n");
    expect("\t// begin inline asm\n\tmul.wide.s32 %rd1, %r7, -2147483648;\n\t// end inline asm\n",
           "\t// begin inline asm\n\tmul.wide.s32 %rd1, %r7, -2147483648;\n\t// end inline asm\n");
}

static void test_what_stays(void **state) {
    (void)state;
    expect("\tshl.b32 \t%r1, %r5, %r2;\n", "\tshl.b32 \t%r1, %r5, %r2;\n");
    expect("\tshl.b32 \t%lhs, %r5, 7;\n\tshr.b32 \t%rhs, %r5, 25;\n// %amt2\n\tshl.b32 \t%r1, %r5, %r2;",
           "\tshl.b32 \t%lhs, %r5, 7;\n\tshr.b32 \t%rhs, %r5, 25;\n// %amt2\n\tshl.b32 \t%r1, %r5, %r2;");
    expect("", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left),
        cmocka_unit_test(test_right_of_64_bits),
        cmocka_unit_test(test_sign_of_a_shift),
        cmocka_unit_test(test_what_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
