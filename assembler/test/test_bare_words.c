/* SPDX-License-Identifier: Apache-2.0 */
/* Listings with words and no text: which lines are taken, in which order the words of 64 bits are, and that a kernel
 * without its text is the same kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../image_load.h"
#include "../source/bare_words.h"

static void expect_as(const char *path, const char *text, const char *expected) {
    char *filled = NULL;
    assert_int_equal(bare_words_fill(path, text, strlen(text), &filled), STATUS_OK);
    if (expected == NULL)
        assert_null(filled);
    else if (filled == NULL)
        fail_msg("nothing taken of: %s", text);
    else
        assert_string_equal(filled, expected);
    free(filled);
}

static void expect(const char *text, const char *expected) { expect_as("a.txt", text, expected); }

static void test_bare_words_of_listings(void **state) {
    (void)state;
    expect("\t/*0000*/     /*0x0023c78010004205*/ \t;\n", ".word 0x10004205, 0x0023c780\n");
    expect("/*0000*/ /*0x100042050023c780*/\n", ".word 0x10004205, 0x0023c780\n");
    expect("/*0008*/ /*0x10004204*/ ; // half\r\n", ".word 0x10004204\n");
    expect("a\n/*0008*/ /*0x10004204*/\nb", "a\n.word 0x10004204\nb\n");
    expect("/*0000*/ /*0x100042050023c780*/ MOV.U16 R0H, g [0x1].U16;\n", NULL);
    expect("/*10004205*/\n", NULL);
    expect("/*0000*/ /*0x100042*/\n", NULL);
}

static void test_bare_words_of_plain_lines(void **state) {
    (void)state;
    expect("0x0023c78010004205\n", ".word 0x10004205, 0x0023c780\n");
    expect("10004205 0023c780\n", ".word 0x10004205, 0x0023c780\n");
    expect("0008: 0x10004205 0x0023c780 ; MOV\n", NULL);
    expect("0008: 0x10004205 0x0023c780 # MOV\n", ".word 0x10004205, 0x0023c780\n");
    expect("10004204\n30000003\n", ".word 0x10004204\n.word 0x30000003\n");
    expect("10004205 0023c780 10004205\n", NULL);
    expect("10004205 0023c78\n", NULL);
    expect("10004205xy\n", NULL);
    expect("label: IADD R1, R2, R3\n", NULL);
}

/* Values of a statement that has begun before are none. */
static void test_bare_words_leaves_statements(void **state) {
    (void)state;
    expect(".global 0 = 0x11223344,\n    0x55667788\n", NULL);
    expect(".global 0 = 0x11223344, // more\n    0x55667788, /* and */ /* more */\n0x55667788\n", NULL);
    expect(".global 0 = 0x11223344\n    0x55667788\n", ".global 0 = 0x11223344\n.word 0x55667788\n");
}

static void test_bare_words_of_vhdl(void **state) {
    (void)state;
    static const char PACKAGE[] = "library ieee;\n"
                                  "constant CODE : code_t := (\n"
                                  "  0 => x\"10004205\", 1 => X\"0023c780\", -- MOV x\"00000000\"\n"
                                  "  x\"3000000300000780\",\n"
                                  "  x\"00\");\n";
    expect_as("TP_instructions.vhd", PACKAGE, "\n\n.word 0x10004205, 0x0023c780\n.word 0x30000003, 0x00000780\n\n");
    expect("  0 => x\"10004205\",\n", ".word 0x10004205\n");
    expect_as("a.vhd", "x\"10004205\",\nx\"0023c780\"\n", ".word 0x10004205\n.word 0x0023c780\n");
}

/* One listing with its text and one without it. */
static void test_bare_words_are_the_same_kernel(void **state) {
    (void)state;
    static char with[] = ".kernel k\n.grid 2\n/*0000*/ /*0x0400878020000211*/ IADD R4, R1, R2;\n"
                         "/*0008*/ /*0xf0000001*/ ;\n/*000c*/ /*0x10004204*/ ;\n"
                         "/*0010*/ /*0x0000078030000003*/ RET;\n";
    static char without[] = ".kernel k\n.grid 2\n/*0000*/ /*0x0400878020000211*/ ;\n"
                            "/*0008*/ /*0xf0000001*/ ;\n/*000c*/ /*0x10004204*/ ;\n"
                            "/*0010*/ /*0x0000078030000003*/ ;\n";
    const struct image_choice choice = {.variables = IMAGE_VARIABLES};
    struct image *a = NULL, *b = NULL;
    struct diag d = {0};
    if (image_read("a.txt", with, strlen(with), &choice, &a, &d) != STATUS_OK) fail_msg("%u: %s", d.line, d.text);
    if (image_read("b.txt", without, strlen(without), &choice, &b, &d) != STATUS_OK) fail_msg("%u: %s", d.line, d.text);
    assert_int_equal(a->code_words, 6);
    assert_int_equal(b->code_words, 6);
    assert_memory_equal(a->code, b->code, 6 * sizeof *a->code);
    assert_int_equal(b->code[0], 0x20000211);
    assert_int_equal(b->code[5], 0x00000780);
    assert_int_equal(b->grid[0], 2);
    image_destroy(a);
    image_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bare_words_of_listings),         cmocka_unit_test(test_bare_words_of_plain_lines),
        cmocka_unit_test(test_bare_words_leaves_statements),   cmocka_unit_test(test_bare_words_of_vhdl),
        cmocka_unit_test(test_bare_words_are_the_same_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
