/* SPDX-License-Identifier: Apache-2.0 */
/* Files: an image survives writing and reading; damaged files are refused with a message, and no file is left
 * behind. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../base/file.h"
#include "../image_load.h"
#include "../listing/listing.h"
#include "own_file.h"
#include "support.h"

static const char SOURCE[] =
    ".kernel k\n.arch sm_11\n.reg 5\n.shared 100\n.local 8\n.grid 2, 3\n.block 4, 5, 6\n.param 7, 8\n"
    ".const 1:0 = 0x3ff\n.const 0:4 = 9\n.global 0x10 = .byte 1, 2, 3\n.global 0 = 4\n"
    ".expect 0x20 = 5\nMOV R1, R2\nNOP\n";

static int setup(void **state) { return own_file_setup(state, "k.img"); }

static void write_source_image(const struct own_file *f) {
    static const struct image_parameter PARAMETER = {"u32", 4, 4, 0, IMAGE_GLOBAL};
    char gain[] = "gain", table[] = "table";
    const struct image_variable variables[] = {
        {gain,  "f32", IMAGE_GLOBAL,   0x100, 4},
        {table, "b8",  IMAGE_CONSTANT, 0x8,   5}
    };
    struct assembly a;
    struct diag d = {0};
    assemble_good(SOURCE, &a);
    assert_int_equal(image_add_parameter(a.image, &PARAMETER), STATUS_OK);
    for (size_t i = 0; i < 2; i++) assert_int_equal(image_add_variable(a.image, &variables[i]), STATUS_OK);
    assert_int_equal(image_set_linkage(a.image, "_Z1kPi", 6), STATUS_OK);
    assert_int_equal(image_write_file(a.image, f->path, &d), STATUS_OK);
    assembly_release(&a);
}

static void test_image_survives_writing_and_reading(void **state) {
    struct own_file *f = *state;
    struct image *img;
    struct diag d = {0};
    unsigned line;
    write_source_image(f);
    assert_int_equal(image_load(f->path, NULL, &img, &d), STATUS_OK);
    assert_string_equal(img->name, "k");
    assert_int_equal(img->code_words, 4);
    assert_int_equal(img->code[3], 0xe0000001);
    assert_int_equal(img->arch, 11);
    assert_int_equal(img->regs, 5);
    assert_int_equal(img->shared_bytes, 100);
    assert_int_equal(img->local_bytes, 8);
    assert_int_equal(img->grid[1], 3);
    assert_int_equal(img->block[2], 6);
    assert_int_equal(img->param_count, 2);
    assert_int_equal(img->params[1], 8);
    assert_int_equal(img->bank[1].size, 4);
    assert_int_equal(img->bank[0].size, 8);
    assert_memory_equal(img->bank[0].bytes, "\0\0\0\0\x09\0\0\0", 8);
    assert_int_equal(img->global_count, 2);
    assert_int_equal(img->global[0].size, 3);
    assert_memory_equal(img->global[0].bytes, "\1\2\3", 3);
    assert_int_equal(img->expect[0].addr, 0x20);
    assert_string_equal(image_find_line(img, 8, &line), "test.sass");
    assert_int_equal(line, 15);
    image_destroy(img);
}

/* Two compiled kernels in one file, found by either name; each has its own signature, lines and memory. */
static void test_image_of_several_kernels(void **state) {
    struct own_file *f = *state;
    static const struct image_parameter SCALE[] = {
        {"u32", 4,  4,  0,  IMAGE_GLOBAL},
        {"f32", 4,  4,  4,  IMAGE_VALUE },
        {"b8",  12, 16, 16, IMAGE_VALUE },
        {"u32", 4,  4,  28, IMAGE_SHARED}
    };
    struct assembly a[2];
    struct image *img;
    struct diag d = {0};
    char text[64];
    assemble_good(SOURCE, &a[0]);
    assemble_good(".kernel scale\n.reg 3\nNOP\nNOP\nNOP\n", &a[1]);
    for (size_t i = 0; i < 4; i++) assert_int_equal(image_add_parameter(a[1].image, &SCALE[i]), STATUS_OK);
    a[0].image->has_signature = true;
    char gain[] = "gain", table[] = "table";
    const struct image_variable variables[] = {
        {gain,  "f32", IMAGE_GLOBAL,   0x100, 4 },
        {table, "b8",  IMAGE_CONSTANT, 0x8,   13}
    };
    for (size_t i = 0; i < 2; i++) assert_int_equal(image_add_variable(a[1].image, &variables[i]), STATUS_OK);
    assert_int_equal(image_set_linkage(a[1].image, "_Z5scalePff", 11), STATUS_OK);
    const struct image *both[] = {a[0].image, a[1].image};
    assert_int_equal(image_write_files(both, 2, f->path, &d), STATUS_OK);
    assembly_release(&a[0]);
    assembly_release(&a[1]);
    assert_int_equal(image_load(f->path, NULL, &img, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.text, "file has several kernels (k, scale); choose one with --kernel");
    assert_int_equal(image_load(f->path, "other", &img, &d), STATUS_BAD_INPUT);
    assert_int_equal(image_load(f->path, "k", &img, &d), STATUS_OK);
    assert_int_equal(img->code_words, 4);
    assert_int_equal(img->kernels, 2);
    assert_int_equal(img->param_count, 2);
    assert_true(img->has_signature);
    assert_int_equal(img->signature_count, 0);
    image_print_signature(img, text, sizeof text);
    assert_string_equal(text, "k()");
    image_destroy(img);
    assert_int_equal(image_load(f->path, "_Z5scalePff", &img, &d), STATUS_OK);
    assert_string_equal(img->name, "scale");
    assert_string_equal(img->linkage, "_Z5scalePff");
    assert_int_equal(img->regs, 3);
    assert_int_equal(img->param_count, 0);
    assert_int_equal(img->global_count, 0);
    assert_int_equal(img->signature_count, 4);
    assert_int_equal(img->signature[2].offset, 16);
    assert_int_equal(img->signature[2].align, 16);
    image_print_signature(img, text, sizeof text);
    assert_string_equal(text, "scale(global buffer, f32, b8[12], local)");
    assert_int_equal(img->variable_count, 2);
    const struct image_variable *v = image_find_variable(img, "table", 5);
    assert_ptr_equal(v, &img->variables[1]);
    assert_string_equal(v->type, "b8");
    assert_int_equal(v->space, IMAGE_CONSTANT);
    assert_int_equal(v->addr, 8);
    assert_int_equal(v->size, 13);
    assert_string_equal(img->variables[0].name, "gain");
    assert_null(image_find_variable(img, "tab", 3));
    image_print_signature(img, text, 12);
    assert_string_equal(text, "scale(globa");
    image_destroy(img);
}

/* Loads a possibly damaged file: it loads or there is a message, never a crash. */
static enum status try_load(const char *path) {
    struct image *img;
    struct diag d = {0};
    enum status status = image_load(path, NULL, &img, &d);
    assert_true(status == STATUS_OK || (status == STATUS_BAD_INPUT && d.text[0] != '\0' && img == NULL));
    image_destroy(img);
    return status;
}

static void test_image_truncated_anywhere_is_refused(void **state) {
    struct own_file *f = *state;
    struct diag d = {0};
    char *bytes;
    size_t size;
    write_source_image(f);
    assert_int_equal(file_read(f->path, &bytes, &size, &d), STATUS_OK);
    for (size_t n = 0; n < size; n++) {
        write_bytes(f->path, bytes, n);
        if (try_load(f->path) == STATUS_OK)
            fail_msg("the first %zu of %zu bytes were taken for a whole image", n, size);
    }
    free(bytes);
}

static void test_image_with_any_byte_changed_does_no_harm(void **state) {
    struct own_file *f = *state;
    struct diag d = {0};
    char *bytes;
    size_t size;
    uint64_t seed = random_seed();
    write_source_image(f);
    assert_int_equal(file_read(f->path, &bytes, &size, &d), STATUS_OK);
    for (size_t i = 0; i < 3 * size; i++) {
        char saved = bytes[i % size];
        bytes[i % size] = i < size ? (char)0xff : (char)random_next(&seed);
        write_bytes(f->path, bytes, size);
        try_load(f->path);
        bytes[i % size] = saved;
    }
    free(bytes);
}

/* The output of warp-dis assembles to the same launch, in every number. */
static void test_image_listing_says_all_of_it(void **state) {
    (void)state;
    static const char source[] =
        ".kernel k\n.arch sm_13\n.reg 5\n.shared 100\n.local 8\n.grid 2, 3\n.block 4, 5, 6\n"
        ".param 1, 2, 3, 4, 5, 6, 7, 0xffffffff, 9, 10\n.const 15:4 = .byte 1, 2, 3\n.const 0:0 = .fill 40, 7\n"
        ".global 0x10 = .byte 1, 2, 3\n.global 0 = .fill 20, 9\n.expect 0xfffffff0 = 1, 2, 3, 4\n"
        ".linkage _Z1kPi\n.argument 0 = u32, 4, 4, global\n.argument 8 = b8, 13, 8, value\n"
        ".variable v$1 = f32, 0x40, 4, global\n.variable w = b8, 0xfff3, 13, constant\n"
        "MOV R1, R2\nNOP\n.word 0x20000405\n";
    struct assembly a, b;
    char *text = NULL;
    size_t size = 0;
    assemble_good(source, &a);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(listing_print(a.image, ISA_DIALECT_3, out), STATUS_OK);
    fclose(out);
    assemble_good(text, &b);
    const struct image *x = a.image, *y = b.image;
    assert_string_equal(x->name, y->name);
    assert_int_equal(x->code_words, y->code_words);
    assert_memory_equal(x->code, y->code, 4 * x->code_words);
    assert_int_equal(x->arch, y->arch);
    assert_int_equal(x->regs, y->regs);
    assert_int_equal(x->shared_bytes, y->shared_bytes);
    assert_int_equal(x->local_bytes, y->local_bytes);
    assert_memory_equal(x->grid, y->grid, sizeof x->grid);
    assert_memory_equal(x->block, y->block, sizeof x->block);
    assert_int_equal(x->param_count, y->param_count);
    assert_memory_equal(x->params, y->params, 4 * x->param_count);
    for (unsigned bank = 0; bank < IMAGE_CONST_BANKS; bank++) {
        assert_int_equal(x->bank[bank].size, y->bank[bank].size);
        if (x->bank[bank].size > 0) assert_memory_equal(x->bank[bank].bytes, y->bank[bank].bytes, x->bank[bank].size);
    }
    assert_int_equal(y->global_count, 2); /* of one line each */
    assert_int_equal(y->global[1].size, 80);
    assert_memory_equal(x->global[1].bytes, y->global[1].bytes, 80);
    assert_int_equal(y->expect_count, 1);
    assert_int_equal(y->expect[0].addr, 0xfffffff0);
    assert_memory_equal(x->expect[0].bytes, y->expect[0].bytes, 16);
    assert_string_equal(y->linkage, "_Z1kPi");
    assert_int_equal(y->signature_count, 2);
    assert_memory_equal(x->signature, y->signature, 2 * sizeof *x->signature);
    assert_int_equal(y->signature[1].offset, 8);
    assert_int_equal(y->signature[1].size, 13);
    assert_int_equal(y->variable_count, 2);
    assert_string_equal(y->variables[0].name, "v$1");
    assert_string_equal(y->variables[0].type, "f32");
    assert_int_equal(y->variables[1].addr, 0xfff3);
    assert_int_equal(y->variables[1].space, IMAGE_CONSTANT);
    free(text);
    assembly_release(&a);
    assembly_release(&b);
}

/* A bank of 64 KB, the last byte of the address space, and a note longer than a line. */
static void test_image_limits_survive(void **state) {
    struct own_file *f = *state;
    struct assembly a;
    struct image *img;
    struct diag d = {0};
    assemble_good(".const 2:0 = .fill 16384, 7\n.global 0xfffffffc = 1\n.expect 0xfffffffe = .half 2\nNOP", &a);
    assert_int_equal(image_write_file(a.image, f->path, &d), STATUS_OK);
    assembly_release(&a);
    assert_int_equal(image_load(f->path, NULL, &img, &d), STATUS_OK);
    assert_int_equal(img->bank[2].size, 65536);
    assert_int_equal(img->global[0].addr, 0xfffffffc);
    assert_int_equal(img->expect[0].size, 2);
    assert_int_equal(image_add_note(img, "a\nb\x7f"
                                         "c"),
                     STATUS_OK);
    assert_string_equal(img->notes[0], "a?b?c");
    for (unsigned arch = 13; arch <= 14; arch++) {
        struct image *again = NULL;
        img->arch = arch;
        assert_int_equal(image_write_file(img, f->path, &d), STATUS_OK);
        assert_int_equal(image_load(f->path, NULL, &again, &d), arch == 13 ? STATUS_OK : STATUS_BAD_INPUT);
        image_destroy(again);
    }
    assert_string_equal(d.text, "section .warpstep.launch is damaged");
    image_destroy(img);
}

static void test_image_write_failure_leaves_nothing(void **state) {
    struct own_file *f = *state;
    struct assembly a;
    struct diag d = {0};
    assemble_good("NOP", &a);
    assert_int_equal(image_write_file(a.image, "/nonexistent/k.img", &d), STATUS_BAD_INPUT);
    assert_non_null(strstr(d.text, "cannot write"));
    assert_int_equal(image_write_file(a.image, f->directory, &d), STATUS_BAD_INPUT); /* a directory is in the way */
    assembly_release(&a);
}

static void expect_refused(const struct own_file *f, const char *text, unsigned line, const char *message) {
    struct image *img;
    struct diag d = {0};
    char path[80];
    snprintf(path, sizeof path, "%s.hex", f->path);
    write_bytes(path, text, strlen(text));
    enum status status = image_load(path, NULL, &img, &d);
    unlink(path);
    assert_int_equal(status, STATUS_BAD_INPUT);
    assert_int_equal(d.line, line);
    assert_string_equal(d.text, message);
}

static void test_image_hex(void **state) {
    struct own_file *f = *state;
    struct image *img;
    struct diag d = {0};
    char path[80];
    snprintf(path, sizeof path, "%s.hex", f->path);
    const char *text = "# code\n0x20000405\n  0400C781   # IADD\n\n";
    write_bytes(path, text, strlen(text));
    enum status status = image_load(path, NULL, &img, &d);
    unlink(path);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(img->code_words, 2);
    assert_int_equal(img->code[1], 0x0400c781);
    image_destroy(img);
    write_bytes(path, text, strlen(text));
    status = image_load(path, "other", &img, &d);
    unlink(path);
    assert_int_equal(status, STATUS_BAD_INPUT);
    assert_string_equal(d.text, "there is no kernel 'other'; a file of words has no kernel names");
    expect_refused(f, "1\n2 3\n", 2, "expected one 32-bit word in hexadecimal");
    write_bytes(path, "\t \tzz\n", 6);
    status = image_load(path, NULL, &img, &d);
    unlink(path);
    assert_int_equal(status, STATUS_BAD_INPUT);
    assert_int_equal(d.column, 4);
    expect_refused(f, "123456789\n", 1, "expected one 32-bit word in hexadecimal");
    expect_refused(f, "# nothing\n", 0, "file has no code");
}

static void test_image_missing_or_foreign_files(void **state) {
    struct own_file *f = *state;
    struct image *img;
    struct diag d = {0};
    assert_int_equal(image_load("/nonexistent", NULL, &img, &d), STATUS_BAD_INPUT);
    assert_non_null(strstr(d.text, "cannot open"));
    assert_int_equal(image_load("/tmp", NULL, &img, &d), STATUS_BAD_INPUT);
    assert_int_equal(image_load("/proc/self/exe", NULL, &img, &d), STATUS_BAD_INPUT); /* ELF, but of another machine */
    static char source[] = "__kernel void k() {}";
    assert_int_equal(image_read("k.cl", source, sizeof source - 1, &(struct image_choice){0}, &img, &d),
                     STATUS_BAD_INPUT);
    assert_string_equal(d.text, "is a source for warp-cc, which makes an image of it");
    static const char *const OTHERS[] = {"k.c", "k.cc", "k.cpp"};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        assert_int_equal(image_read(OTHERS[i], source, sizeof source - 1, &(struct image_choice){0}, &img, &d),
                         STATUS_BAD_INPUT);
        assert_non_null(strstr(d.text, ".cl is OpenCL C, .cu is CUDA C"));
    }
    write_bytes(f->path, "\0\1\2\3", 4);
    assert_int_equal(image_load(f->path, NULL, &img, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.text, "is neither an image nor a text");
}

static const char CUBIN[] =
    "architecture {sm_10}\nabiversion {1}\nmodname {cubin}\n"
    "consts  {\n  name = table\n  segname = const\n  segnum = 0\n  offset = 4\n  bytes = 8\n  mem {\n    0x00000011 "
    "0x00000022\n  }\n}\n"
    "code {\n\tname = first\n\tlmem = 16\n\tsmem = 24\n\treg = 3\n\tbar = 0\n"
    "\tconst {\n\t\tsegname = const\n\t\tsegnum = 1\n\t\toffset = 0\n\t\tbytes = 4\n\t\tmem { 0x000003ff }\n\t}\n"
    "\tbincode {\n\t\t0x861ffe03 0000000000 0xf0000001 0xe0000001\n\t}\n}\n"
    "code {\n\tname = second\n\treg = 9\n\tbincode { 0x30000003 0x00000780 }\n}\n";

static void test_image_text_cubin(void **state) {
    struct own_file *f = *state;
    struct image *img;
    struct diag d = {0};
    write_bytes(f->path, CUBIN, strlen(CUBIN));
    assert_int_equal(image_load(f->path, "first", &img, &d), STATUS_OK);
    assert_string_equal(img->name, "first");
    assert_int_equal(img->regs, 3);
    assert_int_equal(img->shared_bytes, 24);
    assert_int_equal(img->local_bytes, 16);
    assert_int_equal(img->code_words, 4); /* the zero word has no 0x */
    assert_int_equal(img->code[1], 0);
    assert_int_equal(img->code[3], 0xe0000001);
    assert_memory_equal(img->bank[1].bytes, "\xff\3\0\0", 4);
    assert_int_equal(img->bank[0].size, 12);
    assert_memory_equal(img->bank[0].bytes, "\0\0\0\0\x11\0\0\0\x22\0\0\0", 12);
    image_destroy(img);
    assert_int_equal(image_load(f->path, NULL, &img, &d), STATUS_BAD_INPUT);
    assert_non_null(strstr(d.text, "first, second"));
    for (size_t n = 0; n < strlen(CUBIN); n++) { /* cut off anywhere: no crash */
        write_bytes(f->path, CUBIN, n);
        try_load(f->path);
    }
}

/* An image with another note name has only the contents of an nvcc cubin, and is read as one. */
static void test_image_elf_cubin(void **state) {
    struct own_file *f = *state;
    struct image *img;
    struct diag d = {0};
    char *bytes;
    size_t size, at = 0;
    write_source_image(f);
    assert_int_equal(file_read(f->path, &bytes, &size, &d), STATUS_OK);
    while (at < size && memcmp(bytes + at, ".note.warpstep", 15) != 0) at++;
    bytes[at + 1] = 'x';
    write_bytes(f->path, bytes, size);
    free(bytes);
    assert_int_equal(image_load(f->path, NULL, &img, &d), STATUS_OK);
    assert_string_equal(img->name, "k");
    assert_int_equal(img->code_words, 4);
    assert_memory_equal(img->bank[1].bytes, "\xff\3\0\0", 4);
    assert_int_equal(img->param_count, 0);
    image_destroy(img);
    assert_int_equal(image_load(f->path, "other", &img, &d), STATUS_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_image_survives_writing_and_reading, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_image_of_several_kernels, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_image_limits_survive, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_image_truncated_anywhere_is_refused, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_image_with_any_byte_changed_does_no_harm, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_image_write_failure_leaves_nothing, setup, own_file_teardown),
        cmocka_unit_test(test_image_listing_says_all_of_it),
        cmocka_unit_test_setup_teardown(test_image_hex, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_image_missing_or_foreign_files, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_image_text_cubin, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_image_elf_cubin, setup, own_file_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
