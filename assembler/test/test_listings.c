/* SPDX-License-Identifier: Apache-2.0 */
/* Listings in cuobjdump's format, in both dialects, made of real pairs of words and text: each must assemble unchanged
 * to the same words, and --verify must agree with its comments. The pairs come from golden/encodings. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../check/verify.h"
#include "support.h"

enum { ROWS_MAX = 1000, TEXT_MAX = 1 << 18, ROWS_PER_KERNEL = 40 };

struct rows {
    struct {
        uint32_t lo, hi;
        bool is_long;
        char text[96]; /* without spaces before brackets */
    } row[ROWS_MAX];
    size_t count;
};

static void add_row(struct rows *r, const char *words, const char *text) {
    assert_true(r->count < ROWS_MAX);
    parse_words(words, &r->row[r->count].lo, &r->row[r->count].hi);
    r->row[r->count].is_long = (r->row[r->count].lo & 1) != 0;
    snprintf(r->row[r->count].text, sizeof r->row[0].text, "%s", text);
    normalize_spaces(r->row[r->count++].text);
}

static struct rows *read_rows(void) {
    char line[8192], words[64], *column[TSV_COLUMNS_MAX];
    size_t count;
    struct rows *r = calloc(1, sizeof *r);
    FILE *f = fopen("golden/encodings/nvcc.tsv", "r");
    assert_true(r != NULL && f != NULL);
    while (tsv_next(f, line, sizeof line, column, &count)) add_row(r, column[0], column[1]);
    fclose(f);
    f = fopen("golden/encodings/instructions.tsv", "r");
    assert_non_null(f);
    while (tsv_next(f, line, sizeof line, column, &count)) {
        if (count < 6 || strcmp(column[5], "cuobjdump") != 0) continue;
        snprintf(words, sizeof words, "%s %s", column[1], column[2]);
        add_row(r, words, column[3]);
    }
    fclose(f);
    return r;
}

/* ---- the forms of a listing ---- */

enum form { CUDA3, CUDA5, CUDA5_MIXED, TWO_LINES, DOS, FORM_COUNT };

/* "g[0x4]" becomes "g [0x4]"; CUDA 5 does that to g only. */
static void put_spaced(FILE *f, const char *text, bool all) {
    for (const char *s = text; *s != '\0'; s++) {
        bool bracket = *s == '[' && s > text;
        if (bracket && (all || s[-1] == 'g') && s[-1] != ' ') fputc(' ', f);
        fputc(*s, f);
    }
}

static void put_heading(FILE *f, enum form form, unsigned kernel) {
    if (form == CUDA5 && kernel == 0)
        fputs("\nFatbin elf code:\n================\narch = sm_10\ncode version = [1,7]\nproducer = cuda\n"
              "host = linux\ncompile_size = 64bit\nidentifier = kernels.cu\n\n",
              f);
    if (kernel == 0) fputs("\tcode for sm_10\n", f);
    fprintf(f, "\t\tFunction : _Z6kernelI%uEvPi\n", kernel);
    if (form == CUDA5 || form == CUDA5_MIXED)
        fputs("\t.headerflags    @\"EF_CUDA_SM10 EF_CUDA_PTX_SM(EF_CUDA_SM10)\"\n", f);
}

static void put_line(FILE *f, enum form form, uint32_t pc, uint32_t lo, uint32_t hi, bool is_long, const char *text) {
    const char *end = form == DOS ? "\r\n" : "\n";
    if (form == CUDA3 || form == DOS) {
        fprintf(f, "\t/*%04" PRIx32 "*/     /*0x%08" PRIx32, pc, lo);
        fprintf(f, is_long ? "%08" PRIx32 "*/ \t" : "*/         \t", hi);
        put_spaced(f, text, true);
        fprintf(f, ";%s", end);
        return;
    }
    fprintf(f, "        /*%04" PRIx32 "*/         ", pc);
    put_spaced(f, text, form == CUDA5_MIXED ? false : form == TWO_LINES);
    if (form == TWO_LINES && is_long)
        fprintf(f, ";   /* 0x%08" PRIx32 " */\n                              /* 0x%08" PRIx32 " */\n", lo, hi);
    else if (is_long)
        fprintf(f, ";   /* 0x%08" PRIx32 "%08" PRIX32 " */\n", hi, lo);
    else
        fprintf(f, ";   /* 0x%08" PRIx32 " */\n", lo);
}

/* All rows as one listing of several kernels. Half instructions come in pairs: each occurs twice. */
static void write_listing(const struct rows *r, enum form form, char *text) {
    FILE *f = fmemopen(text, TEXT_MAX, "w");
    uint32_t pc = 0;
    assert_non_null(f);
    for (size_t i = 0; i < r->count; i++) {
        if (i % ROWS_PER_KERNEL == 0) {
            if (i > 0) fputs("\t\t..........................\n\n\n", f);
            put_heading(f, form, (unsigned)(i / ROWS_PER_KERNEL));
            pc = 0;
        }
        for (unsigned twice = r->row[i].is_long ? 1 : 0; twice < 2; twice++) {
            put_line(f, form, pc, r->row[i].lo, r->row[i].hi, r->row[i].is_long, r->row[i].text);
            pc += r->row[i].is_long ? 8 : 4;
        }
    }
    fputs("\t\t..........................\n", f);
    assert_int_equal(fclose(f), 0);
    assert_true(strlen(text) < TEXT_MAX - 1);
}

/* ---- checks ---- */

static void check_words(void *state, const struct assembly *kernels, size_t count) {
    const struct rows *r = state;
    size_t i = 0;
    assert_int_equal(count, (r->count + ROWS_PER_KERNEL - 1) / ROWS_PER_KERNEL);
    for (size_t k = 0; k < count; k++) {
        const uint32_t *code = kernels[k].image->code, *end = code + kernels[k].image->code_words;
        for (size_t n = 0; n < ROWS_PER_KERNEL && i < r->count; n++, i++) {
            assert_true(end - code >= 2);
            if (code[0] != r->row[i].lo || code[1] != (r->row[i].is_long ? r->row[i].hi : r->row[i].lo))
                fail_msg("%s: %08x %08x", r->row[i].text, code[0], code[1]);
            code += 2;
        }
        assert_true(code == end);
    }
}

static void test_listings_assemble_and_verify(void **state) {
    (void)state;
    struct rows *r = read_rows();
    char *text = malloc(TEXT_MAX), *out = NULL, expected[96];
    size_t size = 0, instructions = 0;
    assert_non_null(text);
    for (size_t i = 0; i < r->count; i++) instructions += r->row[i].is_long ? 1 : 2;
    snprintf(expected, sizeof expected, "all.lst: %zu instructions compared, 0 differ\n", instructions);
    for (enum form form = 0; form < FORM_COUNT; form++) {
        struct messages m;
        write_listing(r, form, text);
        messages_init(&m, "all.lst", text, strlen(text));
        enum status status = assemble_all(check_words, r, &m);
        messages_print(&m, stderr);
        assert_int_equal(status, STATUS_OK);
        assert_int_equal(m.count, 0);
        FILE *f = open_memstream(&out, &size);
        assert_int_equal(verify_listing(f, &m), STATUS_OK);
        fclose(f);
        assert_string_equal(out, expected);
        free(out);
        messages_release(&m);
    }
    print_message("%zu instructions in %d forms\n", instructions, FORM_COUNT);
    free(text);
    free(r);
}

/* A word that differs in one bit from its text must be found, in every form. */
static void test_listings_catch_a_wrong_word(void **state) {
    (void)state;
    struct rows *r = calloc(1, sizeof *r);
    char *text = malloc(TEXT_MAX), *out = NULL;
    size_t size = 0;
    assert_true(r != NULL && text != NULL);
    add_row(r, "20000405 0400c780", "IADD R1, R2, R3");
    add_row(r, "20000409 0400c780", "IADD R1, R2, R3"); /* R2 is its destination */
    for (enum form form = 0; form < FORM_COUNT; form++) {
        struct messages m;
        write_listing(r, form, text);
        messages_init(&m, "all.lst", text, strlen(text));
        FILE *f = open_memstream(&out, &size);
        assert_int_equal(verify_listing(f, &m), STATUS_DIFFERS);
        fclose(f);
        assert_non_null(strstr(out, "differ   d: listing 0x2, text 0x1"));
        assert_non_null(strstr(out, "2 instructions compared, 1 differ"));
        free(out);
        messages_release(&m);
    }
    free(text);
    free(r);
}

static void expect_verified(const char *text, enum status expected, const char *found) {
    char *out = NULL;
    size_t size = 0;
    struct messages m;
    messages_init(&m, "l", text, strlen(text));
    FILE *f = open_memstream(&out, &size);
    assert_int_equal(verify_listing(f, &m), expected);
    fclose(f);
    if (strstr(out, found) == NULL) fail_msg("'%s' is not in\n%s", found, out);
    free(out);
    messages_release(&m);
}

/* The second word on a line of its own may be the low one. */
static void test_listings_with_words_apart(void **state) {
    (void)state;
    expect_verified("/*0000*/ IADD R1, R2, R3; /* 0x20000405 */\n /* 0x0400c780 */\n", STATUS_OK, " 0 differ");
    expect_verified("/*0000*/ IADD R1, R2, R3; /* 0x0400c780 */\n /* 0x20000405 */\n", STATUS_OK, " 0 differ");
    /* a half instruction has no second word: text in its place is a remark */
    expect_verified("/*0000*/ IADD32 R0, g [0x4], R2; /* 0x2102e800 */\n /* 0x0400c780 */\n"
                    "/*0004*/ IADD32 R0, g [0x4], R2; /* 0x2102e800 */\n",
                    STATUS_OK, "2 instructions compared, 0 differ");
}

static void test_listings_name_bits_that_must_be_zero(void **state) {
    (void)state;
    expect_verified("/*0000*/ MOV32 R1, R2; /* 0x10218404 */\n/*0004*/ MOV32 R1, R2; /* 0x10008404 */\n",
                    STATUS_DIFFERS, "(and must-be-zero bits)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listings_assemble_and_verify),
        cmocka_unit_test(test_listings_catch_a_wrong_word),
        cmocka_unit_test(test_listings_with_words_apart),
        cmocka_unit_test(test_listings_name_bits_that_must_be_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
