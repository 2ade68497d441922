/* SPDX-License-Identifier: Apache-2.0 */
/* Tests compile_ptx: messages and their positions, signatures, variables, lines. Results of compiled code are tested
 * by the suites of testbench/compiler/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/image_load.h"
#include "../compile.h"

#define HEAD ".version 3.2\n.target sm_20\n.address_size 32\n"

static enum status compile(const char *text, struct compiled *program, struct diag *d) {
    const struct compile_options options = COMPILE_DEFAULT;
    *d = (struct diag){0};
    return compile_ptx(text, strlen(text), &options, program, d);
}

static void expect_error(const char *text, unsigned line, unsigned column, const char *message) {
    struct compiled program;
    struct diag d;
    assert_int_equal(compile(text, &program, &d), STATUS_BAD_INPUT);
    if (strstr(d.text, message) == NULL) fail_msg("'%s' instead of '%s'", d.text, message);
    assert_string_equal(d.file, "kernel.ptx");
    assert_int_equal(d.line, line);
    assert_int_equal(d.column, column);
    assert_int_equal(program.kernel_count, 0);
    assert_null(program.listing);
}

static struct compiled expect_good(const char *text) {
    struct compiled program;
    struct diag d;
    if (compile(text, &program, &d) != STATUS_OK) fail_msg("%u:%u: %s", d.line, d.column, d.text);
    return program;
}

static void test_wrong_texts(void **state) {
    (void)state;
    expect_error(HEAD ".entry k() {\n  frob.u32 %r1, %r2;\n}", 5, 3, "unknown instruction 'frob.u32'");
    expect_error(HEAD ".entry k() {\n  add.u32 %r1, %r2, 1;\n}", 5, 11, "'%r1' is not declared");
    expect_error(HEAD ".entry k() {\n  .reg .b32 %r<2>;\n  add.u32 %r1, %r2, 1;\n}", 6, 16, "'%r2' is not declared");
    expect_error(HEAD ".entry k() {\n  bra nowhere;\n}", 5, 7, "label 'nowhere' is not defined");
    expect_error(HEAD ".entry k() {\n  ret\n}", 6, 1, "expected an operand or ';', not '}'");
    expect_error(HEAD ".entry k() {\n  ret;\n", 6, 1, "has no '}'");
    expect_error(HEAD ".entry k() { ret; }\n.entry k() { ret; }", 5, 8, "defined twice");
    expect_error(HEAD "/* open", 4, 1, "unterminated comment");
    expect_error(HEAD ".entry k() {\n  .reg .u32 a, a;\n}", 5, 16, "'a' is declared twice");
    expect_error(HEAD ".global .u32 v[2] = {1, 2, 3};", 4, 28, "too many initial values for 'v'");
    expect_error(HEAD ".entry a.b() {\n}", 4, 8, "expected a name, not 'a.b'");
    expect_error(HEAD ".entry %k() {\n}", 4, 8, "cannot begin with '%'");
    expect_error(HEAD ".entry k() {\n  .reg .b64 %r;\n  mov.b64 %r, 18446744073709551616;\n}", 6, 15,
                 "is not a number");
    expect_error(HEAD ".entry k() {\n  .reg .b64 %r;\n  mov.b64 %r, 0b;\n}", 6, 15, "is not a number");
    expect_error(HEAD, 0, 0, "there is no kernel");
}

static void test_what_cannot_be(void **state) {
    (void)state;
    expect_error(HEAD ".func f() { call f; ret; }\n.entry k() { call f; ret; }", 4, 13,
                 "recursion is not supported: function 'f' calls itself");
    expect_error(HEAD ".func g();\n.func h();\n.func f() { call g; ret; }\n.func g() { call h; ret; }\n"
                      ".func h() { call f; ret; }\n.entry k() { call f; ret; }",
                 8, 13, "function 'f' calls 'g', which calls 'h', which calls it");
    expect_error(HEAD ".entry k() {\n .reg .u32 a;\n call a, ();\n}", 6, 2, "calls through pointers");
    expect_error(HEAD ".shared .u32 s;\n.entry k() {\n red.shared.add.u32 [s], 1;\n}", 6, 2,
                 "on shared memory are not supported");
    expect_error(HEAD ".global .u32 s;\n.entry k() {\n red.global.add.u32 [s], 1;\n}", 6, 2, "--arch sm_11");
    expect_error(HEAD ".tex .u64 t;", 4, 1, "textures");
    expect_error(HEAD ".shared .b8 s[20000];\n.entry k() {\n .reg .u32 a;\n ld.shared.u32 a, [s];\n}", 4, 13, "16 KB");
    expect_error(HEAD ".entry k() {\n .reg .f32 a;\n add.u32.f32 a, a, a;\n}", 6, 2, "not supported with the types");
#define CALL(between, last)                                                                    \
    HEAD ".func f(.param .b32 a) {\n ret;\n}\n.entry k() {\n .param .b32 x;\n .reg .pred p;\n" \
         " st.param.b32 [x], 1;\n" between " st.param.b8 [x+1], 2;\n" last " call f, (x);\n ret;\n}"
    expect_error(CALL(" @p bra L;\n", "L:\n"), 12, 2, "stored with different widths across a branch");
    expect_error(CALL("L:\n", " @p bra L;\n"), 12, 2, "stored with different widths across a branch");
    expect_error(CALL(" @p bra L;\n st.param.b32 [x], 3;\n", "L:\n"), 13, 2, "different widths across a branch");
    struct compiled straight = expect_good(CALL(" @p mov.pred p, p;\n", ""));
    compiled_release(&straight);
}

/* 30 calls that double at each level come to an end, with or without an error. */
static void test_what_is_too_large(void **state) {
    struct compiled program;
    struct diag d;
    char text[4096] = HEAD ".func f0() { .reg .u32 %r; st.global.u32 [%r], %r; ret; }\n";
    (void)state;
    for (unsigned i = 1; i <= 30; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ".func f%u() { call f%u; call f%u; ret; }\n", i,
                 i - 1, i - 1);
    snprintf(text + strlen(text), sizeof text - strlen(text), ".entry k() { call f30; ret; }\n");
    if (compile(text, &program, &d) != STATUS_OK) assert_non_null(strstr(d.text, "too large"));
    compiled_release(&program);
}

/* Messages name the source if the text has line information. */
static void test_places_of_a_source(void **state) {
    struct compiled program;
    struct diag d;
    (void)state;
    assert_int_equal(compile(HEAD ".file 1 \"a.cl\"\n.entry k() {\n.loc 1 7 3\n vote.all.pred p, q;\n}", &program, &d),
                     STATUS_BAD_INPUT);
    assert_int_equal(
        compile(HEAD ".file 1 \"a.cl\"\n.entry k() {\n.reg .u32 a;\n.loc 1 7 3\n tex.u32 a;\n}", &program, &d),
        STATUS_BAD_INPUT);
    assert_string_equal(d.file, "a.cl");
    assert_int_equal(d.line, 7);
    assert_int_equal(d.column, 3);
    assert_non_null(strstr(d.text, "(kernel.ptx:8)"));
}

static void test_signature(void **state) {
    char text[200];
    (void)state;
    struct compiled program = expect_good(HEAD ".entry _Z5saxpyPfS_fi(.param .u32 .ptr .global .align 4 y, "
                                               ".param .u32 .ptr .shared .align 4 t, .param .f32 a, .param .u8 c, "
                                               ".param .align 8 .b8 s[12], .param .u64 w) { ret; }");
    const struct compile_kernel *k = compiled_find(&program, "saxpy");
    assert_non_null(k);
    assert_ptr_equal(k, compiled_find(&program, "_Z5saxpyPfS_fi"));
    assert_null(compiled_find(&program, "sax"));
    assert_int_equal(k->image->signature_count, 6);
    static const unsigned OFFSETS[] = {0, 4, 8, 12, 16, 32};
    for (size_t i = 0; i < 6; i++) assert_int_equal(k->image->signature[i].offset, OFFSETS[i]);
    assert_int_equal(k->parameter_bytes, 40);
    assert_int_equal(k->image->signature[0].space, IMAGE_GLOBAL);
    assert_int_equal(k->image->signature[1].space, IMAGE_SHARED);
    assert_int_equal(k->image->signature[2].space, IMAGE_VALUE);
    image_print_signature(k->image, text, sizeof text);
    assert_string_equal(text, "saxpy(global buffer, local, f32, u8, b8[12], u64)");
    compiled_release(&program);
}

/* Without .ptr, a parameter used as an address is a buffer, even if another parameter is added to it. */
static void test_buffers_are_found(void **state) {
    (void)state;
    struct compiled program =
        expect_good(HEAD ".entry k(.param .u32 to, .param .u32 count) {\n.reg .u32 a, n, b;\nld.param.u32 a, [to];\n"
                         "ld.param.u32 n, [count];\nmul.lo.u32 b, n, 4;\nadd.u32 a, a, b;\nst.global.u32 [a], n;\n}");
    assert_int_equal(program.kernels[0].image->signature[0].space, IMAGE_GLOBAL);
    assert_int_equal(program.kernels[0].image->signature[1].space, IMAGE_VALUE);
    compiled_release(&program);
}

static void test_variables(void **state) {
    (void)state;
    struct compiled program =
        expect_good(HEAD ".global .u16 a[3] = {1, 2, 3};\n.const .align 8 .f32 c[2] = {0f3F800000, 2.0};\n"
                         ".global .u32 p = a+4;\n.global .u8 z[5];\n"
                         ".entry k() {\n.reg .f32 f;\nld.const.f32 f, [c+4];\nst.global.f32 [z+1], f;\n}");
    assert_int_equal(program.variable_count, 4);
    const struct compile_variable *v = program.variables;
    assert_int_equal(v[0].address, IMAGE_VARIABLES);
    assert_memory_equal(v[0].data, "\1\0\2\0\3\0", 6);
    assert_int_equal(v[1].space, IMAGE_CONSTANT);
    assert_memory_equal(v[1].data, "\0\0\x80\x3f\0\0\0\x40", 8);
    assert_int_equal(v[2].address, IMAGE_VARIABLES + 8);
    assert_memory_equal(v[2].data, "\4\0\2\0", 4);
    assert_null(v[3].data);
    assert_true(program.variables_end > v[3].address + 4);
    const struct image *img = program.kernels[0].image;
    assert_int_equal(img->bank[0].size, 8);
    compiled_release(&program);
}

static void expect_space(const char *text, enum image_space space) {
    struct compiled program = expect_good(text);
    for (size_t i = 0; i < program.variable_count; i++)
        if (strcmp(program.variables[i].name, "c") == 0) assert_int_equal(program.variables[i].space, space);
    compiled_release(&program);
}

/* An address loaded from memory is taken for one of global memory. */
static void test_constants_whose_address_is_in_memory(void **state) {
    (void)state;
    expect_space(HEAD ".const .u32 c = 5;\n.entry k(.param .u32 to) {\n.reg .u32 a;\nld.const.u32 a, [c];\nret;\n}",
                 IMAGE_CONSTANT);
    expect_space(HEAD ".const .u32 c = 5;\n.global .u32 p = generic(c);\n.entry k() {\nret;\n}", IMAGE_GLOBAL);
    expect_space(HEAD ".const .u32 c = 5;\n.global .u32 p;\n.entry k() {\n.reg .u32 a;\nmov.u32 a, c;\n"
                      "cvta.const.u32 a, a;\nst.global.u32 [p], a;\nret;\n}",
                 IMAGE_GLOBAL);
}

static struct image *storing(const char *constant, struct compiled *program) {
    char text[512];
    snprintf(text, sizeof text,
             HEAD ".entry k(.param .u32 to) {\n.reg .u32 a;\nld.param.u32 a, [to];\n"
                  "st.global.u32 [a], %s;\nret;\n}",
             constant);
    *program = expect_good(text);
    return program->kernels[0].image;
}

/* As C has them: what is on the right is worked out by hand. */
static void test_constant_expressions(void **state) {
    (void)state;
    static const char *const EQUAL[][2] = {
        {"!0 + 1",            "2" },
        {"!1 + 1",            "1" },
        {"!!5",               "1" },
        {"!2 == 0",           "1" },
        {"!-0.0 * 6",         "6" },
        {"!0 ? 3 : 4",        "3" },
        {"!(1 - 1) << 3",     "8" },
        {"~0 & 7",            "7" },
        {"1 + 2 * 3",         "7" },
        {"10 - 3 - 2",        "5" },
        {"1 << 2 + 1",        "8" },
        {"6 & 3 == 3",        "0" },
        {"1 | 6 ^ 2 & 3",     "5" },
        {"-7 / 2",            "-3"},
        {"-7 % 3",            "-1"},
        {"1 || 0 && 0",       "1" },
        {"-1 > 0U",           "1" },
        {"0 ? 1 : 1 ? 2 : 3", "2" },
        {"- - 4",             "4" },
        {"1 < 2 == 1",        "1" },
    };
    for (size_t i = 0; i < sizeof EQUAL / sizeof EQUAL[0]; i++) {
        struct compiled one, other;
        const struct image *x = storing(EQUAL[i][0], &one), *y = storing(EQUAL[i][1], &other);
        if (x->code_words != y->code_words || memcmp(x->code, y->code, 4 * x->code_words) != 0)
            fail_msg("%s is not %s", EQUAL[i][0], EQUAL[i][1]);
        compiled_release(&one);
        compiled_release(&other);
    }
}

static void test_lines(void **state) {
    unsigned line = 0;
    (void)state;
    struct compiled program =
        expect_good(HEAD ".file 1 \"/src/a.cl\"\n.entry k(.param .u32 to) {\n.reg .u32 a;\n.loc 1 12 1\n"
                         "ld.param.u32 a, [to];\n.loc 1 13 5\nst.global.u32 [a], 7;\nret;\n}");
    const struct image *img = program.kernels[0].image;
    assert_int_equal(img->file_count, 1);
    assert_string_equal(image_find_line(img, 0, &line), "/src/a.cl");
    assert_int_equal(line, 12);
    image_find_line(img, 8, &line);
    assert_int_equal(line, 13);
    assert_non_null(strstr(program.listing, "// /src/a.cl:13"));
    compiled_release(&program);
}

/* The listing assembles to the same words, memory, signatures and variables. */
static void test_listing(void **state) {
    (void)state;
    struct compiled program =
        expect_good(HEAD ".global .u16 a[3] = {1, 2, 3};\n.const .f32 c = 2.0;\n"
                         ".entry _Z3onePi(.param .u32 .ptr .global .align 4 p) {\n.reg .u32 r;\nld.param.u32 r, [p];\n"
                         "st.global.u32 [r], 7;\nret;\n}\n.entry two() .reqntid 8, 4, 1 { ret; }");
    for (size_t i = 0; i < 2; i++) {
        const struct image_choice choice = {.number = i + 1};
        const struct image *x = program.kernels[i].image;
        struct image *y;
        struct diag d = {0};
        char *text = strndup(program.listing, program.listing_size);
        if (image_read("k.sass", text, program.listing_size, &choice, &y, &d) != STATUS_OK) fail_msg("%s", d.text);
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->code_words, y->code_words);
        assert_memory_equal(x->code, y->code, 4 * x->code_words);
        assert_true(y->has_signature);
        assert_int_equal(y->signature_count, 1 - i);
        assert_int_equal(y->variable_count, 2);
        assert_memory_equal(x->block, y->block, sizeof x->block);
        assert_memory_equal(y->global[0].bytes, "\1\0\2\0\3\0", 4);
        assert_memory_equal(y->bank[0].bytes, "\0\0\0\x40", 4);
        image_destroy(y);
        free(text);
    }
    compiled_release(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_texts),
        cmocka_unit_test(test_what_cannot_be),
        cmocka_unit_test(test_what_is_too_large),
        cmocka_unit_test(test_places_of_a_source),
        cmocka_unit_test(test_signature),
        cmocka_unit_test(test_buffers_are_found),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_constants_whose_address_is_in_memory),
        cmocka_unit_test(test_constant_expressions),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_listing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
