/* SPDX-License-Identifier: Apache-2.0 */
/* Files as users have them: with characters of editors and web pages, for other instruction sets, for several, with
 * unknown texts, and memories as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../base/characters.h"
#include "../image_load.h"
#include "../listing/listing.h"
#include "../listing/word_text.h"

static enum status load(const char *path, const char *text, size_t size, const char *kernel, struct image **img,
                        struct diag *d) {
    const struct image_choice choice = {.kernel = kernel, .variables = IMAGE_VARIABLES, .by_words = true};
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    copy[size] = '\0';
    *d = (struct diag){0};
    const enum status status = image_read(path, copy, size, &choice, img, d);
    free(copy);
    return status;
}

static void expect_error(const char *path, const char *text, size_t size, unsigned line, unsigned column,
                         const char *message) {
    struct image *img = NULL;
    struct diag d;
    assert_int_equal(load(path, text, size, NULL, &img, &d), STATUS_BAD_INPUT);
    if (d.line != line || d.column != column || strstr(d.text, message) == NULL)
        fail_msg("%u:%u: '%s'; expected %u:%u: '%s'", d.line, d.column, d.text, line, column, message);
}

#define EXPECT_ERROR(path, text, line, column, message) \
    expect_error(path, text, sizeof(text) - 1, line, column, message)

static void test_unfriendly_characters_are_named(void **state) {
    (void)state;
    EXPECT_ERROR("a.sass", "\xef\xbb\xbfMVI R1, 0x1\nRET\n", 1, 1, "a byte order mark (U+FEFF)");
    EXPECT_ERROR("a.sass", "\xef\xbb\xbf.block 1\nRET\n", 1, 1, "a byte order mark (U+FEFF)");
    EXPECT_ERROR("a.sass", "RET\n MVI\xc2\xa0R1, 0x1\n", 2, 5, "a no-break space (U+00A0): write a space");
    EXPECT_ERROR("a.sass",
                 "MVI R1, \xe2\x80\x9c"
                 "1\n",
                 1, 9, "a curly quote (U+201C): write \"");
    EXPECT_ERROR("a.sass", ".include \x93x.inc\x94\n", 1, 10, "a curly quote (U+201C): write \"");
    EXPECT_ERROR("a.sass",
                 "MVI R1, \xe2\x88\x92"
                 "1\n",
                 1, 9, "a minus of typesetting (U+2212): write -");
    EXPECT_ERROR("a.sass", "MVI R1, \xe4\xb8\x80\n", 1, 9, "none of ASCII (U+4E00)");
    EXPECT_ERROR("a.hex", "0x10004204\n10004204\xc2\xa0\n", 2, 9, "a no-break space (U+00A0)");
    EXPECT_ERROR("a.hex",
                 "\xef\xbb\xbf"
                 "10004204\n",
                 1, 1, "a byte order mark (U+FEFF)");
    EXPECT_ERROR("a.mif", "WIDTH=32;\nDEPTH\xc2\xa0= 2;\n", 2, 6, "a no-break space (U+00A0)");
    EXPECT_ERROR("a.sass", "\xff\xfeR\0E\0T\0\n\0", 1, 1, "UTF-16");
    EXPECT_ERROR("a.sass", "\xfe\xff\0R\0E\0T\0\n", 1, 1, "UTF-16");
    EXPECT_ERROR("a.sass", "R\0E\0T\0\n\0", 1, 1, "UTF-16");
    EXPECT_ERROR("a.sass", "R\0ET", 0, 0, "is neither an image nor a text");
    EXPECT_ERROR("a.cubin", "code {\n name =\xc2\xa0k\n reg = x\n}\n", 2, 8, "a no-break space");
    struct image *img = NULL;
    struct diag d;
    static const char COMMENT[] = "RET // \xe2\x80\x9cthe\xc2\xa0"
                                  "end\xe2\x80\x9d\n";
    assert_int_equal(load("a.sass", COMMENT, sizeof COMMENT - 1, NULL, &img, &d), STATUS_OK);
    image_destroy(img);
}

static void test_unfriendly_instruction_sets_come_first(void **state) {
    (void)state;
    EXPECT_ERROR("a.sass", "\tcode for sm_20\n\t\tFunction : k\n\t/*0000*/ MOV R1, c[0x1][0x100];\n", 1, 2,
                 "code for sm_20: of another instruction set");
    EXPECT_ERROR("a.sass", "Fatbin elf code:\n====\narch = sm_30\n\tcode for sm_30\n\t\tFunction : k\n FROB;\n", 4, 2,
                 "code for sm_30: of another instruction set");
}

static const char FAT[] = "\tcode for sm_10\n\t\tFunction : k\n\t/*0000*/ /*0x3000000300000780*/ RET;\n"
                          "\tcode for sm_13\n\t\tFunction : k\n\t/*0000*/ /*0xf0000001e0000000*/ NOP;\n"
                          "\t\tFunction : j\n\t/*0000*/ /*0x3000000300000780*/ RET;\n"
                          "\tcode for sm_20\n\t\tFunction : m\n\t/*0000*/ MOV R1, c [0x1] [0x100];\n";

static void test_unfriendly_fat_listings_offer_kernels(void **state) {
    struct image *img = NULL;
    struct diag d;
    (void)state;
    EXPECT_ERROR("a.sass", FAT, 5, 3, "several kernels (sm_10: k; sm_13: k, j); choose one with --kernel");
    assert_int_equal(load("a.sass", FAT, sizeof FAT - 1, "k", &img, &d), STATUS_BAD_INPUT);
    assert_non_null(strstr(d.text, "'k' is for several architectures (sm_10: k; sm_13: k, j)"));
    assert_int_equal(load("a.sass", FAT, sizeof FAT - 1, "m", &img, &d), STATUS_BAD_INPUT);
    assert_non_null(strstr(d.text, "there is no kernel 'm'; the file has sm_10: k; sm_13: k, j"));
    assert_int_equal(load("a.sass", FAT, sizeof FAT - 1, "sm_13:k", &img, &d), STATUS_OK);
    assert_int_equal(img->arch, 13);
    assert_int_equal(img->code[0], 0xf0000001);
    image_destroy(img);
    assert_int_equal(load("a.sass", FAT, sizeof FAT - 1, "j", &img, &d), STATUS_OK);
    image_destroy(img);
}

/* The text of a file's listing. */
static char *list(const char *path, const char *text) {
    struct image *img = NULL;
    struct diag d;
    char *listing = NULL;
    size_t size;
    if (load(path, text, strlen(text), NULL, &img, &d) != STATUS_OK) fail_msg("%u:%u: %s", d.line, d.column, d.text);
    FILE *out = open_memstream(&listing, &size);
    assert_non_null(out);
    assert_int_equal(listing_print(img, ISA_DIALECT_3, out), STATUS_OK);
    fclose(out);
    image_destroy(img);
    return listing;
}

static void test_unfriendly_text_beside_known_words(void **state) {
    (void)state;
    char *listing = list("a.sass", "/*0000*/ /*0x10008204*/ MOVE32 R1, R1;\n/*0004*/ /*0x10008408*/ WHAT;\n"
                                   "/*0008*/ /*0x3000000300000780*/ EXIT.UNTIL R3;\n");
    assert_non_null(strstr(listing, "\t// 0x0: 'MOVE32 R1, R1' is unknown; its words are taken\n"));
    assert_non_null(strstr(listing, "/*0000*/     /*0x10008204*/ \tMOV32 R1, R1;\n"));
    assert_non_null(strstr(listing, "/*0004*/     /*0x10008408*/ \tMOV32 R2, R2;\n"));
    assert_non_null(strstr(listing, "/*0008*/     /*0x3000000300000780*/ \tRET;\n"));
    free(listing);
    EXPECT_ERROR("a.sass", "/*0000*/ /*0xd0000000*/ WHAT;\n", 1, 25, "unknown instruction 'WHAT'");
    EXPECT_ERROR("a.sass", "WHAT;\n", 1, 1, "unknown instruction 'WHAT'");
}

static void test_unfriendly_long_instruction_at_an_odd_word(void **state) {
    (void)state;
    char *listing = list("a.txt", "10008204\nd00e0005 a0c00781\n10008204\n");
    assert_non_null(strstr(listing, "/*0004*/     /*0xd00e0005a0c00781*/ \tGST.U32 global14 [R0], R1;"
                                    "  // not on an 8-byte boundary: traps\n\t/*000c*/"));
    free(listing);
}

static void expect_code(const char *path, const char *text, size_t size) {
    static const uint32_t CODE[] = {0xd00e0005, 0xa0c00780, 0x30000003, 0x00000780};
    struct image *img = NULL;
    struct diag d;
    if (load(path, text, size, NULL, &img, &d) != STATUS_OK) fail_msg("%s:%u: %s", path, d.line, d.text);
    assert_int_equal(img->code_words, 4);
    assert_memory_equal(img->code, CODE, sizeof CODE);
    assert_string_equal(img->name, "kernel");
    image_destroy(img);
    assert_int_equal(load(path, text, size, "other", &img, &d), STATUS_BAD_INPUT);
    assert_non_null(strstr(d.text, "there is no kernel 'other'"));
}

#define EXPECT_CODE(path, text) expect_code(path, text, sizeof(text) - 1)

static void test_unfriendly_memories(void **state) {
    (void)state;
    EXPECT_CODE("k.mif", "WIDTH=32; DEPTH=4; CONTENT BEGIN\n0 : d00e0005 a0c00780; -- x\n2:30000003; 3:780; END;\n");
    EXPECT_CODE("k.mif", "WIDTH=64; DEPTH=2; CONTENT BEGIN 0 : d00e0005a0c00780; 1 : 3000000300000780; END;");
    EXPECT_CODE("k.MIF", "WIDTH=64; DEPTH=2; CONTENT BEGIN 0 : a0c00780d00e0005; 1 : 0000078030000003; END;");
    EXPECT_CODE("k.mif", "WIDTH=8; DEPTH=16; CONTENT BEGIN 0 : 5 0 e d0 80 7 c0 a0 3 0 0 30 80 7 0 0; END;");
    EXPECT_CODE("k.coe", "; a comment; more\nmemory_initialization_radix = 16;\n"
                         "memory_initialization_vector =\nd00e0005, a0c00780\n30000003,00000780;\n");
    EXPECT_CODE("k.coe", "MEMORY_INITIALIZATION_RADIX=10;\nmemory_initialization_vector=3490578437,2696939392,"
                         "805306371,1920;");
    EXPECT_CODE("k.coe", "memory_initialization_radix=2; memory_initialization_vector="
                         "11010000000011100000000000000101,10100000110000000000011110000000,"
                         "00110000000000000000000000000011,00000000000000000000011110000000;");
    EXPECT_CODE("k.mem", "// for $readmemh\n@0 d00e_0005 /* two\nlines *//* more */ a0c00780\n@2\n30000003 00000780\n");
    EXPECT_CODE("k.vmem", "a0c00780d00e0005 0000078030000003\n");
    EXPECT_CODE("k.bin", "\x05\x00\x0e\xd0\x80\x07\xc0\xa0\x03\x00\x00\x30\x80\x07\x00\x00");
    EXPECT_ERROR("k.bin", "\x05\x00\x0e", 0, 0, "3 bytes are no whole number of 32-bit words");
    EXPECT_ERROR("k.coe", "memory_initialization_radix=8;", 1, 0, "(2, 10 or 16)");
    EXPECT_ERROR("k.coe", "memory_initialization_radix=16;\nvector=1;", 2, 0, "expected 'memory_initialization_vector");
    EXPECT_ERROR("k.coe", "memory_initialization_radix=2;\nmemory_initialization_vector=\n12;", 3, 0, "in the radix");
    EXPECT_ERROR("k.mem", "\n@x", 2, 0, "expected an address behind @");
    EXPECT_ERROR("k.mem", "00000000\n12345678123456781\n", 2, 0, "words of up to 64 bits");
    EXPECT_ERROR("k.mem", "@ffffffff 00000000\n", 0, 0, "more than 16777216 bytes");
}

/* The result for words, with its note. */
static void expect_words(const char *text, const char *expected, const char *expected_note) {
    char note[WORD_TEXT_NOTE], *plain = word_text_plain(text, strlen(text), note);
    char words[256] = "", *save = NULL;
    assert_non_null(plain);
    for (char *w = strtok_r(plain, " \t\n", &save); w != NULL; w = strtok_r(NULL, " \t\n", &save))
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", words[0] != '\0' ? " " : "", w);
    if (strcmp(words, expected) != 0 || strcmp(note, expected_note) != 0)
        fail_msg("%s: '%s', '%s'; expected '%s', '%s'", text, words, note, expected, expected_note);
    free(plain);
}

static void test_unfriendly_words(void **state) {
    static const char BYTES[] = "taken as bytes, four a word, the first the least significant";
    (void)state;
    expect_words("0x10008204;\n0xf0000001ULL, 10004205u\n", "0x10008204 0xf0000001 10004205", "");
    expect_words("/*0000*/ 0x10008204; /*0004*/ /* 0xf0000001e0000001 */ // 1 # 2\n", "0x10008204 0xf0000001e0000001",
                 "");
    expect_words("uint32_t code[] = {", "uint32_t code =", "");
    expect_words("0008: 10008204\n", "10008204", "");
    expect_words("0008 10008204\n", "10008204", "line 1: '0008' is taken as an address");
    expect_words("10008204\n8204\n", "10008204 8204", "line 2: '8204' has 4 digits: taken as 0x00008204");
    expect_words("x\"30000003\", x\"00000780\" -- RET\n", "30000003 00000780", "");
    expect_words("05 00 0e d0 80 07 c0 a0\n", "d00e0005 a0c00780", BYTES);
    expect_words("0x05, 0x00, 0x0e, 0xd0,\n", "d00e0005", BYTES);
    expect_words("00000000  05 00 0e d0 80 07 c0 a0  |........|\n00000008\n", "d00e0005 a0c00780", BYTES);
    expect_words("0000000 05 00 0e d0\n0000004\n", "d00e0005", BYTES);
    expect_words("0000000 d00e0005 a0c00780\n0000010\n", "d00e0005 a0c00780", "");
    expect_words("0000000 0005 d00e 0780 a0c0\n*\n0000020 0003\n", "d00e0005 a0c00780",
                 "taken as numbers of 16 bits, two a word, the first the least significant; 2 at the end make no word; "
                 "line 2, *, leaves lines out: dump with -v");
    expect_words("0000000 0005 d00e 0780 a0c0\n0000008\n", "d00e0005 a0c00780",
                 "taken as numbers of 16 bits, two a word, the first the least significant");
    expect_words("00000000: 0500 0ed0 8007 c0a0                      ........\n", "d00e0005 a0c00780", BYTES);
    expect_words("05000ed08007c0a003000030800700\n", "d00e0005 a0c00780 30000003",
                 "taken as bytes, four a word, the first the least significant; 3 at the end make no word");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unfriendly_characters_are_named),
        cmocka_unit_test(test_unfriendly_instruction_sets_come_first),
        cmocka_unit_test(test_unfriendly_fat_listings_offer_kernels),
        cmocka_unit_test(test_unfriendly_text_beside_known_words),
        cmocka_unit_test(test_unfriendly_long_instruction_at_an_odd_word),
        cmocka_unit_test(test_unfriendly_memories),
        cmocka_unit_test(test_unfriendly_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
