/* SPDX-License-Identifier: Apache-2.0 */
/* Listings with words and no text: the accepted lines, the order of 64-bit words, and that a kernel without its text is
 * the same kernel. */
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
    struct bare_words words;
    struct diag d = {0};
    if (bare_words_fill(path, text, strlen(text), &words, &d) != STATUS_OK) fail_msg("%s: %s", text, d.text);
    if (expected == NULL)
        assert_null(words.text);
    else if (words.text == NULL)
        fail_msg("nothing taken of: %s", text);
    else
        assert_string_equal(words.text, expected);
    free(words.text);
}

static void refuse_as(const char *path, const char *text, unsigned line, unsigned column, const char *why) {
    struct bare_words words;
    struct diag d = {0};
    assert_int_equal(bare_words_fill(path, text, strlen(text), &words, &d), STATUS_BAD_INPUT);
    assert_null(words.text);
    if (strstr(d.text, why) == NULL) fail_msg("%s: %s", text, d.text);
    assert_int_equal(d.line, line);
    assert_int_equal(d.column, column);
}

static void expect(const char *text, const char *expected) { expect_as("a.txt", text, expected); }

/* The code of a text, as one line of words. */
static void expect_code(const char *text, const char *expected) {
    const struct image_choice choice = {.variables = IMAGE_VARIABLES};
    struct image *img = NULL;
    struct diag d = {0};
    char *copy = strdup(text), found[400] = "";
    assert_non_null(copy);
    if (image_read("a.txt", copy, strlen(copy), &choice, &img, &d) != STATUS_OK)
        fail_msg("%s: %u: %s", text, d.line, d.text);
    for (size_t i = 0; i < img->code_words; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%08x", i > 0 ? " " : "", img->code[i]);
    assert_string_equal(found, expected);
    image_destroy(img);
    free(copy);
}

/* Words in comments, beside texts and alone. IADD R1, R0, R1 is 20000005 04004780. */
static void test_bare_words_of_listings(void **state) {
    (void)state;
    expect("/*0000*/ /*0x0023c78010004205*/ ;\n", NULL);
    expect_code("\t/*0000*/     /*0x0023c78010004205*/ \t;\n", "10004205 0023c780");
    expect_code("/*0000*/ /*0x100042050023c780*/\n", "10004205 0023c780");
    expect_code("/*0008*/ ; /* 0x0023c78010004205 */\n", "10004205 0023c780");
    expect_code("/*0008*/ /*0023c78010004205*/ ; /* MOV */\n", "10004205 0023c780");
    expect_code("/*0008*/ /*0X0023C78010004205*/ ;\n", "10004205 0023c780");
    expect_code("NOP; /*10004205*/ /*0023c78010004205*/\n/* 20180405 */\n", "f0000001 e0000001");
    expect_code("k: /*0008*/ /*0x10004204*/ ; // half\r\n", "10004204");
    expect_code("NOP\n/*0008*/ /*0x10004204*/\nNOP", "f0000001 e0000000 10004204 f0000001 e0000000");
    expect_code("NOP\n/*0x10004205*/\n/* 0x0023c78010004205 */\n", "f0000001 e0000001");
    expect_code("/*0000*/ /*0x20000005*/\n         /*0x04004780*/\n/*0008*/ /*0x10004204*/\n",
                "20000005 04004780 10004204");
    expect_code("/*0000*/ IADD R1, R0, R1; /* 0x0400478020000005 */\n/*0008*/ ; /* 0x0400478020000005 */\n"
                "/* 0x0400478020000005 */\n/*0018*/ /* 0x0400478120000005 */\n",
                "20000005 04004780 20000005 04004780 20000005 04004780 20000005 04004781");
}

static void refuse_listing(const char *listing, unsigned line, unsigned column, const char *message) {
    const struct image_choice choice = {.variables = IMAGE_VARIABLES};
    struct image *img = NULL;
    struct diag d = {0};
    char *text = strdup(listing);
    assert_non_null(text);
    assert_int_equal(image_read("a.txt", text, strlen(text), &choice, &img, &d), STATUS_BAD_INPUT);
    free(text);
    if (d.line != line || d.column != column || strstr(d.text, message) == NULL)
        fail_msg("%u:%u: '%s'; expected %u:%u: '%s'", d.line, d.column, d.text, line, column, message);
}

static void test_bare_words_refuses_a_word_of_a_listing(void **state) {
    (void)state;
    refuse_listing("NOP;\n/*0008*/ /*0x023c78010004205*/ ;\nNOP;\n", 2, 10, "8 or 16 digits");
    refuse_listing("/*0000*/ NOP; /*0xe0000001f0000001*/\n/*0008*/ /*0x1000420g*/ ;\n", 2, 1, "an address without");
    refuse_listing("/*0000*/ NOP; /*0xe0000001f0000001*/\n/*0008*/ ;\n", 2, 1, "an address without");
}

/* Two words of 32 bits in one comment equal one of 64 bits. */
static void test_bare_words_of_two_in_a_comment(void **state) {
    (void)state;
    expect_code("NOP;\n/*0008*/ /*0x10004205 0x0023c780*/ ;\n", "f0000001 e0000000 10004205 0023c780");
    expect_code("/*0000*/ /* 0xd00e0005, 0xa0c00781 */ ;\n", "d00e0005 a0c00781");
    expect_code("/*0000*/ /*a0c00781 d00e0005*/ ;\n", "d00e0005 a0c00781");
    expect_code("/*0000*/ /*a0c00781d00e0005*/ ;\n", "d00e0005 a0c00781");
    expect_code("/*0000*/ /*d00e0005a0c00781*/ ;\n", "d00e0005 a0c00781");
    expect_code("/*0000*/ F2F.F32.F32 R1, R2; /*0xc4004780 0xa0000405*/\n/*0008*/ /*0x30000003 10000003*/\n",
                "a0000405 c4004780 10000003 30000003");
}

/* Lines with both decide where neither a text nor the other words do: a0c00781 d00e0005, low word first, is an F2F, and
 * so would the last line be. */
static void test_bare_words_take_the_order_of_texts(void **state) {
    (void)state;
    expect_code("/*0000*/ /*0xa0c00781d00e0005*/ ;\n", "d00e0005 a0c00781");
    expect_code("/*0000*/ /*0xd00e0005a0c00781*/ ;\n", "d00e0005 a0c00781");
    expect_code("/*0000*/ F2F.F32.F32 R1, R2; /*0xc4004780a0000405*/\n/*0008*/ /*0x3000000310000003*/\n",
                "a0000405 c4004780 10000003 30000003");
    expect_code("/*0000*/ /*0xa0000405c4004780*/ F2F.F32.F32 R1, R2;\n/*0008*/ /*0x3000000310000003*/\n",
                "a0000405 c4004780 30000003 10000003");
    expect_code("/*0000*/ /*0xa0000405c4004780*/ F2F.F32.F32 R1, R2;\n0008: 3000000310000003\n",
                "a0000405 c4004780 30000003 10000003");
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

/* The values of a statement that began earlier are no words. */
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
                                  "  x\"3000000300000780\");\n"
                                  "constant NONE : std_logic_vector(7 downto 0) := x\"00\";\n";
    expect_as("TP_instructions.vhd", PACKAGE, "\n\n.word 0x10004205, 0x0023c780\n.word 0x30000003, 0x00000780\n\n");
    expect("  0 => x\"10004205\",\n", ".word 0x10004205\n");
    expect_as("a.vhd", "x\"10004205\",\nx\"0023c780\"\n", ".word 0x10004205\n.word 0x0023c780\n");
}

/* Other ways to write a literal. */
static void test_bare_words_of_any_literal(void **state) {
    (void)state;
    static const char WORD[] = ".word 0x10004205\n";
    expect_as("a.vhd", "when 0 => instruction_out <= X\"1000_4205\"; -- MOV x\"1\"\n", WORD);
    expect_as("a.vhd", "when 0 => o <= \"00010000000000000100001000000101\";\n", WORD);
    expect_as("a.vhd", "(0 => b\"0001_0000_0000_0000_0100_0010_0000_0101\",\n", WORD);
    expect_as("a.vhd", "(X\"1000\" & X\"4205\", others => x\"00000000\");\n", WORD);
    expect_as("a.VHD", "(X\"1000\" &\n \"01000010\" & x\"05\");\n", ".word 0x10004205\n\n");
    expect_as("a.vhd", "0 => 32X\"1000_4205\",\n", WORD);
    expect_as("a.vhd", "0 => 32ux\"10004205\", 1 => 32sx\"84\",\n", ".word 0x10004205, 0xffffff84\n");
    expect_as("a.vhd", "(0 => x\"10004205\", 1 => 16#0023_c780#);\n", ".word 0x10004205, 0x0023c780\n");
    expect_as("a.vhd", "when x\"00000003\" => o <= x\"10004205\";\nwhen others => o <= x\"00000000\";\n",
              ".word 0x10004205\n\n");
    expect_as("a.vhd", "report \"x\" & c; q <= '\"'; load(0, x\"10004205\");\nwhen 3 => en <= \"01\"; -- no\n",
              ".word 0x10004205\n\n");
    expect_as("a.vhd", "when x\"00000003\" | x\"00000004\" => o <= x\"10004205\";\nif a = x\"00000000\" then\n",
              ".word 0x10004205\n\n");
    expect_as("a.vhd", "return x\"10004205\" when a = x\"00000000\" else x\"0023c780\";\n",
              ".word 0x10004205, 0x0023c780\n");
    expect_as("a.vhd", "(0 => 32d\"268_452_357\", 1 => to_slv(signed(x\"0023c780\"), 4));\n",
              ".word 0x10004205, 0x0023c780\n");
    expect_as("a.vhd", "when 0 => rom(3) <= x\"10004205\" after 1 ns; when 1 => load(2);\n", WORD);
    expect_as("a.vhd", "(2 * K => x\"10004205\", f(1) => x\"0023c780\");\n", ".word 0x10004205, 0x0023c780\n");
    expect("rom(3) <= x\"10004205\";\n", WORD);
    expect("  0 => X\"1000_4205\",\n", WORD);
    expect("  when 0 => o <= X\"1000\" & X\"4205\";\n", WORD);
    expect(".global 0 = @\"x\"\n.headerflags @\"EF\" // x\"12\"\n", NULL);
}

/* A value that is no word would shift the code. */
static void test_bare_words_refuses_literals(void **state) {
    (void)state;
    refuse_as("a.vhd", "\nwhen 0 => o <= X\"1000420\";\n", 2, 16, "28 bits");
    refuse_as("a.vhd", "(X\"1000420\", X\"0023c780\")", 1, 2, "28 bits");
    refuse_as("a.vhd", "(X\"10004205\",\n  \"0001000000000000010000100000010\")", 2, 3, "31 bits");
    refuse_as("a.vhd", "  0 => x\"1000420g\",", 1, 8, "a digit");
    refuse_as("a.vhd", "  0 => x\"10004205,", 1, 8, "quote");
    refuse_as("a.vhd", "  0 => x\"ZZZZZZZZ\",", 1, 8, "no bits");
    refuse_as("a.vhd", "(0 => x\"10004205\", 1 => NOP)", 1, 25, "not a literal");
    refuse_as("a.vhd", "when 0 => o <= x\"10004205\";\nwhen 1 => o <= NOP;\n", 2, 16, "not a literal");
    refuse_as("a.vhd", "when 0 => o <= x\"1000\" & NOP;\n", 1, 16, "joined");
    refuse_as("a.vhd", "(0 => X\"10004205\", 1 => NOP & X\"0000\")", 1, 25, "joined");
    refuse_as("a.vhd", "(0 => X\"10004205\", 1 => 268452357)", 1, 25, "not a literal");
    refuse_as("a.vhd", "(0 => X\"10004205\", 1 => 31d\"268452357\")", 1, 25, "31 bits");
    refuse_as("a.vhd", "(0 => X\"10004205\", 1 => slv(to_unsigned(268452357, 32)))", 1, 25, "not a literal");
    refuse_as("a.vhd", "(X\"10004205\", slv(NOP), X\"0023c780\")", 1, 15, "not a literal");
    refuse_as("a.vhd", "when 0 => o <= x\"10004205\";\nwhen 1 => o <= nop(3);\n", 2, 16, "not a literal");
    refuse_as("a.vhd", "(0 => X\"10004205\" or X\"00000001\")", 1, 7, "expression");
    refuse_as("a.vhd", "(0 => X\"10004205\", 1 => not X\"0023c780\")", 1, 25, "expression");
    refuse_as("a.vhd", "(0 => X\"10004205\", 1 => 16#23c780# + 1)", 1, 25, "expression");
    refuse_as("a.txt", "  0 => x\"10004205\", 1 => slv(5),\n", 1, 26, "not a literal");
    refuse_as("a.txt", "NOP\n  x\"1000420\",\n", 2, 3, "28 bits");
    refuse_as("a.txt", "NOP\n  s <= x\"1000\";\n", 2, 8, "16 bits");
    refuse_as("a.txt", "NOP\n  when x\"00\" => null;\n", 2, 3, "no instruction word");
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
        cmocka_unit_test(test_bare_words_of_listings),
        cmocka_unit_test(test_bare_words_of_plain_lines),
        cmocka_unit_test(test_bare_words_refuses_a_word_of_a_listing),
        cmocka_unit_test(test_bare_words_of_two_in_a_comment),
        cmocka_unit_test(test_bare_words_take_the_order_of_texts),
        cmocka_unit_test(test_bare_words_of_any_literal),
        cmocka_unit_test(test_bare_words_refuses_literals),
        cmocka_unit_test(test_bare_words_leaves_statements),
        cmocka_unit_test(test_bare_words_of_vhdl),
        cmocka_unit_test(test_bare_words_are_the_same_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
