/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the instruction table alone: rows do not overlap, every bit has one meaning, and print -> parse -> encode
 * restores the word for random fields of every row. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "../../spec/table.h"
#include "../isa/isa.h"
#include "random_word.h"
#include "support.h"

enum { ROUNDS = 100 };

/* Row of each format of the thesis. */
static const struct {
    unsigned number;
    const char *row;
} thesis[] = {
#define THESIS(number, row, seen) {number, #row},
#include "../../spec/thesis.def"
#undef THESIS
};

static uint64_t field_bits(const struct field *f) { return field_put(f, UINT32_MAX); }

static void test_table_matches_lie_inside_masks(void **state) {
    (void)state;
    for (size_t i = 0; i < isa_rows_count; i++) assert_true((isa_rows[i].match & ~isa_rows[i].mask) == 0);
}

static void test_table_every_bit_has_one_meaning(void **state) {
    (void)state;
    for (size_t i = 0; i < isa_rows_count; i++) {
        uint64_t claimed = isa_rows[i].mask, word = (isa_rows[i].match & 1) != 0 ? UINT64_MAX : UINT32_MAX;
        const struct format *format = row_format(i);
        for (size_t k = 0; k < FORMAT_FIELDS_MAX && format->field[k] != NO_FIELD; k++) {
            uint64_t bits = field_bits(&isa_fields[format->field[k]]);
            if ((claimed & bits) != 0)
                fail_msg("%s: bits of %s are claimed twice", isa_rows[i].id, isa_fields[format->field[k]].id);
            claimed |= bits;
        }
        if (claimed != word) fail_msg("%s: bits without a meaning", isa_rows[i].id);
    }
}

/* As many bits as the field occupies in the word. */
static void test_table_fields_are_as_wide_as_said(void **state) {
    (void)state;
    for (size_t row = 0; row < isa_rows_count; row++) {
        const struct format *format = row_format(row);
        int bits[ISA_FIELD_COUNT] = {0};
        for (size_t k = 0; k < FORMAT_FIELDS_MAX && format->field[k] != NO_FIELD; k++) {
            const struct field *f = &isa_fields[format->field[k]];
            bits[f->name] += __builtin_popcountll(field_bits(f));
        }
        for (int name = 0; name < ISA_FIELD_COUNT; name++)
            assert_int_equal(isa_row_field_bits(row, (enum isa_field)name), bits[name]);
    }
}

/* A field of row b reserves the value that is fixed in row a: marker 3 (the immediate shape), or the operation CAS. */
static bool reserves_fixed(size_t a, size_t b) {
    const struct format *format = row_format(b);
    for (size_t k = 0; k < FORMAT_FIELDS_MAX && format->field[k] != NO_FIELD; k++) {
        const struct field *f = &isa_fields[format->field[k]];
        unsigned reserved = derived_reserved[format->field[k]];
        if ((field_bits(f) & ~isa_rows[a].mask) != 0 || reserved == 0) continue;
        if ((reserved >> field_get(f, isa_rows[a].match) & 1) != 0) return true;
    }
    return false;
}

static void test_table_rows_do_not_overlap(void **state) {
    (void)state;
    for (size_t i = 0; i < isa_rows_count; i++)
        for (size_t k = i + 1; k < isa_rows_count; k++) {
            bool disjoint = ((isa_rows[i].match ^ isa_rows[k].match) & isa_rows[i].mask & isa_rows[k].mask) != 0;
            if (!disjoint && !reserves_fixed(i, k) && !reserves_fixed(k, i))
                fail_msg("%s and %s overlap", isa_rows[i].id, isa_rows[k].id);
        }
}

static void test_table_thesis_has_85_formats(void **state) {
    (void)state;
    assert_int_equal(sizeof thesis / sizeof thesis[0], 85);
    for (size_t i = 0; i < 85; i++) {
        assert_int_equal(thesis[i].number, i + 1);
        size_t row = 0;
        while (row < isa_rows_count && strcmp(isa_row_id(row), thesis[i].row) != 0) row++;
        assert_true(row < isa_rows_count);
        assert_int_equal(isa_row_class(row), 'T');
    }
}

/* ---- round trip ---- */

static void check_round_trip(size_t row, uint32_t lo, uint32_t hi, enum isa_dialect dialect) {
    struct isa_insn insn;
    char text[ISA_TEXT_MAX];
    struct isa_error error;
    uint32_t got_lo, got_hi;
    if (isa_decode(lo, hi, &insn) != ISA_OK || insn.row != row)
        fail_msg("%s: %08x %08x decodes as another row", isa_row_id(row), lo, hi);
    assert_true(isa_print(&insn, dialect, text, sizeof text) < ISA_TEXT_MAX);
    if (!isa_parse(text, strlen(text), NULL, &got_lo, &got_hi, &error))
        fail_msg("%s: '%s' does not parse: %s", isa_row_id(row), text, error.text);
    if (got_lo != lo || got_hi != hi)
        fail_msg("%s: '%s' is %08x %08x, but gives %08x %08x", isa_row_id(row), text, lo, hi, got_lo, got_hi);
}

static void test_table_round_trip(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    for (size_t row = 0; row < isa_rows_count; row++) {
        unsigned done = 0;
        for (unsigned i = 0; i < 20 * ROUNDS && done < ROUNDS && !random_word_is_twin(row); i++) {
            uint32_t lo, hi;
            if (!random_word(row, &seed, NULL, &lo, &hi)) continue; /* a reserved value */
            check_round_trip(row, lo, hi, ISA_DIALECT_3);
            check_round_trip(row, lo, hi, ISA_DIALECT_5);
            check_round_trip(row, lo, hi, ISA_DIALECT_65);
            done++;
        }
        if (done == 0 && !random_word_is_twin(row)) fail_msg("%s: no legal word found", isa_row_id(row));
    }
}

/* Every value of every field of up to eight bits, of every row: values that no word of the row can have are
 * reserved. */
static void test_table_round_trip_every_value(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    unsigned values = 0;
    for (size_t row = 0; row < isa_rows_count; row++) {
        const struct format *format = row_format(row);
        for (size_t k = 0; k < FORMAT_FIELDS_MAX && format->field[k] != NO_FIELD && !random_word_is_twin(row); k++) {
            const struct field *field = &isa_fields[format->field[k]];
            if (field->kind == KIND_HIDDEN) continue; /* texts do not show it */
            for (uint32_t v = 0; field_width(field) <= 8 && v < (uint32_t)1 << field_width(field); v++) {
                struct random_word_fixed fixed = {(enum isa_field)field->name, v};
                uint32_t lo, hi;
                bool done = false;
                for (unsigned i = 0; i < 100 && !done; i++) done = random_word(row, &seed, &fixed, &lo, &hi);
                if (!done) continue;
                check_round_trip(row, lo, hi, ISA_DIALECT_3);
                check_round_trip(row, lo, hi, ISA_DIALECT_5);
                check_round_trip(row, lo, hi, ISA_DIALECT_65);
                values++;
            }
        }
    }
    print_message("%u values of fields\n", values);
    assert_true(values > 100000);
}

/* Random words: each decoded word prints and parses; nothing crashes, and a word is legal, reserved or undefined
 * consistently. */
static void test_table_random_words(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    for (unsigned i = 0; i < 300000; i++) {
        uint32_t lo = random_next(&seed), hi = random_next(&seed);
        struct isa_insn insn;
        char text[ISA_TEXT_MAX], fields[ISA_FIELDS_MAX];
        enum isa_result result = isa_decode(lo, hi, &insn);
        uint64_t stray = isa_stray_bits(lo, hi);
        assert_true((stray != 0) == (result == ISA_RESERVED_BITS));
        if (result == ISA_UNDEFINED) continue;
        assert_true(isa_print(&insn, ISA_DIALECT_3, text, sizeof text) < sizeof text);
        assert_true(isa_print_fields(&insn, fields, sizeof fields) < sizeof fields);
        if (result != ISA_RESERVED_BITS) continue;
        lo &= ~(uint32_t)stray;
        hi &= ~(uint32_t)(stray >> 32);
        unsigned row = insn.row;
        assert_int_equal(isa_decode(lo, hi, &insn), ISA_OK);
        assert_int_equal(insn.row, row);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_matches_lie_inside_masks),   cmocka_unit_test(test_table_every_bit_has_one_meaning),
        cmocka_unit_test(test_table_fields_are_as_wide_as_said), cmocka_unit_test(test_table_rows_do_not_overlap),
        cmocka_unit_test(test_table_thesis_has_85_formats),      cmocka_unit_test(test_table_round_trip),
        cmocka_unit_test(test_table_round_trip_every_value),     cmocka_unit_test(test_table_random_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
