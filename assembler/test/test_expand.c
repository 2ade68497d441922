/* SPDX-License-Identifier: Apache-2.0 */
/* .include, .macro and .rept: their expansions, and the reported origins. diag/ has the errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../image_load.h"
#include "support.h"

/* Assembles both; they must give the same words. */
static void expect_same(const char *text, const char *plain) {
    struct assembly a, b;
    assemble_good(text, &a);
    assemble_good(plain, &b);
    assert_int_equal(a.image->code_words, b.image->code_words);
    for (size_t i = 0; i < a.image->code_words; i++)
        if (a.image->code[i] != b.image->code[i])
            fail_msg("word %zu of\n%s\nis %08x, not %08x", i, text, a.image->code[i], b.image->code[i]);
    assembly_release(&a);
    assembly_release(&b);
}

static void test_expand_macro_arguments(void **state) {
    (void)state;
    expect_same(".macro add d, a=R2, b = c [0x1] [0x2]\nIADD \\d, \\a, \\b\n.endm\n"
                "add R1\nadd R3, R4\nadd R5, , R6\nadd b=R7, d=R8\nadd R9, R1, -R2;  NOP; add R1 ;",
                "IADD R1, R2, c [0x1] [0x2]; IADD R3, R4, c [0x1] [0x2]\nIADD R5, R2, R6; IADD R8, R2, R7\n"
                "IADD R9, R1, -R2; NOP; IADD R1, R2, c [0x1] [0x2]");
    expect_same(".macro half r, part=L\nMOV.U16 R1L, \\r\\part\nMOV.U16 R1H, R\\()2\\()H\n.endm\nhalf R3\nhalf R3, H",
                "MOV.U16 R1L, R3L\nMOV.U16 R1H, R2H\nMOV.U16 R1L, R3H\nMOV.U16 R1H, R2H");
    expect_same(".macro first a, b=R3\nMOV R1, \\b\n.endm\nfirst {R4, R5}\nfirst (1, 2), R6\nfirst [1, 2], b=R7",
                "MOV R1, R3\nMOV R1, R6\nMOV R1, R7");
    expect_same(".macro both a=R2, b=R3\nIADD R1, \\a, \\b\n.endm\nboth\nboth , R4",
                "IADD R1, R2, R3\nIADD R1, R2, R4");
    expect_same(".macro list first, // a comment\n   second\nMOV R1, \\first\nMOV R1, \\second\n.endm\nlist R3,\n  R4",
                "MOV R1, R3\nMOV R1, R4");
}

static void test_expand_labels_are_unique(void **state) {
    (void)state;
    expect_same(".macro wait r\nagain\\@: IADD32I \\r, \\r, -1\nBRA C0.NE, again\\@\n.endm\nwait R1\nl: wait R2\nBRA l",
                "IADD32I R1, R1, -1\nBRA C0.NE, 0x0\nIADD32I R2, R2, -1\nBRA C0.NE, 0x10\nBRA 0x10");
}

static void test_expand_macros_in_macros(void **state) {
    (void)state;
    expect_same(".macro outer r\ninner \\r, 1\ninner \\r, 2\n.endm\n.macro inner r, n\nMVI \\r, \\n\n.endm\n"
                "outer R1; outer R2\nNOP",
                "MVI R1, 1\nMVI R1, 2\nMVI R2, 1\nMVI R2, 2\nNOP");
    expect_same(".macro m a, b\nMVI R1, (\\a\nMVI R2, \\b\n.endm\nm 1), 2\nNOP", "MVI R1, 1\nMVI R2, 2\nNOP");
    expect_same(
        ".macro define name, value\n.macro \\name r\nMVI \\r, \\value\n.endm\n.endm\ndefine one, 1\none R5\nNOP",
        "MVI R5, 1\nNOP");
}

static void test_expand_rept(void **state) {
    (void)state;
    expect_same(
        ".equ N = 1 + 1\n.rept N, i\n.rept N * 2, j\nMVI R\\j, \\i * 16 + \\j\n.endr\n.endr\n.rept 0\nMOB\n.endr\nNOP",
        "MVI R0, 0\nMVI R1, 1\nMVI R2, 2\nMVI R3, 3\nMVI R0, 16\nMVI R1, 17\nMVI R2, 18\nMVI R3, 19\nNOP");
    expect_same(".rept 1048576\n.endr\nNOP", "NOP"); /* the maximum number */
    struct diag d;
    assemble_bad(".rept 2,\n\nNOP\n.endr", &d);
    assert_string_equal(d.text, "expected ', NAME' or the end of the line");
    expect_same(".macro clear n\n.rept \\n, i\nMVI R\\i, 0\n.endr\n.endm\nclear 2\nNOP", "MVI R0, 0\nMVI R1, 0\nNOP");
}

/* Directives in comments and strings of data are no directives. */
static void test_expand_leaves_the_rest_alone(void **state) {
    (void)state;
    expect_same("// .include \"x\"\n/* .macro\n*/ NOP\n.rept 1\nNOP /* two\nlines */\n.endr", "NOP; NOP");
    expect_same("NOP", "NOP /* .rept 3 */");
}

static void write_file(const char *directory, const char *name, const char *text) {
    char path[96];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Words, data and line table of a source that includes a listing and a library from a directory beside it. */
static void test_expand_include(void **state) {
    (void)state;
    char directory[] = "/tmp/warpstep-XXXXXX", path[64], command[96];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/lib", directory);
    snprintf(command, sizeof command, "mkdir %s", path);
    assert_int_equal(system(command), 0);
    write_file(directory, "k.sass", ".include \"lib/all.inc\"\n    load R1\n    NOP\n");
    write_file(path, "all.inc", "\n.include \"load.inc\"\n.global 0 = @data.bin\n.include \"end.lst\"");
    write_file(path, "load.inc", ".macro load r\n\n    MOV \\r, R2\n.endm");
    write_file(path, "data.bin", "abc");
    write_file(path, "end.lst", "/*0000*/ MOV R3, R4; /* 0x0403c7811000080d */");
    struct image *img;
    struct diag d = {0};
    unsigned line;
    snprintf(path, sizeof path, "%s/k.sass", directory);
    enum status status = image_load(path, NULL, &img, &d);
    snprintf(command, sizeof command, "rm -r %s", directory);
    assert_int_equal(system(command), 0);
    if (status != STATUS_OK) fail_msg("%s:%u:%u: %s", d.file, d.line, d.column, d.text);
    assert_int_equal(img->code_words, 6);
    assert_int_equal(img->code[1], 0x0403c781); /* its END comes from the listing */
    assert_int_equal(img->code[5], 0xe0000000);
    assert_int_equal(img->global_count, 1);
    assert_memory_equal(img->global[0].bytes, "abc", 3);
    assert_non_null(strstr(image_find_line(img, 0, &line), "/lib/end.lst"));
    assert_int_equal(line, 1);
    assert_non_null(strstr(image_find_line(img, 8, &line), "/lib/load.inc"));
    assert_int_equal(line, 3);
    assert_string_equal(image_find_line(img, 16, &line), path);
    assert_int_equal(line, 3);
    image_destroy(img);
}

/* By way of another file, too. */
static void test_expand_includes_no_circle(void **state) {
    (void)state;
    char directory[] = "/tmp/warpstep-XXXXXX", path[64], command[96], expected[128];
    struct image *img;
    struct diag d = {0};
    assert_non_null(mkdtemp(directory));
    write_file(directory, "k.sass", ".include \"a.inc\"\nNOP\n");
    write_file(directory, "a.inc", ".include \"b.inc\"\n");
    write_file(directory, "b.inc", "NOP\n.include \"a.inc\"\n");
    snprintf(path, sizeof path, "%s/k.sass", directory);
    const enum status status = image_load(path, NULL, &img, &d);
    snprintf(command, sizeof command, "rm -r %s", directory);
    assert_int_equal(system(command), 0);
    assert_int_equal(status, STATUS_BAD_INPUT);
    snprintf(expected, sizeof expected, "%s/a.inc includes itself, included from %s/a.inc:1:1", directory, directory);
    assert_string_equal(d.text, expected);
    snprintf(expected, sizeof expected, "%s/b.inc", directory);
    assert_string_equal(d.file, expected);
    assert_int_equal(d.line, 2);
}

/* The chain of uses below a message, and in its one-line form. */
static void test_expand_messages_name_their_uses(void **state) {
    (void)state;
    const char *text = ".macro in r\nMOV \\r, R1\n.endm\n.macro out r\n  in \\r\n.endm\nNOP\n out R200\n";
    struct messages m;
    struct assembly a;
    struct diag d;
    char shown[600] = "";
    messages_init(&m, "f.sass", text, strlen(text));
    assert_int_equal(assemble_text(NULL, &a, &m), STATUS_BAD_INPUT);
    FILE *out = fmemopen(shown, sizeof shown, "w");
    messages_print(&m, out);
    fclose(out);
    assert_string_equal(shown, "f.sass:2:5: error: R200 is out of range R0..R127\n"
                               "    2 | MOV \\r, R1\n"
                               "      |     ^~~~\n"
                               "      in expansion of in at f.sass:5:3\n"
                               "      in expansion of out at f.sass:8:2\n");
    assert_int_equal(messages_first(&m, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.text, "R200 is out of range R0..R127, in expansion of in at f.sass:5:3");
    messages_release(&m);
}

/* A mistake in a macro is reported for each call, one in .rept once for all repetitions. */
static void test_expand_messages_of_each_call(void **state) {
    (void)state;
    static const char *const texts[] = {".macro m\nMOB R1, R2\n.endm\nm\nm\n", ".rept 2\nMOB R1, R2\n.endr\n"};
    for (size_t i = 0; i < 2; i++) {
        struct messages m;
        struct assembly a;
        messages_init(&m, "f.sass", texts[i], strlen(texts[i]));
        assert_int_equal(assemble_text(NULL, &a, &m), STATUS_BAD_INPUT);
        assert_int_equal(m.errors, i == 0 ? 2 : 1);
        messages_release(&m);
    }
}

/* Expansions that never end, or only after years. */
static void test_expand_ends(void **state) {
    (void)state;
    static const char *const endless[] = {
        ".macro m\nm\nm\n.endm\nm",
        ".macro m a\nm \"\\a\\a\\a\\a\"\n.endm\nm xyz",
        ".rept 1000000\n.rept 1000000\n.endr\n.endr",
        ".rept 1000000\n.rept 1000\nNOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP; NOP\n.endr\n.endr",
    };
    for (size_t i = 0; i < sizeof endless / sizeof endless[0]; i++) {
        struct diag d;
        assemble_bad(endless[i], &d);
        assert_true(strstr(d.text, "nested more than 64 deep") != NULL || strstr(d.text, "too much text") != NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expand_macro_arguments),          cmocka_unit_test(test_expand_labels_are_unique),
        cmocka_unit_test(test_expand_macros_in_macros),         cmocka_unit_test(test_expand_rept),
        cmocka_unit_test(test_expand_leaves_the_rest_alone),    cmocka_unit_test(test_expand_include),
        cmocka_unit_test(test_expand_messages_name_their_uses), cmocka_unit_test(test_expand_ends),
        cmocka_unit_test(test_expand_includes_no_circle),       cmocka_unit_test(test_expand_messages_of_each_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
