/* SPDX-License-Identifier: Apache-2.0 */
/* Text cubins: their contents, refusals with their places, and that our own output reads back word for word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../base/file.h"
#include "../cubin/cubin_text_write.h"
#include "../image_load.h"
#include "support.h"

/* Reads a text like a file with that content. */
static enum status read_cubin(const char *text, const char *kernel, struct image **img, struct diag *d) {
    const struct image_choice choice = {.kernel = kernel, .variables = 0x1000};
    char *copy = strdup(text);
    assert_non_null(copy);
    *d = (struct diag){0};
    enum status status = image_read("k.cubin", copy, strlen(copy), &choice, img, d);
    free(copy);
    return status;
}

static struct image *read_good(const char *text, const char *kernel) {
    struct image *img;
    struct diag d;
    if (read_cubin(text, kernel, &img, &d) != STATUS_OK) fail_msg("%u:%u: %s", d.line, d.column, d.text);
    return img;
}

static void assert_word(const struct image *img, unsigned bank, size_t offset, uint32_t expected) {
    const uint8_t *p = img->bank[bank].bytes + offset;
    assert_true(offset + 4 <= img->bank[bank].size);
    assert_int_equal((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24, expected);
}

static bool has_note(const struct image *img, const char *note) {
    for (size_t i = 0; i < img->note_count; i++)
        if (strcmp(img->notes[i], note) == 0) return true;
    return false;
}

/* In the layout of nvcc 2, after docs/inputs.md; line ends of Windows in the middle. */
static const char TWO_KERNELS[] =
    "architecture {sm_11}\nabiversion   {1}\nmodname      {cubin}\n"
    "consts  {\n\t\tname    = \n\t\tsegname = const\n\t\tsegnum  = 0\n\t\toffset  = 4\n\t\tbytes   = 8\n"
    "\tmem  {\n\t\t0x00000011 0x00000022 \n\t}\n}\n"
    "sampler  {\r\n\tname = picture\r\n\ttexunit = 0\r\n}\r\n"
    "code  {\r\n\tname = first\r\n\tlmem = 16\r\n\tsmem = 24\r\n\treg  = 3\r\n\tbar  = 15\r\n"
    "\tbincode  {\r\n\t\t0x861ffe03 0000000000 0xf0000001 0xe0000001 \r\n\t}\r\n}\r\n"
    "code { name = second reg = 9 // a comment } \n"
    "  const { mem { 0x000003ff } bytes = 4 /* { */ offset = 0 segnum = 1 segname = const }\n"
    "  bincode { 0x30000003 0x00000780 }\n"
    "  const { segname = const segnum = 1 offset = 8 bytes = 6 mem { 0x04030201 0x00000605 } } # another\n"
    "  const { segname = const segnum = 0 offset = 8 bytes = 4 mem { 0x00000033 } }\n}\n";

static void test_cubin_text_fields(void **state) {
    (void)state;
    struct image *img = read_good(TWO_KERNELS, "first");
    assert_string_equal(img->name, "first");
    assert_int_equal(img->arch, 11);
    assert_int_equal(img->local_bytes, 16);
    assert_int_equal(img->shared_bytes, 24);
    assert_int_equal(img->regs, 3);
    assert_int_equal(img->code_words, 4);
    assert_int_equal(img->code[1], 0);
    assert_int_equal(img->bank[0].size, 12);
    assert_word(img, 0, 0, 0);
    assert_word(img, 0, 4, 0x11);
    assert_word(img, 0, 8, 0x22);
    assert_int_equal(img->bank[1].size, 0);
    assert_true(has_note(img, "bar = 15"));
    image_destroy(img);
    img = read_good("code { name = k bincode { 0xffffffff 0xfffffffe } }", NULL);
    assert_int_equal(img->code[0], 0xffffffff);
    image_destroy(img);
}

static void test_cubin_text_any_order_and_several_constants(void **state) {
    (void)state;
    struct image *img = read_good(TWO_KERNELS, "second");
    assert_int_equal(img->regs, 9);
    assert_int_equal(img->code_words, 2);
    assert_int_equal(img->bank[1].size, 14);
    assert_word(img, 1, 0, 0x3ff);
    assert_word(img, 1, 4, 0);
    assert_word(img, 1, 8, 0x04030201);
    assert_int_equal(img->bank[1].bytes[13], 6);
    assert_word(img, 0, 4, 0x11); /* the file's, and on top of it the kernel's */
    assert_word(img, 0, 8, 0x33);
    image_destroy(img);
}

/* The larger of the file's number and the code's: IADD R31, R30, R29. */
static void test_cubin_text_registers(void **state) {
    (void)state;
    struct image *img = read_good("code { name = k reg = 3 bincode { 0x20003c7d 0x04074780 } }", NULL);
    assert_int_equal(img->regs, 32);
    image_destroy(img);
    img = read_good("code { name = k reg = 40 bincode { 0x20003c7d 0x04074780 } }", NULL);
    assert_int_equal(img->regs, 40);
    image_destroy(img);
}

static void test_cubin_text_variables(void **state) {
    (void)state;
    struct image *img = read_good("global { name = a segname = global segnum = 14 offset = 0 bytes = 20 mem { 0x7 } }\n"
                                  "consts { name = b segname = global bytes = 4 }\n"
                                  "reloc { name = b segname = const segnum = 14 offset = 4 }\n"
                                  "reloc { name = a segname = const segnum = 14 offset = 0 }\n"
                                  "reloc { name = c offset = 8 bytes = 4 }\n"
                                  "consts { segname = const segnum = 14 bytes = 8 mem { 0x10 0x0 } }\n"
                                  "code { name = k bincode { 0x30000003 0x00000780 } }",
                                  NULL);
    assert_word(img, 14, 0, 0x1010); /* a, plus the old value */
    assert_word(img, 14, 4, 0x1020); /* b, behind it on 16 bytes */
    assert_word(img, 14, 8, 0x1030); /* c, which only a reloc block names */
    assert_int_equal(img->global_count, 3);
    assert_int_equal(img->global[0].addr, 0x1000);
    assert_int_equal(img->global[0].size, 20);
    assert_memory_equal(img->global[0].bytes, "\7\0\0\0\0\0", 6);
    assert_true(has_note(img, "b: global 0x1020, 4 bytes"));
    assert_int_equal(image_find_variable(img, "b", 1)->addr, 0x1020);
    assert_int_equal(image_find_variable(img, "b", 1)->size, 4);
    image_destroy(img);
}

/* Defaults: a kernel's constants are in bank 1, the file's in bank 0. */
static void test_cubin_text_defaults(void **state) {
    (void)state;
    struct image *img = read_good(
        "consts { mem { 0x5 } }\ncode { name = k const { mem { 0x6 } }\n bincode { 0x30000003 0x780 } }", NULL);
    assert_word(img, 0, 0, 5);
    assert_word(img, 1, 0, 6);
    image_destroy(img);
}

/* Kernels may have variables of the same name; a reloc block gives the size of a variable that it alone names. */
static void test_cubin_text_variables_of_each_kernel(void **state) {
    (void)state;
    static const char text[] =
        "code { name = a global { name = v bytes = 100 } reloc { name = v } bincode { 0x30000003 0x780 } }\n"
        "code { name = b reloc { name = v bytes = 40 } reloc { name = w offset = 4 } bincode { 0x30000003 0x780 } }\n";
    struct image *img = read_good(text, "a");
    assert_word(img, 14, 0, 0x1000);
    assert_int_equal(img->global_count, 1);
    assert_int_equal(img->global[0].size, 100);
    image_destroy(img);
    img = read_good(text, "b");
    assert_word(img, 14, 0, 0x1000);
    assert_word(img, 14, 4, 0x1030); /* behind the 40 bytes */
    assert_int_equal(img->global_count, 2);
    assert_int_equal(img->global[0].size, 40);
    image_destroy(img);
}

static void refuse(const char *text, unsigned line, unsigned column, const char *message) {
    struct image *img;
    struct diag d;
    assert_int_equal(read_cubin(text, NULL, &img, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.text, message);
    assert_int_equal(d.line, line);
    assert_int_equal(d.column, column);
    assert_null(img);
}

static void test_cubin_text_messages_about_blocks(void **state) {
    (void)state;
    refuse("architecture {sm_20}\ncode {", 1, 15,
           "cubin is for architecture 'sm_20'; expected sm_10, sm_10x, sm_11, sm_12 or sm_13");
    refuse("architecture {sm_10}\n", 0, 0, "file has no kernel");
    refuse("code {\n name = k\n", 1, 1, "block 'code' is never closed");
    refuse("code {\n name = k\n bincode { 0x1", 3, 2, "block 'bincode' is never closed");
    refuse("code {\n bincode { 0x1 } }", 1, 1, "kernel has no name");
    refuse("code {\n name = k }", 1, 1, "kernel 'k' has no code");
    refuse("code { name = k\n bar 3 }", 2, 2, "expected '{' or '=' after 'bar'");
    refuse("code { name = k bincode { 1 } }\ncode { name = k", 2, 15, "kernel 'k' is defined twice");
    refuse("code { name = k bincode { 1 } }\n}", 2, 1, "unexpected '}'");
    refuse("code { name = a bincode { 1 } } code { name = b bincode { 1 } }", 0, 0,
           "file has several kernels (a, b); choose one with --kernel");
    struct image *img;
    struct diag d;
    assert_int_equal(read_cubin(TWO_KERNELS, "third", &img, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.text, "there is no kernel 'third'; the file has first, second");
}

/* A small file could cause much work: reading a kernel reads all kernels and blocks before it. */
static void test_cubin_text_too_many_blocks(void **state) {
    (void)state;
    enum { MOST = 8192, LINE = 40 };
    char *text = malloc((MOST + 1) * LINE);
    assert_non_null(text);
    size_t used = 0;
    for (unsigned i = 0; i <= MOST; i++)
        used += (size_t)snprintf(text + used, LINE, "code { name = k%u bincode { 1 } }\n", i);
    refuse(text, MOST + 1, 1, "cubin has more than 8192 kernels");
    used = 0;
    for (unsigned i = 0; i <= MOST; i++) used += (size_t)snprintf(text + used, LINE, "consts { }\n");
    refuse(text, MOST + 1, 1, "cubin has more than 8192 blocks of constants and variables");
    free(text);
}

static void test_cubin_text_messages_about_numbers(void **state) {
    (void)state;
    refuse("code {\n name = k\n bincode { 0x1 g }", 3, 16, "expected a 32-bit word in hexadecimal");
    refuse("code {\n name = k\n bincode { 0x123456789 }", 3, 12, "expected a 32-bit word in hexadecimal");
    refuse("code { name = k\n reg = many }", 2, 8, "expected a number after 'reg ='");
    refuse("code { name = k\n reg = 129 }", 2, 8, "reg = 129 is too large, it goes up to 128");
    refuse("consts {\n segnum = 16 bytes = 4 }", 1, 1, "segnum = 16: there are constant banks 0 to 15");
    refuse("consts {\n offset = 65532 bytes = 8 }", 1, 1, "constants go to byte 65540, a bank has at most 65536");
    refuse("consts {\n bytes = 4 mem { 1 2 } }", 1, 1, "bytes = 4, but mem has 8");
    refuse("/* two\n lines */ reloc {\n name = v offset = 65534 }", 2, 11,
           "constants go to byte 65538, a bank has at most 65536");
}

static void test_cubin_text_cut_off_anywhere(void **state) {
    (void)state;
    char text[sizeof TWO_KERNELS];
    for (size_t n = 0; n < sizeof TWO_KERNELS; n++) {
        struct image *img;
        struct diag d;
        memcpy(text, TWO_KERNELS, n);
        text[n] = '\0';
        const enum status status = read_cubin(text, "first", &img, &d);
        assert_true(status == STATUS_OK || d.text[0] != '\0');
        image_destroy(img);
    }
}

/* ---- writing ---- */

static void assert_same(const struct image *a, const struct image *b) {
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->code_words, b->code_words);
    assert_memory_equal(a->code, b->code, a->code_words * 4);
    assert_int_equal(a->regs, b->regs);
    assert_int_equal(a->shared_bytes, b->shared_bytes);
    assert_int_equal(a->local_bytes, b->local_bytes);
    for (size_t i = 0; i < IMAGE_CONST_BANKS; i++) {
        assert_int_equal(a->bank[i].size, b->bank[i].size);
        if (a->bank[i].size > 0) assert_memory_equal(a->bank[i].bytes, b->bank[i].bytes, a->bank[i].size);
    }
}

static void test_cubin_text_written_reads_back(void **state) {
    (void)state;
    char path[] = "/tmp/warpstep-XXXXXX", *text;
    size_t size;
    struct diag d = {0};
    struct assembly a[2];
    assemble_good(".kernel a\n.arch sm_12\n.reg 9\n.shared 64\n.local 8\n.const 1:0 = 0x3ff, 0, 7\n.const 0:4 = 0, 2\n"
                  ".const 14:0 = .byte 1, 2, 3, 4, 5\n"
                  "MOV32 R1, R2\nMOV32 R1, R2\nBAR.ARV.WAIT b7, 0xfff\nBAR.ARV.WAIT b3, 0xfff\n"
                  "NOP\n.word 0, 0x80000001\n.word 0, 0\n",
                  &a[0]);
    assemble_good(".kernel b\n.arch sm_12\n.reg 4\n.shared 16\nRET\n", &a[1]);
    const struct image *kernels[] = {a[0].image, a[1].image};
    close(mkstemp(path));
    assert_int_equal(cubin_text_write(kernels, 2, path, &d), STATUS_OK);
    assert_int_equal(file_read(path, &text, &size, &d), STATUS_OK);
    assert_non_null(strstr(text, "architecture {sm_12}"));
    assert_non_null(strstr(text, "0x86fffe03 0000000000")); /* a zero word has no 0x */
    assert_non_null(strstr(text, "bar  = 7"));
    struct image *first = read_good(text, "a"), *second = read_good(text, "b");
    assert_same(a[0].image, first);
    assert_same(a[1].image, second);
    assert_int_equal(first->arch, 12);
    image_destroy(first);
    image_destroy(second);
    free(text);
    unlink(path);
    for (size_t i = 0; i < 2; i++) assembly_release(&a[i]);
}

static void test_cubin_text_says_what_it_cannot_hold(void **state) {
    (void)state;
    struct assembly a;
    struct diag d = {0};
    char omits[160];
    assemble_good(".grid 2\n.block 3\n.param 1\n.global 0 = 1\n.expect 0 = 1\nNOP\n", &a);
    cubin_text_omits(a.image, omits, sizeof omits);
    assert_string_equal(omits, "the grid, the block, parameters, initial global memory, expected global memory");
    assembly_release(&a);
    assemble_good("NOP\n", &a);
    cubin_text_omits(a.image, omits, sizeof omits);
    assert_string_equal(omits, "");
    const struct image *kernels[] = {a.image};
    assert_int_equal(cubin_text_write(kernels, 1, "/nonexistent/k.cubin", &d), STATUS_BAD_INPUT);
    assert_non_null(strstr(d.text, "cannot write"));
    assembly_release(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cubin_text_fields),
        cmocka_unit_test(test_cubin_text_any_order_and_several_constants),
        cmocka_unit_test(test_cubin_text_registers),
        cmocka_unit_test(test_cubin_text_variables),
        cmocka_unit_test(test_cubin_text_defaults),
        cmocka_unit_test(test_cubin_text_variables_of_each_kernel),
        cmocka_unit_test(test_cubin_text_messages_about_blocks),
        cmocka_unit_test(test_cubin_text_too_many_blocks),
        cmocka_unit_test(test_cubin_text_messages_about_numbers),
        cmocka_unit_test(test_cubin_text_cut_off_anywhere),
        cmocka_unit_test(test_cubin_text_written_reads_back),
        cmocka_unit_test(test_cubin_text_says_what_it_cannot_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
