/* SPDX-License-Identifier: Apache-2.0 */
/* Checks docs/isa.md and docs/evidence/formats.md: each text in their tables assembles to the words in the next column
 * and prints back from them, every row of the instruction table occurs once, and the counts of vectors are those of
 * golden/vectors. cmodel/test/test_isa_doc.c runs the examples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../isa/isa.h"
#include "support.h"

enum { LINE_MAX_BYTES = 4096, CELLS_MAX = 10, ROWS_MAX = 4096, CANON = 5 };

static const char *const DOCS[] = {"docs/isa.md", "docs/evidence/formats.md"};

/* Cuts "| a | b |" into its cells, without their blanks and backquotes; "\|" is a bar. Returns their number. */
static size_t cut_cells(char *line, char **cell) {
    size_t count = 0;
    if (line[0] != '|') return 0;
    for (char *s = line + 1; *s != '\0' && *s != '\n' && count < CELLS_MAX;) {
        char *to = cell[count++] = s += strspn(s, " `");
        while (*s != '|' && *s != '\0') {
            if (s[0] == '\\' && s[1] == '|') s++;
            *to++ = *s++;
        }
        if (*s == '|') s++;
        while (to > cell[count - 1] && strchr(" `", to[-1]) != NULL) to--;
        *to = '\0';
    }
    return count;
}

/* Eight hexadecimal digits at s, or twice that with a blank between. */
static bool is_words(const char *s) {
    size_t digits = strspn(s, "0123456789abcdef");
    return digits == 8 && (s[8] == '\0' || s[8] == ';' || s[8] == ' ');
}

/* One text and its words, in both directions. */
static void check_text(const char *text, const char *words) {
    uint32_t lo, hi, want_lo, want_hi;
    struct isa_error error;
    struct isa_insn insn;
    char printed[ISA_TEXT_MAX];
    parse_words(words, &want_lo, &want_hi);
    if (!isa_parse(text, strlen(text), NULL, &lo, &hi, &error)) fail_msg("'%s': %s", text, error.text);
    if (lo != want_lo || (isa_is_long(lo) && hi != want_hi)) fail_msg("'%s' is %08x %08x, not %s", text, lo, hi, words);
    assert_int_equal(isa_decode(lo, hi, &insn), ISA_OK);
    isa_print(&insn, ISA_DIALECT_3, printed, sizeof printed);
    assert_string_equal(printed, text);
}

/* Texts between "; ", and their words. */
static void check_texts(char *text, char *words) {
    for (char *text_end, *words_end; text != NULL; text = text_end, words = words_end) {
        text_end = strstr(text, "; ");
        words_end = strstr(words, "; ");
        assert_true((text_end == NULL) == (words_end == NULL));
        if (text_end != NULL) *text_end = *words_end = '\0';
        check_text(text, words);
        if (text_end != NULL) text_end += 2, words_end += 2;
    }
}

static size_t find_row(const char *id) {
    for (size_t row = 0; row < isa_row_count(); row++)
        if (strcmp(isa_row_id(row), id) == 0) return row;
    return isa_row_count();
}

/* Twins print like another row, and their text assembles to that row. */
static bool is_twin(const char *id) { return strcmp(id, "r2g_u16_u8b") == 0 || strcmp(id, "r2g_u32_u8b") == 0; }

/* Contents of the tables of the pages. */
struct found {
    bool row[ROWS_MAX];
    size_t texts, rows;
};

static void check_line(char *line, struct found *found) {
    char *cell[CELLS_MAX];
    const size_t count = cut_cells(line, cell), row = count > 1 ? find_row(cell[1]) : isa_row_count();
    if (row < isa_row_count()) {
        if (found->row[row]) fail_msg("%s is there twice", cell[1]);
        found->row[row] = true;
        found->rows++;
    }
    for (size_t i = 1; i < count; i++) {
        if (!is_words(cell[i]) || is_twin(cell[1])) continue;
        check_texts(cell[i - 1], cell[i]);
        found->texts++;
    }
}

static void test_isa_doc_texts_and_words(void **state) {
    (void)state;
    static struct found found;
    char line[LINE_MAX_BYTES];
    for (size_t i = 0; i < sizeof DOCS / sizeof DOCS[0]; i++) {
        FILE *f = fopen(DOCS[i], "r");
        assert_non_null(f);
        while (fgets(line, sizeof line, f) != NULL) check_line(line, &found);
        fclose(f);
        print_message("%s: %zu texts, %zu rows so far\n", DOCS[i], found.texts, found.rows);
    }
    assert_int_equal(found.rows, isa_row_count());
    assert_true(found.texts > found.rows);
}

static const struct {
    const char *group;
    unsigned canonical, ignoring;
} vectors[] = {
#define REAL(mnemonic, words)
#define VECTORS(group, canonical, ignoring) {#group, canonical, ignoring},
#include "../doc/evidence.def"
#undef REAL
#undef VECTORS
};

static void test_isa_doc_counts_of_vectors(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        char path[96], line[LINE_MAX_BYTES], *column[TSV_COLUMNS_MAX];
        size_t count;
        unsigned rows[2] = {0};
        bool atomics = strcmp(vectors[i].group, "atom32") == 0;
        snprintf(path, sizeof path, "golden/vectors/%s%s.tsv", atomics ? "" : "int_", vectors[i].group);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        while (tsv_next(f, line, sizeof line, column, &count))
            if (count > CANON && column[CANON][1] == '\0') rows[column[CANON][0] == '1']++;
        fclose(f);
        assert_int_equal(rows[1], vectors[i].canonical);
        assert_int_equal(rows[0], vectors[i].ignoring);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_isa_doc_texts_and_words),
        cmocka_unit_test(test_isa_doc_counts_of_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
