/* SPDX-License-Identifier: Apache-2.0 */
/* The output of nvdisasm and cuobjdump around and in place of instructions: sections, labels, PTX, G2R with one type,
 * and gpgpu-sim's |g|. The layout is that of nvdisasm's public output; the words are those of the same instructions in
 * isa.md, or of a public listing of sm_12 (G2R). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../isa/isa.h"
#include "support.h"

#define HEADER "\t.headerflags    @\"EF_CUDA_SM11 EF_CUDA_PTX_SM(EF_CUDA_SM11)\"\n\t.elftype        @\"ET_EXEC\"\n\n\n"
#define INFO                                                                                                 \
    "//--------------------- .nv.info                  --------------------------\n"                         \
    "\t.section        .nv.info,\"\",@\"SHT_CUDA_INFO\"\n\t.align  4\n\n\n"                                  \
    "\t//----- nvinfo : EIATTR_MIN_STACK_SIZE\n\t.align\t\t4\n.L_0:\n"                                       \
    "        /*0000*/ \t.byte\t0x04, 0x12\n        /*0002*/ \t.short\t(.L_2 - .L_1)\n\t.align\t\t4\n.L_1:\n" \
    "        /*0004*/ \t.word\tindex@(_Z1kPi)\n        /*0008*/ \t.word\t0x00000000\n.L_2:\n\n\n"
#define CODE(name)                                                                                     \
    "\t.section\t.text." name ",\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=5\"\n\t.align\t4\n" \
    "        .global         " name "\n        .type           " name ",@function\n"                   \
    "        .size           " name ",(.L_19 - " name ")\n"                                            \
    "        .other          " name ",@\"STO_CUDA_ENTRY STV_DEFAULT\"\n" name ":\n.text." name ":\n"
#define LOOP                                                        \
    "        /*0000*/                   G2R.U16 R0H, g[0x6].U16;\n" \
    ".L_1:\n"                                                       \
    "        /*0008*/                   SSY `(.L_2);\n"             \
    "        /*0010*/                   BRA C0.NE, `(.L_1);\n"      \
    ".L_2:\n"                                                       \
    "        /*0018*/                   GST.U32 global14[R2], R1;\n.L_19:\n\n\n"

static void expect_code(const struct image *img, const uint32_t *words, size_t count) {
    assert_int_equal(img->code_words, count);
    for (size_t i = 0; i < count; i++)
        if (img->code[i] != words[i]) fail_msg("word %zu is %08x, expected %08x", i, img->code[i], words[i]);
}

static const uint32_t LOOP_WORDS[] = {0x10000c05, 0x40004780, 0xa0003003, 0x00000000,
                                      0x10001003, 0x00000280, 0xd00e0405, 0xa0c00781};

static void test_nvdisasm_sections(void **state) {
    (void)state;
    struct assembly a;
    assemble_good(HEADER INFO
                  "\t.section\t.nv.constant0,\"a\",@progbits\n\t.align\t4\n.nv.constant0:\n"
                  "        /*0000*/ \t.short\t0x0102, 0x0304\n\t.zero\t\t4\n"
                  "\t.section\t.nv.constant1._Z1kPi,\"a\",@progbits\n\t.align\t4\n.nv.constant1._Z1kPi:\n"
                  "        /*0000*/ \t.byte\t0xff, 0x03, 0x00, 0x00\n        /*0004*/ \t.word\t0x00000400\n\n\n"
                  "//--------------------- .text._Z1kPi  --------------------------\n" CODE("_Z1kPi") LOOP
                  "\t.section\t.nv.shared._Z1kPi,\"aw\",@nobits\n\t.align\t4\n\t.zero\t\t64\n"
                  "\t.section\t.nv.local._Z1kPi,\"aw\",@nobits\n\t.zero\t\t8\n"
                  "\t.section\t.debug_line,\"\",@progbits\n        /*0000*/ \t.byte\t0x10, 0x20\n",
                  &a);
    expect_code(a.image, LOOP_WORDS, 8);
    assert_string_equal(a.image->name, "_Z1kPi");
    assert_int_equal(a.image->arch, 11);
    assert_int_equal(a.image->regs, 5);
    assert_int_equal(a.image->shared_bytes, 16 + 256 + 64);
    assert_int_equal(a.image->local_bytes, 8);
    assert_int_equal(a.image->bank[0].size, 8);
    assert_memory_equal(a.image->bank[0].bytes, "\x02\x01\x04\x03\0\0\0\0", 8);
    assert_int_equal(a.image->bank[1].size, 8);
    assert_memory_equal(a.image->bank[1].bytes, "\xff\x03\0\0\0\x04\0\0", 8);
    assembly_release(&a);
}

/* Each kernel has its own labels; our own directives may occur in the text. */
static void test_nvdisasm_several_kernels(void **state) {
    (void)state;
    static const char TEXT[] = HEADER CODE("one") LOOP CODE("two") ".grid 3\n.global 0x10 = 7\n        NOP;\n" LOOP;
    struct messages m;
    struct assembly a;
    messages_init(&m, "k", TEXT, sizeof TEXT - 1);
    assert_int_equal(assemble_text("two", &a, &m), STATUS_OK);
    messages_release(&m);
    assert_int_equal(a.image->code_words, 10);
    assert_int_equal(a.image->code[4], 0xa0004003); /* SSY 0x20 */
    assert_int_equal(a.image->code[6], 0x10002003); /* BRA 0x10 */
    assert_int_equal(a.image->grid[0], 3);
    assert_int_equal(a.image->global_count, 1);
    assembly_release(&a);
}

/* With -hex the words follow the text. */
static void test_nvdisasm_with_words(void **state) {
    (void)state;
    struct assembly a;
    assemble_good(CODE("k") "        /*0000*/  IADD R1, R2, R3;  /* 0x0400c78020000405 */\n"
                            "        /*0008*/  BRA `(.L_19);     /* 0x0000078010002003 */\n.L_19:\n"
                            "        /*0010*/  NOP;              /* 0xe0000001f0000001 */\n",
                  &a);
    static const uint32_t WORDS[] = {0x20000405, 0x0400c780, 0x10002003, 0x00000780, 0xf0000001, 0xe0000001};
    expect_code(a.image, WORDS, 6);
    assembly_release(&a);
}

static void test_nvdisasm_errors(void **state) {
    (void)state;
    struct diag d = {0};
    assemble_bad("BRA `(.L_9)\n", &d);
    assert_non_null(strstr(d.text, "'.L_9' is not defined"));
    assemble_bad("BRA `.L_9\n", &d);
    assert_non_null(strstr(d.text, "expected `(LABEL)"));
    assemble_bad(CODE("k") LOOP "\t.section .nv.constant14.k,\"a\"\n\t.word 32@lo(table)\n", &d);
    assert_non_null(strstr(d.text, "expected numbers"));
}

static const char PTX[] =
    "\nFatbin ptx code:\n================\narch = sm_10\ncode version = [1,4]\nproducer = cuda\n\n"
    "\t.version 1.4\n\t.target sm_10, map_f64_to_f32\n\t.entry _Z1kPi (\n"
    "\t\t.param .u64 __cudaparm_a)\n\t{\n\t.reg .u32 %r<4>;\n\t.loc\t16\t1\t0\n$LDWbegin:\n"
    "\tadd.u32 \t%r1, %r2, %r3;\n\texit;\n\t} // _Z1kPi\n\n";
static const char SASS[] =
    "Fatbin elf code:\n================\narch = sm_10\n\n\tcode for sm_10\n\t\tFunction : _Z1kPi\n"
    "\t/*0000*/     /*0x200004050400c781*/ \tIADD R1, R2, R3;\n\t\t...........\n";

static void test_nvdisasm_passes_over_ptx(void **state) {
    (void)state;
    static const uint32_t WORDS[] = {0x20000405, 0x0400c781};
    const char *const orders[][3] = {
        {PTX,      SASS, "" },
        {SASS,     PTX,  "" },
        {PTX,      SASS, PTX},
        {PTX + 86, SASS, "" }
    };
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        char text[2000];
        struct assembly a;
        snprintf(text, sizeof text, "%s%s%s", orders[i][0], orders[i][1], orders[i][2]);
        assemble_good(text, &a);
        assert_string_equal(a.image->name, "_Z1kPi");
        expect_code(a.image, WORDS, 2);
        assembly_release(&a);
    }
    struct diag d = {0};
    assemble_bad(PTX, &d);
    assert_non_null(strstr(d.text, "it has PTX, which is not machine code"));
}

static void expect_word(const char *text, uint32_t lo, uint32_t hi, const char *printed) {
    struct isa_error error;
    struct isa_insn insn;
    char found[ISA_TEXT_MAX];
    uint32_t got_lo, got_hi;
    if (!isa_parse(text, strlen(text), NULL, &got_lo, &got_hi, &error)) fail_msg("%s: %s", text, error.text);
    if (got_lo != lo || got_hi != hi) fail_msg("%s: %08x %08x", text, got_lo, got_hi);
    assert_int_equal(isa_decode(lo, hi, &insn), ISA_OK);
    isa_print(&insn, ISA_DIALECT_65, found, sizeof found);
    assert_string_equal(found, printed);
}

static void test_nvdisasm_types_of_shared_cells(void **state) {
    (void)state;
    expect_word("G2R.U16 R0H, g[0x6].U16", 0x10000c05, 0x40004780, "G2R.U16 R0H, g[0x6].U16");
    expect_word("G2R.U16.U16 R0H, g [0x6]", 0x10000c05, 0x40004780, "G2R.U16 R0H, g[0x6].U16");
    expect_word("G2R.U16 R1L, g[0x10].U8", 0x10002009, 0x40000780, "G2R.U16 R1L, g[0x10].U8");
    expect_word("G2R.U16 R1L, g[0x6].S16", 0x10000c09, 0x40008780, "G2R.U16 R1L, g[0x6].S16");
    expect_word("G2R.U32 R1, g[0x4]", 0x10000805, 0x4400c780, "G2R R1, g[0x4]");
    expect_word("G2R R1 (C0.NE), g[A1+0x4].U8", 0x14000805, 0x44000280, "G2R R1 (C0.NE), g[A1+0x4].U8");
    expect_word("R2G.U32 g[0x8], R1", 0x00001001, 0xe4204780, "R2G.U32.U32 g[0x8], R1");
    expect_word("R2G.U16 g[0x8].U16, R1L", 0x00001001, 0xe0008780, "R2G.U16.U16 g[0x8], R1L");
    expect_word("IADD R1, g [0x4], R3", 0x2000c805, 0x0420c780, "IADD R1, g[0x4], R3");
}

static void test_nvdisasm_bars_of_gpgpu_sim(void **state) {
    (void)state;
    expect_word("I2I.U32.S32 R1, |g| [0x4]", 0xa000c805, 0x04314780, "I2I.U32.S32 R1, |g[0x4]|");
    expect_word("I2I.U32.S16 R1, -|g| [0x6].S16;", 0xa0008c05, 0x24310780, "I2I.U32.S16 R1, -|g[0x6].S16|");
    expect_word("F2F.F32.F32 R1, |g| [A1+0x4]", 0xa400c805, 0xc4304780, "F2F.F32.F32 R1, |g[A1+0x4]|");
    expect_word("FMAX R1, |g| [0x4], |R3|", 0xb003c805, 0x80380780, "FMAX R1, |g[0x4]|, |R3|");
    expect_word("I2I.U32.S32 R1, |R2|", 0xa0000405, 0x04114780, "I2I.U32.S32 R1, |R2|");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nvdisasm_sections),          cmocka_unit_test(test_nvdisasm_several_kernels),
        cmocka_unit_test(test_nvdisasm_with_words),        cmocka_unit_test(test_nvdisasm_errors),
        cmocka_unit_test(test_nvdisasm_passes_over_ptx),   cmocka_unit_test(test_nvdisasm_types_of_shared_cells),
        cmocka_unit_test(test_nvdisasm_bars_of_gpgpu_sim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
