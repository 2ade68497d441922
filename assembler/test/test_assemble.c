/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of source: directives, data, labels, END, pairs of half instructions, listings. Words are typed from
 * golden/encodings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../isa/isa.h"
#include "support.h"

enum { END = 1 };

static void expect_code(const char *text, const uint32_t *words, size_t count) {
    struct assembly a;
    assemble_good(text, &a);
    assert_int_equal(a.image->code_words, count);
    for (size_t i = 0; i < count; i++)
        if (a.image->code[i] != words[i])
            fail_msg("word %zu of\n%s\nis %08x, not %08x", i, text, a.image->code[i], words[i]);
    assembly_release(&a);
}

#define EXPECT_CODE(text, ...) \
    expect_code(text, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void test_assemble_launch_directives(void **state) {
    (void)state;
    struct assembly a;
    assemble_good(
        ".kernel k\n.reg 7\n.shared 64\n.local 16\n.grid 3\n.block 8, 4, 2\n.param 1, 0x2,\n 3\n.param -1\nNOP", &a);
    const struct image *img = a.image;
    assert_string_equal(img->name, "k");
    assert_int_equal(img->regs, 7);
    assert_int_equal(img->shared_bytes, 64);
    assert_int_equal(img->local_bytes, 16);
    assert_int_equal(img->grid[0], 3);
    assert_int_equal(img->grid[1], 1);
    assert_int_equal(img->block[0], 8);
    assert_int_equal(img->block[1], 4);
    assert_int_equal(img->block[2], 2);
    assert_int_equal(img->param_count, 4);
    assert_int_equal(img->params[2], 3);
    assert_int_equal(img->params[3], 0xffffffff);
    assembly_release(&a);
}

static void expect_piece(const struct image_piece *p, uint32_t addr, const char *bytes, size_t size) {
    assert_int_equal(p->addr, addr);
    assert_int_equal(p->size, size);
    assert_memory_equal(p->bytes, bytes, size);
}

static void test_assemble_data_forms(void **state) {
    (void)state;
    struct assembly a;
    assemble_good(".equ BASE = 0x10\n"
                  ".global BASE + 4 = 1, 0xfffffffe\n.global 0 = .half 1, -2\n.global 1 = .byte 1, 2,\n   255\n"
                  ".expect 8 = .fill 2, 3\n.expect 9 = .byte .fill 3, 7\n.const 1:4 = .half 0x3ff\nNOP",
                  &a);
    const struct image *img = a.image;
    assert_int_equal(img->global_count, 3);
    expect_piece(&img->global[0], 0x14, "\1\0\0\0\xfe\xff\xff\xff", 8);
    expect_piece(&img->global[1], 0, "\1\0\xfe\xff", 4);
    expect_piece(&img->global[2], 1, "\1\2\xff", 3);
    assert_int_equal(img->expect_count, 2);
    expect_piece(&img->expect[0], 8, "\3\0\0\0\3\0\0\0", 8);
    expect_piece(&img->expect[1], 9, "\7\7\7", 3);
    assert_int_equal(img->bank[1].size, 6);
    assert_memory_equal(img->bank[1].bytes, "\0\0\0\0\xff\3", 6);
    assembly_release(&a);
}

static void test_assemble_data_from_a_file_beside_the_source(void **state) {
    (void)state;
    char directory[] = "/tmp/warpstep-XXXXXX", path[64], source[64], letter[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/64x64 data.bin", directory);
    snprintf(source, sizeof source, "%s/k.sass", directory);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("abc", f);
    fclose(f);
    /* a name of one letter */
    snprintf(letter, sizeof letter, "%s/d", directory);
    assert_int_equal(symlink(path, letter), 0);
    const char *text = ".global 4 = @\"64x64 data.bin\"\n.global 8 = @64x64 data.bin   // no quotes needed\n"
                       ".global 12 = @\"d\"\nNOP";
    struct messages m;
    struct assembly a;
    messages_init(&m, source, text, strlen(text));
    enum status status = assemble_text(NULL, &a, &m);
    messages_release(&m);
    unlink(letter);
    unlink(path);
    rmdir(directory);
    assert_int_equal(status, STATUS_OK);
    expect_piece(&a.image->global[0], 4, "abc", 3);
    expect_piece(&a.image->global[1], 8, "abc", 3);
    expect_piece(&a.image->global[2], 12, "abc", 3);
    assembly_release(&a);
}

static void test_assemble_labels_aliases_expressions(void **state) {
    (void)state;
    EXPECT_CODE("top: IADD R1, R2, R3\n  BRA C0.NE, done\n BRA top\ndone: RET", 0x20000405, 0x0400c780, 0x10003003,
                0x00000280, 0x10000003, 0x00000780, 0x30000003, 0x00000780);
    EXPECT_CODE(".alias sum = R1\n.alias x = R2\nIADD sum, x, R3; RET", 0x20000405, 0x0400c780, 0x30000003, 0x00000780);
    EXPECT_CODE(".equ N = 4\nSHL R1, R2, (N - 1) * 2 >> 1 & 0x7\nRET", 0x30030405, 0xc4100780, 0x30000003, 0x00000780);
    EXPECT_CODE("RET\n.word 1 ^ 3 & 2, -16 >> 2, -7 % 3, -7 / 2, 0B101 + 0X10", 0x30000003, 0x00000780, 3, -4u, -1u,
                -3u, 0x15);
    EXPECT_CODE("RET\n.word (1 << 63) / -1 >> 32, (1 << 63) % -1", 0x30000003, 0x00000780, 0x80000000, 0);
    EXPECT_CODE("RET\nhere: .word here, here + 0x10, 0xffffffff", 0x30000003, 0x00000780, 8, 0x18, 0xffffffff);
}

/* A failing lookup ends, however full the table of names is. */
static void test_assemble_misses_a_name_in_tables_of_any_size(void **state) {
    (void)state;
    enum { NAMES = 130 };
    char text[NAMES * 16] = "";
    struct diag d;
    for (unsigned i = 0, at = 0; i < NAMES; i++) {
        at += (unsigned)snprintf(text + at, sizeof text - at, "name_%u: ", i + 100);
        strcpy(text + at, "BRA there");
        assemble_bad(text, &d);
        assert_string_equal(d.text, "name 'there' is not defined");
    }
}

static void test_assemble_several_statements_and_comments(void **state) {
    (void)state;
    EXPECT_CODE("/* a\n comment */ IADD R1, R2, R3; RET; // and more; RET\n", 0x20000405, 0x0400c780, 0x30000003,
                0x00000780);
}

static void expect_bad(const char *text, const char *message) {
    struct diag d;
    assemble_bad(text, &d);
    assert_string_equal(d.text, message);
}

/* The maximum of each number, and the kernel that lines before .kernel belong to. */
static void test_assemble_limits_of_directives(void **state) {
    (void)state;
    struct assembly a;
    assemble_good("PBK 0x8\nBRK", &a); /* which needs no END */
    assembly_release(&a);
    assemble_good(".kernel kernel\n.block 1024\n.global 0xfffffffc = 1\nNOP\n", &a);
    assembly_release(&a);
    expect_bad(".word 1\n.end\nNOP", ".end must follow an instruction");
    expect_bad(".global 0 = .byte 256\nNOP", "number is out of range -128..255");
    expect_bad(".global 0 = .half 65536\nNOP", "number is out of range -32768..65535");
    expect_bad(".global 0 = .half -32769\nNOP", "number is out of range -32768..65535");
    expect_bad(".block 1025\nNOP", "block has 1025 threads; it may have 1024");
    static const char end[] = ".kernel a\nNOP\n.kernel b\n.end\nNOP";
    struct messages m;
    struct diag d;
    assemble_bad(".word\nNOP", &d); /* at the end of its line */
    assert_int_equal(d.line, 1);
    assert_int_equal(d.column, 6);
    messages_init(&m, "test.sass", end, strlen(end));
    assert_int_equal(assemble_text("b", &a, &m), STATUS_BAD_INPUT);
    messages_first(&m, &d);
    assert_string_equal(d.text, ".end must follow an instruction"); /* of its own kernel */
    messages_release(&m);
    static const char *const of_kernel[] = {".local 4", ".shared 4",      ".reg 4",        ".grid 4",       ".block 4",
                                            ".param 4", ".const 0:0 = 4", ".global 0 = 4", ".expect 0 = 4", ".word 4"};
    for (size_t i = 0; i < sizeof of_kernel / sizeof of_kernel[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s\n.kernel b\nNOP", of_kernel[i]);
        expect_bad(text, "file has several kernels (kernel, b); choose one with --kernel");
    }
}

/* Labels belong to one kernel. */
static void test_assemble_labels_of_each_kernel(void **state) {
    (void)state;
    static const char text[] = ".kernel a\nl: BRA l\n.kernel b\nNOP\nl: BRA l\n.kernel c\nNOP\nNOP\nl: BRA l\n";
    static const char *const names[] = {"a", "b", "c"};
    for (uint32_t i = 0; i < 3; i++) {
        struct messages m;
        struct assembly a;
        struct isa_insn insn;
        messages_init(&m, "test.sass", text, strlen(text));
        assert_int_equal(assemble_text(names[i], &a, &m), STATUS_OK);
        assert_int_equal(a.image->code_words, 2 * i + 2);
        assert_int_equal(isa_decode(a.image->code[2 * i], a.image->code[2 * i + 1], &insn), ISA_OK);
        assert_int_equal(insn.target, 8 * i);
        assembly_release(&a);
        messages_release(&m);
    }
}

static void test_assemble_end_goes_to_the_last_instruction(void **state) {
    (void)state;
    EXPECT_CODE("IADD R1, R2, R3", 0x20000405, 0x0400c780 | END);
    EXPECT_CODE("NOP\nNOP", 0xf0000001, 0xe0000000, 0xf0000001, 0xe0000000 | END);
}

static void test_assemble_end_is_not_needed_behind_ret_or_bra(void **state) {
    (void)state;
    EXPECT_CODE("RET", 0x30000003, 0x00000780);
    EXPECT_CODE("BRA 0x80", 0x10010003, 0x00000780);
}

static void test_assemble_end_directive(void **state) {
    (void)state;
    EXPECT_CODE("NOP\n.end\nIADD R1, R2, R3", 0xf0000001, 0xe0000000 | END, 0x20000405, 0x0400c780);
}

static void test_assemble_half_instructions_in_pairs(void **state) {
    (void)state;
    EXPECT_CODE("MOV32 R1, R2\nMOV32 R1, R2\nRET", 0x10008404, 0x10008404, 0x30000003, 0x00000780);
}

/* Old listings have the words before the text, low word first, newer ones behind it, high word first. END comes from
 * these words. */
static void test_assemble_listing_takes_end_from_its_words(void **state) {
    (void)state;
    EXPECT_CODE("\tcode for sm_10\n\t\tFunction : _Z1kPi\n"
                "\t/*0000*/     /*0x200004050400c781*/ \tIADD R1, R2, R3;\n"
                "\t/*0008*/     /*0x10008404*/ \tMOV32 R1, R2;\n\t/*000c*/     /*0x10008404*/ \tMOV32 R1, R2;\n"
                "\t/*0010*/     /*0xf0000001e0000000*/ \tNOP;\n\t\t.....................\n",
                0x20000405, 0x0400c781, 0x10008404, 0x10008404, 0xf0000001, 0xe0000000);
    EXPECT_CODE(
        "Fatbin elf code:\n================\narch = sm_10\ncode version = [1,2]\nproducer = cuda\nhost = linux\n"
        "\tcode for sm_10\n\t\tFunction : _Z1kPi\n"
        "\t.headerflags    @\"EF_CUDA_SM10 EF_CUDA_PTX_SM(EF_CUDA_SM10)\"\n"
        "        /*0000*/         IADD R1, R2, R3;    /* 0x0400c78020000405 */\n"
        "        /*0008*/         MVI R1, 0x12345678; /* 0x0123456710388005 */\n"
        "        /*0010*/         NOP;                /* 0xe0000001f0000001 */\n",
        0x20000405, 0x0400c780, 0x10388005, 0x01234567, 0xf0000001, 0xe0000001);
}

static void test_assemble_chooses_a_kernel(void **state) {
    (void)state;
    const char *text = ".kernel a\nloop: BRA loop\n.kernel b\n.reg 9\nNOP\nloop: BRA loop\n";
    struct messages m;
    struct assembly a;
    messages_init(&m, "k.sass", text, strlen(text));
    assert_int_equal(assemble_text("b", &a, &m), STATUS_OK);
    messages_release(&m);
    assert_string_equal(a.image->name, "b");
    assert_int_equal(a.image->regs, 9);
    assert_int_equal(a.image->code_words, 4);
    assert_int_equal(a.image->code[2], 0x10001003); /* BRA 0x8: labels belong to the kernel */
    assembly_release(&a);
    messages_init(&m, "k.sass", text, strlen(text));
    assert_int_equal(assemble_text("c", &a, &m), STATUS_BAD_INPUT);
    messages_release(&m);
}

static void test_assemble_takes_no_text_for_an_empty_one(void **state) {
    (void)state;
    struct messages m;
    struct assembly a;
    messages_init(&m, "k.sass", NULL, 0);
    assert_int_equal(assemble_text(NULL, &a, &m), STATUS_BAD_INPUT);
    assert_int_equal(m.errors, 1);
    messages_release(&m);
}

static void test_assemble_line_table(void **state) {
    (void)state;
    struct assembly a;
    unsigned line;
    assemble_good("\n.param 1,\n  2\nNOP\n\nNOP; RET", &a);
    assert_string_equal(image_find_line(a.image, 0, &line), "test.sass");
    assert_int_equal(line, 4);
    image_find_line(a.image, 8, &line);
    assert_int_equal(line, 6);
    image_find_line(a.image, 16, &line);
    assert_int_equal(line, 6);
    assert_null(image_find_line(a.image, 4, &line));
    assembly_release(&a);
    assemble_good("NOP\n.word 0xf0000001, 0xe0000001", &a);
    assert_non_null(image_find_line(a.image, 8, &line));
    assert_int_equal(line, 2);
    assembly_release(&a);
}

static void test_assemble_registers_used(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned used;
    } CASES[] = {
        {"MOV R3, R124\nMOV.U16 R9H, R0L\nISET o [0x7f], R1, R2, LT\nGLD.S128 R12, global14 [R1]\nRET", 16},
        {"MOV.U16 R9H, R0L",                                                                            10},
        {"IMAD.U24 R1, R2, R3, R20",                                                                    21},
        {"GST.U32 global14 [R124], R5",                                                                 6 },
        {"GST.U32 global14 [R33], R5",                                                                  34},
        {"NOP",                                                                                         0 },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct assembly a;
        assemble_good(CASES[i].text, &a);
        assert_int_equal(image_regs_used(a.image), CASES[i].used);
        assembly_release(&a);
    }
}

static void test_assemble_architecture(void **state) {
    (void)state;
    struct assembly a;
    assemble_good("NOP\n", &a);
    assert_int_equal(a.image->arch, 0);
    assembly_release(&a);
    assemble_good(".kernel k\n.arch sm_11\nNOP\n", &a);
    assert_int_equal(a.image->arch, 11);
    assembly_release(&a);
    assemble_good("\tcode for sm_12\n\t\tFunction : k\n NOP;\n", &a);
    assert_int_equal(a.image->arch, 12);
    assembly_release(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assemble_launch_directives),
        cmocka_unit_test(test_assemble_limits_of_directives),
        cmocka_unit_test(test_assemble_labels_of_each_kernel),
        cmocka_unit_test(test_assemble_data_forms),
        cmocka_unit_test(test_assemble_data_from_a_file_beside_the_source),
        cmocka_unit_test(test_assemble_labels_aliases_expressions),
        cmocka_unit_test(test_assemble_misses_a_name_in_tables_of_any_size),
        cmocka_unit_test(test_assemble_several_statements_and_comments),
        cmocka_unit_test(test_assemble_end_goes_to_the_last_instruction),
        cmocka_unit_test(test_assemble_end_is_not_needed_behind_ret_or_bra),
        cmocka_unit_test(test_assemble_end_directive),
        cmocka_unit_test(test_assemble_half_instructions_in_pairs),
        cmocka_unit_test(test_assemble_listing_takes_end_from_its_words),
        cmocka_unit_test(test_assemble_chooses_a_kernel),
        cmocka_unit_test(test_assemble_takes_no_text_for_an_empty_one),
        cmocka_unit_test(test_assemble_line_table),
        cmocka_unit_test(test_assemble_registers_used),
        cmocka_unit_test(test_assemble_architecture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
