/* SPDX-License-Identifier: Apache-2.0 */
/* Real and published words against the table, in both directions: printing must give the text, and assembling the word.
 * The words come from golden/encodings; the code under test computed none of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../isa/isa.h"
#include "support.h"

static const char INSTRUCTIONS[] = "golden/encodings/instructions.tsv";

struct tally {
    unsigned rows, print_differs, encode_differs;
};

static bool is_long_normal(uint32_t lo, uint32_t hi) { return (lo & 3) == 1 && (hi & 3) != 3; }

static bool prints_as(uint32_t lo, uint32_t hi, const char *expected, enum isa_dialect dialect) {
    struct isa_insn insn;
    char text[ISA_TEXT_MAX] = "undefined";
    if (isa_decode(lo, hi, &insn) == ISA_OK) isa_print(&insn, dialect, text, sizeof text);
    normalize_spaces(text);
    return strcmp(text, expected) == 0;
}

/* Texts do not show END, so an END in the word is added to the assembled one. */
static bool encodes_as(const char *text, uint32_t lo, uint32_t hi) {
    struct isa_error error;
    uint32_t got_lo, got_hi;
    if (!isa_parse(text, strlen(text), NULL, &got_lo, &got_hi, &error)) return false;
    if (is_long_normal(lo, hi) && (hi & 3) == ISA_MARK_END) got_hi |= ISA_MARK_END;
    return got_lo == lo && got_hi == hi;
}

static void check_row(struct tally *t, const char *words, char *text, bool loud) {
    uint32_t lo, hi;
    parse_words(words, &lo, &hi);
    normalize_spaces(text);
    t->rows++;
    bool prints = prints_as(lo, hi, text, ISA_DIALECT_3) && prints_as(lo, hi, text, ISA_DIALECT_5);
    bool encodes = encodes_as(text, lo, hi);
    if (!prints) t->print_differs++;
    if (!encodes) t->encode_differs++;
    if (loud && (!prints || !encodes))
        print_message("%s: %s (%s %s)\n", words, text, prints ? "" : "print", encodes ? "" : "encode");
}

static void check_golden(const char *path, unsigned rows) {
    char line[1024], *column[TSV_COLUMNS_MAX];
    size_t count;
    struct tally t = {0};
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (tsv_next(f, line, sizeof line, column, &count)) {
        assert_int_equal(count, 4);
        assert_true(column[3][0] != '\0'); /* the source */
        check_row(&t, column[0], column[1], true);
    }
    fclose(f);
    assert_int_equal(t.rows, rows);
    assert_int_equal(t.print_differs, 0);
    assert_int_equal(t.encode_differs, 0);
}

static void test_encodings_thesis_formats(void **state) {
    (void)state;
    check_golden("golden/encodings/thesis.tsv", 85);
}

static void test_encodings_nvcc_words(void **state) {
    (void)state;
    check_golden("golden/encodings/nvcc.tsv", 87);
}

/* Comments of hand-written VHDL programs do not come from cuobjdump: 1 names another branch target than its word, 1 has
 * a leading zero; and 13 SSY words have a condition that nvcc never sets and texts do not show. */
static void test_encodings_of_real_programs(void **state) {
    (void)state;
    char line[8192], words[64], *column[TSV_COLUMNS_MAX];
    size_t count;
    struct tally real = {0}, comment = {0};
    FILE *f = fopen(INSTRUCTIONS, "r");
    assert_non_null(f);
    assert_true(tsv_next(f, line, sizeof line, column, &count)); /* headings */
    while (tsv_next(f, line, sizeof line, column, &count)) {
        assert_true(count >= 6);
        snprintf(words, sizeof words, "%s %s", column[1], column[2]);
        bool cuobjdump = strcmp(column[5], "cuobjdump") == 0;
        check_row(cuobjdump ? &real : &comment, words, column[3], cuobjdump);
    }
    fclose(f);
    print_message("%u cuobjdump rows, %u VHDL comments: %u print and %u encode differently\n", real.rows, comment.rows,
                  comment.print_differs, comment.encode_differs);
    assert_int_equal(real.rows, 489);
    assert_int_equal(real.print_differs, 0);
    assert_int_equal(real.encode_differs, 0);
    assert_int_equal(comment.rows, 404);
    assert_int_equal(comment.print_differs, 2);
    assert_int_equal(comment.encode_differs, 14);
}

/* The comparison itself must be able to fail. */
static void test_encodings_catch_a_wrong_word(void **state) {
    (void)state;
    char text[] = "IADD R1, R2, R3";
    struct tally t = {0};
    check_row(&t, "20000405 0400c780", text, false);
    assert_int_equal(t.print_differs + t.encode_differs, 0);
    check_row(&t, "20000409 0400c780", text, false); /* R2 as destination */
    assert_int_equal(t.print_differs, 1);
    assert_int_equal(t.encode_differs, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encodings_thesis_formats),
        cmocka_unit_test(test_encodings_nvcc_words),
        cmocka_unit_test(test_encodings_of_real_programs),
        cmocka_unit_test(test_encodings_catch_a_wrong_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
