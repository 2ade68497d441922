/* SPDX-License-Identifier: Apache-2.0 */
/* ELF cubins of both classes, built with libelf after docs/inputs.md; and a kernel that takes its data from c [0x0], c
 * [0x1] and, through a relocation, c [0xe], run by warp-run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../base/file.h"
#include "../image_load.h"
#include "cubin_builder.h"
#include "own_file.h"
#include "support.h"

static const int CLASSES[] = {ELFCLASS32, ELFCLASS64};

static int setup(void **state) { return own_file_setup(state, "k.cubin"); }

static enum status load(const struct own_file *f, const char *kernel, struct image **img, struct diag *d) {
    const struct image_choice choice = {.kernel = kernel, .variables = IMAGE_VARIABLES};
    *d = (struct diag){0};
    return image_load_as(f->path, &choice, img, d);
}

static struct image *load_good(const struct own_file *f, const char *kernel) {
    struct image *img;
    struct diag d;
    if (load(f, kernel, &img, &d) != STATUS_OK) fail_msg("%s", d.text);
    return img;
}

static void expect_refused(const struct own_file *f, const char *kernel, const char *message) {
    struct image *img;
    struct diag d;
    assert_int_equal(load(f, kernel, &img, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.text, message);
    assert_null(img);
}

static bool has_note(const struct image *img, const char *note) {
    for (size_t i = 0; i < img->note_count; i++)
        if (strcmp(img->notes[i], note) == 0) return true;
    return false;
}

static void assert_word(const struct image *img, unsigned bank, size_t offset, uint32_t expected) {
    const uint8_t *p = img->bank[bank].bytes + offset;
    assert_true(offset + 4 <= img->bank[bank].size);
    assert_int_equal((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24, expected);
}

/* IADD R3, R2, R1; NOP with END */
static const uint32_t CODE[] = {0x2000040d, 0x04004780, 0xf0000001, 0xe0000001};

static size_t add_kernel(struct cubin_builder *b, const char *name) {
    char section[64];
    snprintf(section, sizeof section, ".text.%s", name);
    const size_t code = cubin_builder_section(b, section, SHT_PROGBITS, CODE, sizeof CODE);
    b->section[code].flags = SHF_ALLOC | SHF_EXECINSTR;
    cubin_builder_symbol(b, name, STT_FUNC, 0x10, code, 0, sizeof CODE);
    return code;
}

/* ---- what is read ---- */

static void test_cubin_elf_sections(void **state) {
    struct own_file *f = *state;
    static const uint32_t literals[] = {0x3ff, 0xff}, of_file[] = {1, 2, 3}, others[] = {9};
    for (size_t i = 0; i < 2; i++) {
        struct cubin_builder *b = cubin_builder_create(CLASSES[i], 12);
        const size_t code = add_kernel(b, "k");
        b->section[code].info = 7u << 24 | 1;
        b->section[code].flags |= 3u << 20;
        cubin_builder_section(b, ".nv.constant1.k", SHT_PROGBITS, literals, sizeof literals);
        cubin_builder_section(b, ".nv.constant0", SHT_PROGBITS, of_file, sizeof of_file);
        cubin_builder_section(b, ".nv.constant2", SHT_NOBITS, NULL, 12);
        cubin_builder_section(b, ".nv.constant2.k", SHT_PROGBITS, others, sizeof others);
        cubin_builder_section(b, ".nv.constant1.other", SHT_PROGBITS, others, sizeof others);
        cubin_builder_section(b, ".nv.local.k", SHT_NOBITS, NULL, 24);
        cubin_builder_section(b, ".nv.local.other", SHT_NOBITS, NULL, 400);
        assert_int_equal(cubin_builder_write(b, f->path), 0);

        struct image *img = load_good(f, NULL);
        assert_string_equal(img->name, "k");
        assert_int_equal(img->arch, 12);
        assert_int_equal(img->code_words, 4);
        assert_memory_equal(img->code, CODE, sizeof CODE);
        assert_int_equal(img->regs, 7);
        assert_int_equal(img->local_bytes, 24);
        assert_int_equal(img->shared_bytes, 0);
        assert_int_equal(img->bank[0].size, 12);
        assert_word(img, 0, 8, 3);
        assert_int_equal(img->bank[1].size, 8);
        assert_word(img, 1, 4, 0xff);
        assert_int_equal(img->bank[2].size, 12);
        assert_word(img, 2, 0, 9);
        assert_true(has_note(img, "barriers: 3"));
        image_destroy(img);
    }
}

/* Registers: those of the section header, unless the code uses more; without a header value, those of the code. */
static void test_cubin_elf_registers(void **state) {
    struct own_file *f = *state;
    static const struct {
        uint32_t given, attribute; /* 0: none */
        unsigned regs;
    } cases[] = {
        {0,  0,  0 },
        {2,  0,  4 },
        {4,  0,  4 },
        {20, 0,  20},
        {20, 9,  20},
        {9,  20, 20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cubin_builder *b = cubin_builder_create(ELFCLASS32, 10);
        const size_t code = add_kernel(b, "k");
        b->section[code].info = cases[i].given << 24;
        const uint32_t count[] = {1, cases[i].attribute};
        uint8_t bytes[16];
        const size_t size = cubin_builder_attribute(bytes, 0, 0x2f, count, 2);
        if (cases[i].attribute != 0) cubin_builder_section(b, ".nv.info", SHT_PROGBITS, bytes, size);
        assert_int_equal(cubin_builder_write(b, f->path), 0);
        struct image *img = load_good(f, NULL);
        assert_int_equal(img->regs, cases[i].regs);
        assert_int_equal(image_regs_used(img), 4);
        image_destroy(img);
    }
}

/* Header, parameters as in the attributes, then the statics. */
static void test_cubin_elf_shared_and_attributes(void **state) {
    struct own_file *f = *state;
    static const uint32_t first[] = {0, 0x00000000, 0x0021f000}, second[] = {0, 0x00080001, 0x0011f000};
    static const uint32_t block[] = {64, 2, 1}, unknown[] = {1, 2, 3};
    for (size_t i = 0; i < 2; i++) {
        struct cubin_builder *b = cubin_builder_create(CLASSES[i], 10);
        uint8_t bytes[128] = {0x02, 0x33, 0x01, 0x00, 0x03, 0x1b, 0x10, 0x00, 0x01, 0x04, 0x00, 0x00};
        size_t used = cubin_builder_attribute(bytes, 12, 0x17, second, 3);
        used = cubin_builder_attribute(bytes, used, 0x7f, unknown, 3);
        used = cubin_builder_attribute(bytes, used, 0x17, first, 3);
        used = cubin_builder_attribute(bytes, used, 0x10, block, 3);
        add_kernel(b, "k");
        const size_t shared = cubin_builder_section(b, ".nv.shared.k", SHT_NOBITS, NULL, 100);
        b->section[shared].align = 16;
        cubin_builder_section(b, ".nv.info.k", SHT_PROGBITS, bytes, used);
        const uint32_t frame[] = {1, 48}, stack[] = {1, 40};
        used = cubin_builder_attribute(bytes, 0, 0x11, frame, 2);
        used = cubin_builder_attribute(bytes, used, 0x12, stack, 2);
        cubin_builder_section(b, ".nv.info", SHT_PROGBITS, bytes, used);
        assert_int_equal(cubin_builder_write(b, f->path), 0);

        struct image *img = load_good(f, NULL);
        assert_int_equal(img->shared_bytes, 32 + 100); /* 16 + 12 of parameters, up to 16, statics */
        assert_int_equal(img->local_bytes, 48);
        assert_int_equal(img->block[0], 64);
        assert_int_equal(img->block[1], 2);
        assert_true(has_note(img, "parameter 0: shared byte 0x10, 8 bytes"));
        assert_true(has_note(img, "parameter 1: shared byte 0x18, 4 bytes"));
        assert_true(has_note(img, "parameters: 12 bytes"));
        image_destroy(img);
    }
}

/* The size of the parameters is the largest that the attributes give, in any form; a block shape with a number outside
 * 1 to 65535 is ignored. */
static void test_cubin_elf_size_of_the_parameters(void **state) {
    struct own_file *f = *state;
    static const uint32_t large[] = {0, 0, 256u << 18 | 0x1f000}, sized = 260, cbank[] = {1, 264u << 16};
    static const uint32_t blocks[][3] = {
        {64, 0,     1    },
        {1,  65536, 1    },
        {1,  1,     65536},
        {0,  1,     1    },
    };
    static const struct {
        unsigned id;
        const uint32_t *values;
        size_t count;
        unsigned shared;
    } CASES[] = {
        {0x17, large,  3, 16 + 256},
        {0x18, &sized, 1, 16 + 260},
        {0x19, &sized, 1, 16 + 260},
        {0x0a, cbank,  2, 16 + 264},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct cubin_builder *b = cubin_builder_create(ELFCLASS32, 10);
        uint8_t bytes[64];
        size_t used = cubin_builder_attribute(bytes, 0, CASES[i].id, CASES[i].values, CASES[i].count);
        used = cubin_builder_attribute(bytes, used, 0x10, blocks[i], 3);
        add_kernel(b, "k");
        cubin_builder_section(b, ".nv.info.k", SHT_PROGBITS, bytes, used);
        assert_int_equal(cubin_builder_write(b, f->path), 0);
        struct image *img = load_good(f, NULL);
        assert_int_equal(img->shared_bytes, CASES[i].shared);
        assert_int_equal(img->block[0], 0);
        image_destroy(img);
    }
}

/* Without attributes there is room for the parameters of any kernel, as far as the machine has it. */
static void test_cubin_elf_shared_without_attributes(void **state) {
    struct own_file *f = *state;
    static const struct {
        size_t statics;
        unsigned shared;
    } cases[] = {
        {100,   16 + 256 + 100},
        {16300, 16384         },
        {16384, 16384         },
        {20000, 20000         }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cubin_builder *b = cubin_builder_create(ELFCLASS64, 10);
        add_kernel(b, "k");
        cubin_builder_section(b, ".nv.shared.k", SHT_NOBITS, NULL, cases[i].statics);
        assert_int_equal(cubin_builder_write(b, f->path), 0);
        struct image *img = load_good(f, NULL);
        assert_int_equal(img->shared_bytes, cases[i].shared);
        image_destroy(img);
    }
}

/* Shared variables begin at a multiple of their alignment; an alignment above 256 is ignored. A size of 4 GB is
 * damage. */
static void test_cubin_elf_alignment_of_shared_variables(void **state) {
    struct own_file *f = *state;
    static const struct {
        uint64_t align;
        unsigned shared;
    } cases[] = {
        {4,   16 + 256 + 100},
        {64,  320 + 100     },
        {256, 512 + 100     },
        {512, 16 + 256 + 100}
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cubin_builder *b = cubin_builder_create(ELFCLASS64, 10);
        add_kernel(b, "k");
        const size_t shared = cubin_builder_section(b, ".nv.shared.k", SHT_NOBITS, NULL, 100);
        b->section[shared].align = cases[i].align;
        assert_int_equal(cubin_builder_write(b, f->path), 0);
        struct image *img = load_good(f, NULL);
        assert_int_equal(img->shared_bytes, cases[i].shared);
        image_destroy(img);
    }
    struct cubin_builder *b = cubin_builder_create(ELFCLASS64, 10);
    add_kernel(b, "k");
    cubin_builder_section(b, ".nv.shared.k", SHT_NOBITS, NULL, 0xffffff00);
    assert_int_equal(cubin_builder_write(b, f->path), 0);
    expect_refused(f, NULL, "section .nv.shared.k is damaged");
}

static void test_cubin_elf_kernels(void **state) {
    struct own_file *f = *state;
    struct cubin_builder *b = cubin_builder_create(ELFCLASS64, 10);
    add_kernel(b, "first");
    add_kernel(b, "second");
    const size_t code = cubin_builder_section(b, ".text.helper", SHT_PROGBITS, CODE, sizeof CODE);
    cubin_builder_symbol(b, "helper", STT_FUNC, 0, code, 0, sizeof CODE);
    assert_int_equal(cubin_builder_write(b, f->path), 0);
    expect_refused(f, NULL, "file has several kernels (first, second); choose one with --kernel");
    expect_refused(f, "third", "there is no kernel 'third'; the file has first, second");
    struct image *img = load_good(f, "second");
    assert_string_equal(img->name, "second");
    image_destroy(img);
    img = load_good(f, "helper"); /* a function that is no kernel, by name */
    image_destroy(img);
    b = cubin_builder_create(ELFCLASS64, 10);
    add_kernel(b, "k");
    add_kernel(b, "k");
    assert_int_equal(cubin_builder_write(b, f->path), 0);
    expect_refused(f, "k", "several kernels have that name (k, k)");
    b = cubin_builder_create(ELFCLASS64, 10);
    assert_int_equal(cubin_builder_write(b, f->path), 0);
    expect_refused(f, NULL, "file has no kernel");
}

static void test_cubin_elf_other_architectures(void **state) {
    struct own_file *f = *state;
    static const unsigned archs[] = {20, 30, 9, 14};
    for (size_t i = 0; i < 4; i++) {
        char message[100];
        struct cubin_builder *b = cubin_builder_create(ELFCLASS64, archs[i]);
        add_kernel(b, "k");
        assert_int_equal(cubin_builder_write(b, f->path), 0);
        snprintf(message, sizeof message, "cubin is for sm_%u; only sm_10, sm_11, sm_12 and sm_13 can be read",
                 archs[i]);
        expect_refused(f, NULL, message);
    }
    struct cubin_builder *b = cubin_builder_create(ELFCLASS32, 0); /* says nothing */
    add_kernel(b, "k");
    assert_int_equal(cubin_builder_write(b, f->path), 0);
    image_destroy(load_good(f, NULL));
    b = cubin_builder_create(ELFCLASS32, 10);
    b->big_endian = true;
    add_kernel(b, "k");
    assert_int_equal(cubin_builder_write(b, f->path), 0);
    expect_refused(f, NULL, "ELF file is damaged");
}

/* ---- variables and relocations ---- */

struct linked {
    size_t init, zero; /* sections of variables */
    size_t table, result, own;
};

static struct linked add_variables(struct cubin_builder *b) {
    static const uint32_t initial[] = {100, 101, 102, 103, 0};
    struct linked l;
    l.zero = cubin_builder_section(b, ".nv.global", SHT_NOBITS, NULL, 64);
    b->section[l.zero].align = 256;
    l.init = cubin_builder_section(b, ".nv.global.init", SHT_PROGBITS, initial, sizeof initial);
    b->section[l.init].align = 8;
    l.table = cubin_builder_symbol(b, "table", STT_OBJECT, 0, l.init, 0, 16);
    l.result = cubin_builder_symbol(b, "result", STT_OBJECT, 0, l.zero, 32, 32);
    l.own = cubin_builder_symbol(b, "", STT_SECTION, 0, l.init, 0, 0);
    return l;
}

static void test_cubin_elf_variables(void **state) {
    struct own_file *f = *state;
    static const uint32_t addresses[] = {4, 0, 0};
    for (size_t i = 0; i < 2; i++) {
        struct cubin_builder *b = cubin_builder_create(CLASSES[i], 10);
        add_kernel(b, "k");
        const struct linked l = add_variables(b);
        cubin_builder_section(b, ".nv.constant14", SHT_PROGBITS, addresses, sizeof addresses);
        cubin_builder_relocation(b, ".rel.nv.constant14", SHT_REL, 0, 1, l.table, 0);
        cubin_builder_relocation(b, ".rela.nv.constant14", SHT_RELA, 4, 3, l.result, 8);
        cubin_builder_relocation(b, ".rel.nv.global.init", SHT_REL, 16, 1, l.own, 0);
        assert_int_equal(cubin_builder_write(b, f->path), 0);

        struct image *img = load_good(f, NULL);
        assert_word(img, 14, 0, 0x20040 + 4);      /* the old value is the addend */
        assert_word(img, 14, 4, 0x20000 + 32 + 8); /* the addend of the table */
        assert_word(img, 14, 8, 0);
        assert_int_equal(img->global_count, 2);
        assert_int_equal(img->global[0].addr, 0x20000);
        assert_int_equal(img->global[0].size, 64);
        assert_int_equal(img->global[1].addr, 0x20040);
        assert_memory_equal(img->global[1].bytes, "\x64\0\0\0\x65\0\0\0", 8);
        assert_memory_equal(img->global[1].bytes + 16, "\x40\0\2\0", 4); /* a pointer to its own section */
        assert_true(has_note(img, "table: global 0x20040, 16 bytes"));
        assert_true(has_note(img, "result: global 0x20020, 32 bytes"));
        const struct image_variable *result = image_find_variable(img, "result", 6);
        assert_non_null(result);
        assert_int_equal(result->addr, 0x20020);
        assert_int_equal(result->size, 32);
        image_destroy(img);
    }
}

/* 64 bits by types 2 and 4, also with a negative addend in the table; an absolute symbol is its value; relocations of
 * another kernel are ignored. */
static void test_cubin_elf_kinds_of_relocations(void **state) {
    struct own_file *f = *state;
    static const uint32_t words[] = {0xffffffff, 0, 0xffffffff, 0, 7, 0, 9, 9}, own[] = {5};
    struct cubin_builder *b = cubin_builder_create(ELFCLASS64, 10);
    add_kernel(b, "k");
    const struct linked l = add_variables(b);
    const size_t absolute = cubin_builder_symbol(b, "absolute", STT_OBJECT, 0, SHN_ABS, 0x1234, 0);
    cubin_builder_section(b, ".nv.constant14", SHT_PROGBITS, words, sizeof words);
    cubin_builder_section(b, ".nv.constant1.k", SHT_PROGBITS, own, sizeof own);
    cubin_builder_section(b, ".nv.constant1.other", SHT_PROGBITS, own, sizeof own);
    cubin_builder_relocation(b, ".rel.nv.constant14", SHT_REL, 0, 2, l.result, 0);
    cubin_builder_relocation(b, ".rel.nv.constant14", SHT_REL, 8, 4, l.result, 0);
    cubin_builder_relocation(b, ".rel.nv.constant14", SHT_REL, 16, 1, absolute, 0);
    cubin_builder_relocation(b, ".rel.nv.constant14", SHT_REL, 20, 0, absolute, 0);
    cubin_builder_relocation(b, ".rela.nv.constant14", SHT_RELA, 24, 2, l.result, -8);
    cubin_builder_relocation(b, ".rel.nv.constant1.other", SHT_REL, 0, 1, absolute, 0);
    assert_int_equal(cubin_builder_write(b, f->path), 0);
    struct image *img = load_good(f, NULL);
    for (size_t i = 0; i < 2; i++) {
        assert_word(img, 14, 8 * i, 0x2001f); /* 0xffffffff + 0x20020 */
        assert_word(img, 14, 8 * i + 4, 1);
    }
    assert_word(img, 14, 16, 7 + 0x1234);
    assert_word(img, 14, 20, 0);
    assert_word(img, 14, 24, 0x20018); /* 0x20020 - 8 in place of 9 and 9 */
    assert_word(img, 14, 28, 0);
    assert_word(img, 1, 0, 5);
    image_destroy(img);
}

/* A section of variables begins at its alignment, up to 4096 bytes. */
static void test_cubin_elf_alignment_of_variables(void **state) {
    struct own_file *f = *state;
    struct cubin_builder *b = cubin_builder_create(ELFCLASS32, 10);
    static const size_t aligns[] = {4, 4096, 8192}, places[] = {0x20000, 0x21000, 0x21004};
    static const char *const names[] = {".nv.global.a", ".nv.global.b", ".nv.global.c"};
    add_kernel(b, "k");
    for (size_t i = 0; i < 3; i++)
        b->section[cubin_builder_section(b, names[i], SHT_NOBITS, NULL, 4)].align = aligns[i];
    assert_int_equal(cubin_builder_write(b, f->path), 0);
    struct image *img = load_good(f, NULL);
    assert_int_equal(img->global_count, 3);
    for (size_t i = 0; i < 3; i++) assert_int_equal(img->global[i].addr, places[i]);
    image_destroy(img);
}

/* The message follows "section NAME: ". */
static void refuse_relocation(const struct own_file *f, const char *section, uint64_t offset, size_t symbol,
                              const char *message) {
    static const uint32_t zero = 0;
    char whole[200];
    snprintf(whole, sizeof whole, "section %s: %s", section, message);
    for (size_t i = 0; i < 2; i++) {
        struct cubin_builder *b = cubin_builder_create(CLASSES[i], 10);
        add_kernel(b, "k"); /* symbol 1 */
        cubin_builder_symbol(b, "missing", STT_OBJECT, 0, SHN_UNDEF, 0, 0);
        cubin_builder_section(b, ".nv.constant14", SHT_PROGBITS, &zero, sizeof zero);
        cubin_builder_relocation(b, section, SHT_REL, offset, 1, symbol, 0);
        assert_int_equal(cubin_builder_write(b, f->path), 0);
        expect_refused(f, NULL, whole);
    }
}

static void test_cubin_elf_bad_relocations(void **state) {
    struct own_file *f = *state;
    static const char bank[] = ".rel.nv.constant14";
    refuse_relocation(f, bank, 2, 1, "relocation beyond the end of its section");
    refuse_relocation(f, bank, 0xfffffffe, 1, "relocation beyond the end of its section");
    refuse_relocation(f, bank, 0, 77, "relocation against a symbol that does not exist");
    refuse_relocation(f, bank, 0, 2, "relocation against a symbol without an address: 'missing'");
    refuse_relocation(f, ".rel.text.k", 0, 1, "relocations of code cannot be applied");
}

/* ---- damage ---- */

/* Truncated anywhere, or with any byte changed: the file loads, or there is a message. */
static void test_cubin_elf_damaged(void **state) {
    struct own_file *f = *state;
    for (size_t i = 0; i < 2; i++) {
        struct cubin_builder *b = cubin_builder_create(CLASSES[i], 10);
        char *bytes;
        size_t size;
        struct diag d;
        struct image *img;
        static const uint32_t zero = 0;
        add_kernel(b, "k");
        const struct linked l = add_variables(b);
        cubin_builder_section(b, ".nv.constant14", SHT_PROGBITS, &zero, sizeof zero);
        cubin_builder_relocation(b, ".rel.nv.constant14", SHT_REL, 0, 1, l.table, 0);
        assert_int_equal(cubin_builder_write(b, f->path), 0);
        assert_int_equal(file_read(f->path, &bytes, &size, &d), STATUS_OK);
        for (size_t n = 0; n < size; n++) {
            write_bytes(f->path, bytes, n);
            assert_true(load(f, NULL, &img, &d) == STATUS_OK || d.text[0] != '\0');
            image_destroy(img);
            if (n < sizeof(Elf64_Ehdr)) continue;
            char cut[128]; /* the table ends the file */
            snprintf(cut, sizeof cut, "ELF file is cut off: its table of sections is not within its %zu bytes", n);
            expect_refused(f, NULL, cut);
        }
        for (size_t n = 0; n < 2 * size; n++) {
            const char saved = bytes[n / 2];
            bytes[n / 2] = n % 2 == 0 ? (char)0xff : (char)(saved ^ 4);
            write_bytes(f->path, bytes, size);
            assert_true(load(f, NULL, &img, &d) == STATUS_OK || d.text[0] != '\0');
            image_destroy(img);
            bytes[n / 2] = saved;
        }
        free(bytes);
    }
}

/* Section headers end the file: zeros behind them count as headers if e_shnum includes them. */
static void test_cubin_elf_too_many_sections(void **state) {
    struct own_file *f = *state;
    enum { SECTIONS = 8193 };
    for (size_t i = 0; i < 2; i++) {
        const size_t header = CLASSES[i] == ELFCLASS32 ? sizeof(Elf32_Shdr) : sizeof(Elf64_Shdr);
        const size_t count_at =
            CLASSES[i] == ELFCLASS32 ? offsetof(Elf32_Ehdr, e_shnum) : offsetof(Elf64_Ehdr, e_shnum);
        struct cubin_builder *b = cubin_builder_create(CLASSES[i], 10);
        char *bytes;
        size_t size;
        struct diag d = {0};
        struct image *img;
        add_kernel(b, "k");
        assert_int_equal(cubin_builder_write(b, f->path), 0);
        assert_int_equal(file_read(f->path, &bytes, &size, &d), STATUS_OK);
        char *grown = calloc(1, size + SECTIONS * header);
        assert_non_null(grown);
        memcpy(grown, bytes, size);
        grown[count_at] = (char)(SECTIONS & 0xff);
        grown[count_at + 1] = (char)(SECTIONS >> 8);
        write_bytes(f->path, grown, size + SECTIONS * header);
        assert_int_equal(load(f, NULL, &img, &d), STATUS_BAD_INPUT);
        assert_string_equal(d.text, "ELF file has more than 8192 sections");
        free(grown);
        free(bytes);
    }
}

/* ---- through the tools ---- */

static void expect_command(const struct own_file *f, const char *format, int code, const char *part) {
    char command[1024], output[8192];
    int n = snprintf(command, sizeof command, "K=%s; PATH=build/bin:$PATH; (%s) 2>&1", f->path, format);
    assert_true(n > 0 && n < (int)sizeof command);
    FILE *p = popen(command, "r");
    assert_non_null(p);
    output[fread(output, 1, sizeof output - 1, p)] = '\0';
    const int got = WEXITSTATUS(pclose(p));
    if (got != code || strstr(output, part) == NULL) fail_msg("%s\nexit code %d:\n%s", command, got, output);
}

/* result[tid] = table[tid] + c [0x1] [0x0] + c [0x0] [0x1]: 100 + tid + 0x3ff + 7 */
static const char LOOKUP[] = "I2I.U32.U16 R1, R0L\nSHL R1, R1, 0x2\n"
                             "MVC R2, c [0xe] [0x0]\nIADD R2, R2, R1\nGLD.U32 R3, global14 [R2]\n"
                             "MVC R4, c [0x1] [0x0]\nIADD R3, R3, R4\nMVC R4, c [0x0] [0x1]\nIADD R3, R3, R4\n"
                             "MVC R2, c [0xe] [0x1]\nIADD R2, R2, R1\nGST.U32 global14 [R2], R3\n";

static void write_lookup(const struct own_file *f, int elf_class) {
    static const uint32_t literal = 0x3ff, of_file[] = {0, 7}, addresses[] = {0, 0};
    struct assembly a;
    assemble_good(LOOKUP, &a);
    struct cubin_builder *b = cubin_builder_create(elf_class, 10);
    const size_t code = cubin_builder_section(b, ".text.k", SHT_PROGBITS, a.image->code, a.image->code_words * 4);
    cubin_builder_symbol(b, "k", STT_FUNC, 0x10, code, 0, a.image->code_words * 4);
    assembly_release(&a);
    const struct linked l = add_variables(b);
    cubin_builder_section(b, ".nv.constant1.k", SHT_PROGBITS, &literal, sizeof literal);
    cubin_builder_section(b, ".nv.constant0", SHT_PROGBITS, of_file, sizeof of_file);
    cubin_builder_section(b, ".nv.constant14", SHT_PROGBITS, addresses, sizeof addresses);
    cubin_builder_relocation(b, ".rel.nv.constant14", SHT_REL, 0, 1, l.table, 0);
    cubin_builder_relocation(b, ".rela.nv.constant14", SHT_RELA, 4, 1, l.result, 0);
    assert_int_equal(cubin_builder_write(b, f->path), 0);
}

static void test_cubin_elf_runs(void **state) {
    struct own_file *f = *state;
    for (size_t i = 0; i < 2; i++) {
        write_lookup(f, CLASSES[i]);
        expect_command(f, "warp-run --strict $K --block 4 --expect 0x20020=6a0400006b0400006c0400006d040000", 0,
                       "pass");
        expect_command(f, "warp-run $K --block 4 --expect 0x20020=6a0400006b0400006c0400006e040000", 1,
                       "0x0002002c: expected 6e 04 00 00, found 6d 04 00 00");
        expect_command(f, "warp-run $K --block 4 --variables 0x100 --expect 0x120=6a0400006b0400006c0400006d040000", 0,
                       "pass");
        expect_command(f, "warp-run $K --variables 0x3fff8", 2, "global memory ends at 262144");
    }
}

/* The output of warp-dis for a cubin assembles to an equivalent kernel. */
static void test_cubin_elf_listing_assembles(void **state) {
    struct own_file *f = *state;
    write_lookup(f, ELFCLASS32);
    expect_command(f, "warp-dis $K", 0, "// table: global 0x20040, 16 bytes");
    expect_command(f,
                   "warp-dis $K > $K.1 && warp-as $K.1 -o $K.img && warp-dis $K.img > $K.2 && "
                   "grep -v // $K.1 | diff - $K.2 && "
                   "warp-run --strict $K.img --block 4 --expect 0x20020=6a0400006b0400006c0400006d040000; "
                   "e=$?; rm $K.*; exit $e",
                   0, "pass");
}

/* All banks together have at most 8 KB: contract section 3. */
static void test_cubin_elf_too_many_constants(void **state) {
    struct own_file *f = *state;
    static const uint8_t zeros[4097];
    for (size_t extra = 0; extra < 2; extra++) {
        struct cubin_builder *b = cubin_builder_create(ELFCLASS32, 10);
        add_kernel(b, "k");
        cubin_builder_section(b, ".nv.constant0", SHT_PROGBITS, zeros, 4096);
        cubin_builder_section(b, ".nv.constant1.k", SHT_PROGBITS, zeros, 4096 + extra);
        assert_int_equal(cubin_builder_write(b, f->path), 0);
        expect_command(f, "warp-run $K", extra == 0 ? 0 : 2,
                       extra == 0 ? "pass" : "launch does not fit: constant bytes 8196, the machine has 8192");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cubin_elf_sections, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_registers, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_size_of_the_parameters, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_kinds_of_relocations, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_alignment_of_variables, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_shared_and_attributes, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_shared_without_attributes, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_alignment_of_shared_variables, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_kernels, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_other_architectures, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_variables, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_bad_relocations, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_damaged, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_too_many_sections, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_runs, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_listing_assembles, setup, own_file_teardown),
        cmocka_unit_test_setup_teardown(test_cubin_elf_too_many_constants, setup, own_file_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
