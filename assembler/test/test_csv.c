/* SPDX-License-Identifier: Apache-2.0 */
/* The generated table against golden/encodings/table.csv, which was checked against thousands of real words: the same
 * rows, and for each the mnemonic, class, fixed bits, fields with their places and spellings, and pattern. Without it,
 * assembler, model and kernels could agree on a misplaced field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../spec/table.h"
#include "../isa/isa.h"

static const char CSV[] = "golden/encodings/table.csv";

enum { ROWS_MAX = 4096, LINE_MAX_BYTES = 2048, FIELDS_TEXT_MAX = 1024 };
enum column { ID, CLASS, THESIS, MNEMONIC, BITS, FORM, MASK_LO, VALUE_LO, MASK_HI, VALUE_HI, FIELDS, PATTERN, COLUMNS };

/* Differences from the CSV: MOV prints a lane mask that is not 15; silicon executes GRED.EXCH (vectors atom32). */
static const struct {
    const char *mnemonic, *theirs, *ours;
} DIFFERENCES[] = {
    {"MOV",  "{sfu}",        "{sfu}{lane}"     },
    {"MOV",  "{sfu}.U16",    "{sfu}.U16{lane}" },
    {"GRED", "e=.IADD|!|!|", "e=.IADD|.EXCH|!|"},
};

static const char *const KINDS[] = {
    [KIND_REG32] = "r",     [KIND_REG16] = "h",     [KIND_REG16B] = "bh",  [KIND_HEX] = "hex",   [KIND_SHEX] = "shex",
    [KIND_TARGET] = "word", [KIND_SHIFT] = "optsh", [KIND_ENUM] = "e=",    [KIND_ABS] = "abs",   [KIND_FLAG] = "flag",
    [KIND_LANE] = "lane",   [KIND_AREG] = "areg",   [KIND_CREG] = "creg",  [KIND_SREG] = "sreg", [KIND_BARRIER] = "bar",
    [KIND_COND] = "cond",   [KIND_MARK] = "mark",   [KIND_HIDDEN] = "hid",
};

/* Cuts a line at its commas; a cell in quotes may hold some. */
static size_t cut_cells(char *line, char **cell) {
    size_t count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    while (count < COLUMNS) {
        const bool quoted = *line == '"';
        cell[count++] = line += quoted;
        line += strcspn(line, quoted ? "\"" : ",");
        if (*line == '"') *line++ = '\0';
        if (*line == '\0') break;
        *line++ = '\0';
    }
    return count;
}

static size_t add_piece(char *text, size_t size, struct field_piece piece) {
    const char word = piece.lo < 32 ? 'l' : 'h';
    const unsigned lo = piece.lo % 32;
    return (size_t)(piece.width == 1 ? snprintf(text, size, "%c%u", word, lo)
                                     : snprintf(text, size, "%c%u-%u", word, lo, lo + piece.width - 1));
}

/* The field in the CSV's notation, "sat:l8:e=~|.SAT". */
static void field_text(const struct field *f, char *text, size_t size) {
    size_t n = (size_t)snprintf(text, size, "%s:", isa_field_name((enum isa_field)f->name));
    n += add_piece(text + n, size - n, f->piece[0]);
    if (f->piece[1].width > 0) {
        n += (size_t)snprintf(text + n, size - n, "+");
        n += add_piece(text + n, size - n, f->piece[1]);
    }
    snprintf(text + n, size - n, ":%s%s", KINDS[f->kind], f->spellings);
}

/* `theirs`, or our replacement for it. */
static void with_differences(const char *mnemonic, const char *theirs, char *text, size_t size) {
    snprintf(text, size, "%s", theirs);
    for (size_t i = 0; i < sizeof DIFFERENCES / sizeof DIFFERENCES[0]; i++) {
        const char *at = strstr(theirs, DIFFERENCES[i].theirs);
        if (strcmp(mnemonic, DIFFERENCES[i].mnemonic) == 0 && at != NULL)
            snprintf(text, size, "%.*s%s%s", (int)(at - theirs), theirs, DIFFERENCES[i].ours,
                     at + strlen(DIFFERENCES[i].theirs));
    }
}

static size_t find_row(const char *id) {
    size_t row = 0;
    while (row < isa_rows_count && strcmp(isa_rows[row].id, id) != 0) row++;
    if (row == isa_rows_count) fail_msg("the table has no row %s", id);
    return row;
}

static void check_equal(const char *id, const char *ours, const char *theirs) {
    if (strcmp(ours, theirs) != 0) fail_msg("%s: '%s', not '%s'", id, ours, theirs);
}

/* `theirs` in our notation: a field of the row, at any position of its list. */
static void check_field(size_t row, const char *theirs) {
    const struct format *format = row_format(row);
    char expected[FIELDS_TEXT_MAX], text[FIELDS_TEXT_MAX];
    with_differences(isa_rows[row].mnemonic, theirs, expected, sizeof expected);
    expected[strcspn(expected, " ")] = '\0';
    if (strstr(expected, ":hidden") != NULL) strstr(expected, ":hidden")[4] = '\0'; /* the CSV has two names for that */
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        field_text(&isa_fields[format->field[i]], text, sizeof text);
        if (strcmp(text, expected) == 0) return;
    }
    fail_msg("%s: no field '%s'", isa_rows[row].id, expected);
}

/* No two fields of a row have the same place, so an equal count means equal fields. */
static void check_fields(size_t row, char *theirs) {
    const struct format *format = row_format(row);
    size_t count = 0, ours = 0;
    char *rest;
    for (char *next = strtok_r(theirs, " ", &rest); next != NULL; next = strtok_r(NULL, " ", &rest), count++)
        check_field(row, next);
    while (ours < FORMAT_FIELDS_MAX && format->field[ours] != NO_FIELD) ours++;
    if (count != ours) fail_msg("%s: the number of fields differs", isa_rows[row].id);
}

static uint64_t word_of(char **cell, enum column lo, enum column hi) {
    return (uint64_t)strtoul(cell[hi], NULL, 16) << 32 | strtoul(cell[lo], NULL, 16);
}

/* The number of the row. */
static size_t check_row(char **cell) {
    const size_t number = find_row(cell[ID]);
    const struct row *row = &isa_rows[number];
    const char class[] = {row->class, '\0'};
    char pattern[FIELDS_TEXT_MAX];
    check_equal(row->id, row->mnemonic, cell[MNEMONIC]);
    check_equal(row->id, class, cell[CLASS]);
    assert_int_equal(row->mask, word_of(cell, MASK_LO, MASK_HI));
    assert_int_equal(row->match, word_of(cell, VALUE_LO, VALUE_HI));
    with_differences(row->mnemonic, cell[PATTERN], pattern, sizeof pattern);
    check_equal(row->id, row->pattern, pattern);
    check_fields(number, cell[FIELDS]);
    return number;
}

static void test_csv_rows_are_those_of_the_table(void **state) {
    (void)state;
    char line[LINE_MAX_BYTES], *cell[COLUMNS];
    bool listed[ROWS_MAX] = {false};
    FILE *f = fopen(CSV, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f)); /* names of columns */
    assert_true(isa_rows_count <= ROWS_MAX);
    while (fgets(line, sizeof line, f) != NULL) {
        assert_int_equal(cut_cells(line, cell), COLUMNS);
        listed[check_row(cell)] = true;
    }
    fclose(f);
    for (size_t row = 0; row < isa_rows_count; row++)
        if (!listed[row]) fail_msg("%s: no row %s", CSV, isa_rows[row].id);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv_rows_are_those_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
