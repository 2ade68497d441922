/* SPDX-License-Identifier: Apache-2.0 */
/* Every bit of ignored.def and every opcode of aliases.def has a witness: a semantic vector of its group whose word
 * sets it. cmodel/test/test_semantics.c and test_atomics.c show that such a word gives silicon's result. Reads
 * golden/vectors/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../spec/table.h"
#include "../isa/isa.h"
#include "support.h"

enum { CANON = 5, OP_LO = 6, OP_HI = 7, LINE_MAX_BYTES = 2048, SUBOPCODES = 8 };

static const struct {
    const char *mnemonic;
    uint64_t bits;
    const char *group;
} ignored[] = {
#define IGNORED(mnemonic, bits, group) {mnemonic, bits, group},
#include "../../spec/ignored.def"
#undef IGNORED
};

static const char *const alias_groups[] = {
#define ALIAS(opcode, sub_first, sub_last, opcode_instead, sub_instead, group) group,
#include "../../spec/aliases.def"
#undef ALIAS
};

/* Bits and opcodes in the words of a group with canon = 0. */
struct seen {
    uint64_t bits;             /* ignored bits set in words of the mnemonic */
    unsigned subs[SUBOPCODES]; /* words executed under another opcode, by subopcode */
    unsigned words;
};

static FILE *open_group(const char *group) {
    char path[96];
    const bool whole = strcmp(group, "atom32") == 0 || strncmp(group, "fp_", 3) == 0;
    snprintf(path, sizeof path, "golden/vectors/%s%s.tsv", whole ? "" : "int_", group);
    return fopen(path, "r");
}

static void look_at(const char *group, const char *mnemonic, struct seen *seen) {
    char line[LINE_MAX_BYTES], *column[TSV_COLUMNS_MAX];
    size_t count;
    FILE *f = open_group(group);
    *seen = (struct seen){0};
    assert_non_null(f);
    while (tsv_next(f, line, sizeof line, column, &count)) {
        if (count <= OP_HI || strcmp(column[CANON], "0") != 0) continue;
        struct isa_insn insn;
        uint32_t lo = (uint32_t)strtoul(column[OP_LO], NULL, 16), hi = (uint32_t)strtoul(column[OP_HI], NULL, 16);
        if (isa_decode(lo, hi, &insn) != ISA_OK || strcmp(isa_row_mnemonic(insn.row), mnemonic) != 0) continue;
        seen->words++;
        seen->bits |= insn.ignored;
        if (insn.alias) seen->subs[hi >> 29]++;
    }
    fclose(f);
}

static void test_ignored_bits_have_witnesses(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        struct seen seen;
        char names[ISA_BITS_MAX];
        look_at(ignored[i].group, ignored[i].mnemonic, &seen);
        isa_print_bits(ignored[i].bits & ~seen.bits, names, sizeof names);
        if ((ignored[i].bits & ~seen.bits) != 0) fail_msg("%s: no vector sets %s", ignored[i].mnemonic, names);
        print_message("%s: %u words with ignored bits or an alias\n", ignored[i].mnemonic, seen.words);
    }
}

static void test_ignored_aliases_have_witnesses(void **state) {
    (void)state;
    for (size_t i = 0; i < isa_aliases_count; i++) {
        struct seen seen;
        look_at(alias_groups[i], "IMAD", &seen);
        for (unsigned sub = isa_aliases[i].sub_first; sub <= isa_aliases[i].sub_last; sub++)
            if (seen.subs[sub] == 0) fail_msg("no vector has opcode %u subopcode %u", isa_aliases[i].opcode, sub);
    }
}

/* Bits without a vector stay must-be-zero: rows with a memory operand, rows of other mnemonics. */
static void test_ignored_only_where_vectors_speak(void **state) {
    (void)state;
    unsigned rows = 0;
    for (size_t row = 0; row < isa_row_count(); row++) {
        uint64_t bits = isa_row_ignored(row), listed = 0;
        for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
            if (strcmp(ignored[i].mnemonic, isa_row_mnemonic(row)) == 0) listed |= ignored[i].bits;
        if ((bits & ~listed) != 0) fail_msg("%s ignores bits that are not listed", isa_row_id(row));
        if (bits != 0) assert_int_equal(isa_row_field_bits(row, ISA_FIELD_areg), 0);
        rows += bits != 0 ? 1 : 0;
    }
    assert_true(rows > 0);
}

/* Any of the ignored bits in any row: same instruction, same text, and the canonical word again. */
static void test_ignored_bits_change_nothing(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    for (size_t row = 0; row < isa_row_count(); row++) {
        uint64_t bits = isa_row_ignored(row), random = (uint64_t)random_next(&seed) << 32 | random_next(&seed);
        struct isa_fields fields;
        struct isa_insn plain, same;
        uint32_t lo, hi, got_lo, got_hi;
        char text[2][ISA_TEXT_MAX];
        isa_default_fields(row, &fields);
        if (bits == 0 || !isa_encode(row, &fields, &lo, &hi)) continue;
        uint32_t with_lo = lo | (uint32_t)(bits & random), with_hi = hi | (uint32_t)((bits & random) >> 32);
        assert_int_equal(isa_decode(lo, hi, &plain), ISA_OK);
        assert_int_equal(isa_decode(with_lo, with_hi, &same), ISA_OK);
        assert_int_equal(same.row, row);
        assert_true(plain.ignored == 0 && same.ignored == (bits & random));
        isa_canonical(&same, &got_lo, &got_hi);
        assert_true(got_lo == lo && got_hi == hi);
        isa_print(&plain, ISA_DIALECT_3, text[0], ISA_TEXT_MAX);
        isa_print(&same, ISA_DIALECT_3, text[1], ISA_TEXT_MAX);
        assert_string_equal(text[0], text[1]);
        same.lo = plain.lo, same.hi = plain.hi, same.ignored = 0;
        assert_memory_equal(&same, &plain, sizeof same);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ignored_bits_have_witnesses),
        cmocka_unit_test(test_ignored_aliases_have_witnesses),
        cmocka_unit_test(test_ignored_only_where_vectors_speak),
        cmocka_unit_test(test_ignored_bits_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
