/* SPDX-License-Identifier: Apache-2.0 */
/* The syntax of waivers, and the part of a difference that each covers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../assembler/isa/isa.h"
#include "../verdict/waive.h"

static char path[] = "/tmp/waivers.XXXXXX";

static int make_file(void **state) {
    (void)state;
    const int file = mkstemp(path);
    return file < 0 || close(file) != 0;
}

static int remove_file(void **state) {
    (void)state;
    return unlink(path);
}

static struct waivers *waivers_of(const char *text) {
    struct waivers *w = waivers_create();
    struct diag d = {0};
    assert_non_null(w);
    if (waivers_add(w, text, "", &d) != STATUS_OK) fail_msg("%s", d.text);
    return w;
}

static uint64_t covered(const char *text, const char *mnemonic, const char *field, uint64_t differ) {
    const struct waiver_ops op = {mnemonic, NULL};
    struct waivers *w = waivers_of(text);
    const uint64_t bits = waivers_cover(w, &op, field, differ, false, 1);
    waivers_destroy(w);
    return bits;
}

static void test_waive_covers_what_it_names(void **state) {
    (void)state;
    assert_int_equal(covered("I2I:c:1", "I2I", "c", 0xf), 2);
    assert_int_equal(covered("I2I:c:1", "I2I", "c_reg", 0xf), 0);
    assert_int_equal(covered("I2I:c:1", "I2F", "c", 0xf), 0);
    assert_int_equal(covered("IADD:dst", "IADD32I", "dst", 1), 0);
    assert_int_equal(covered("IADD:dst:0-3,31", "IADD", "dst", 0xffffffff), 0x8000000f);
    assert_int_equal(covered("GLD:dst", "GLD", "dst.3", 8), 8);
    assert_int_equal(covered("GLD:dst.2", "GLD", "dst.3", 8), 0);
    assert_int_equal(covered("GLD:dst", "GLD", "dst_reg", 8), 0);
    assert_int_equal(covered("GLD:dst", "GLD", "dst_mask", 8), 0);
    assert_int_equal(covered("*:depth", "SSY", "depth", 8), 8);
    assert_int_equal(covered("SSY:*", "SSY", "next_pc", 8), 8);
    assert_int_equal(covered("undefined:trap", waivers_op(0xffffffff, 0xffffffff).mnemonic, "trap", 8), 8);
    assert_int_equal(covered("*:exec:31", "SSY", "exec", 0x80000000), 0x80000000);
    assert_int_equal(waivers_cover(NULL, &(struct waiver_ops){"SSY", NULL}, "exec", 1, false, 1), 0);
}

static struct waiver_ops ops_of(const char *text, enum isa_marker marker) {
    struct isa_error error;
    uint32_t lo, hi;
    assert_true(isa_parse(text, strlen(text), NULL, &lo, &hi, &error));
    return waivers_op(lo, hi | (uint32_t)marker);
}

/* END and JOIN are any instruction with that marker, and no other one of its operation. */
static void test_waive_takes_markers_for_operations(void **state) {
    (void)state;
    const struct waiver_ops end = ops_of("GST.U32 global14[R2], R3", ISA_MARK_END);
    const struct waiver_ops join = ops_of("NOP", ISA_MARK_JOIN), plain = ops_of("NOP", ISA_MARK_NONE);
    struct waivers *w = waivers_of("END:next_pc");
    assert_int_equal(waivers_cover(w, &end, "next_pc", 8, false, 1), 8);
    assert_int_equal(waivers_cover(w, &end, "next_active", 8, false, 1), 0);
    assert_int_equal(waivers_cover(w, &join, "next_pc", 8, false, 2), 0);
    assert_int_equal(waivers_cover(w, &plain, "next_pc", 8, false, 3), 0);
    waivers_destroy(w);
    w = waivers_of("JOIN:*");
    assert_int_equal(waivers_cover(w, &join, "depth", 1, false, 1), 1);
    assert_int_equal(waivers_cover(w, &end, "depth", 1, false, 2), 0);
    waivers_destroy(w);
    w = waivers_of("GST:next_pc");
    assert_int_equal(waivers_cover(w, &end, "next_pc", 8, false, 1), 8);
    waivers_destroy(w);
    assert_string_equal(waivers_op_of(&end, "state"), "END");
    assert_string_equal(waivers_op_of(&end, "data"), "GST");
    assert_string_equal(waivers_op_of(&join, "next_active"), "JOIN");
    assert_string_equal(waivers_op_of(&plain, "next_active"), "NOP");
}

/* An instruction with many lanes counts once. */
static void test_waive_counts(void **state) {
    (void)state;
    const struct waiver_ops SHL = {"SHL", NULL};
    struct waivers *w = waivers_of("SHL:dst:0-7");
    for (unsigned lane = 0; lane < 5; lane++) waivers_cover(w, &SHL, "dst", 0x101u << lane, true, 7);
    waivers_cover(w, &SHL, "dst", 0x100, true, 8);
    waivers_cover(w, &SHL, "dst", 1, true, 9);
    assert_int_equal(w->list[0].covered.records, 2);
    assert_int_equal(w->list[0].covered.lanes, 6);
    assert_int_equal(w->list[0].covered.bits, 0x1f);
    waivers_destroy(w);
}

static void test_waive_refuses_what_it_does_not_know(void **state) {
    (void)state;
    static const struct {
        const char *text, *said;
    } WRONG[] = {
        {"",             "'' is not OP:FIELD or OP:FIELD:BITS"               },
        {"IADD",         "'IADD' is not OP:FIELD or OP:FIELD:BITS"           },
        {"IADX:dst",     "'IADX' is not a mnemonic without modifiers"        },
        {"IADD.C0:dst",  "'IADD.C0' is not a mnemonic"                       },
        {"IADD:dest",    "'dest' is not a field that is compared"            },
        {"IADD:",        "'' is not a field"                                 },
        {"IADD:slot",    "'slot' is not a field"                             },
        {"IADD:cycle",   "'cycle' is not a field"                            },
        {"IADD:c:4",     "'4' is not a list of bits and ranges from 0 to 3"  },
        {"IADD:dst:32",  "'32' is not a list of bits and ranges from 0 to 31"},
        {"IADD:dst:4-3", "'4-3' is not a list"                               },
        {"IADD:dst:1,",  "'1,' is not a list"                                },
        {"IADD:dst:",    "'' is not a list"                                  },
        {"IADD:dst:1x",  "'1x' is not a list"                                },
        {"IADD:dst:0:1", "'0:1' is not a list"                               },
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        struct waivers *w = waivers_create();
        struct diag d = {0};
        assert_int_equal(waivers_add(w, WRONG[i].text, "", &d), STATUS_BAD_INPUT);
        if (strstr(d.text, WRONG[i].said) == NULL) fail_msg("'%s' for '%s'", d.text, WRONG[i].text);
        assert_int_equal(w->count, 0);
        waivers_destroy(w);
    }
}

static enum status read_file(const char *text, struct waivers *w, struct diag *d) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return waivers_read(w, path, d);
}

static void test_waive_reads_a_file(void **state) {
    (void)state;
    struct waivers *w = waivers_create();
    struct diag d = {0};
    assert_int_equal(read_file("# known\n\n  I2I:c:1 # never sets S\r\nR2C:c#writes 0", w, &d), STATUS_OK);
    assert_int_equal(w->count, 2);
    assert_string_equal(w->list[0].text, "I2I:c:1");
    assert_string_equal(w->list[0].reason, "never sets S");
    assert_string_equal(w->list[1].reason, "writes 0");
    waivers_destroy(w);
}

static void test_waive_says_where_a_file_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text, *said;
        unsigned line, column;
    } WRONG[] = {
        {"\n  IADD:c\n",        "has no reason", 2, 9},
        {"IADD:c  #  \n",       "has no reason", 1, 7},
        {" IADD:c:9 # why\n",   "'9' is not",    1, 9},
        {" IADD:cc # why\n",    "'cc' is not",   1, 7},
        {"#\n#\nFOO:c # why\n", "'FOO' is not",  3, 1},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        struct waivers *w = waivers_create();
        struct diag d = {0};
        assert_int_equal(read_file(WRONG[i].text, w, &d), STATUS_BAD_INPUT);
        if (strstr(d.text, WRONG[i].said) == NULL) fail_msg("%s", d.text);
        assert_string_equal(d.file, path);
        assert_int_equal(d.line, WRONG[i].line);
        assert_int_equal(d.column, WRONG[i].column);
        waivers_destroy(w);
    }
    struct diag d = {0};
    struct waivers *w = waivers_create();
    assert_int_equal(waivers_read(w, "/nowhere/at.all", &d), STATUS_BAD_INPUT);
    waivers_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waive_covers_what_it_names),
        cmocka_unit_test(test_waive_takes_markers_for_operations),
        cmocka_unit_test(test_waive_counts),
        cmocka_unit_test(test_waive_refuses_what_it_does_not_know),
        cmocka_unit_test(test_waive_reads_a_file),
        cmocka_unit_test(test_waive_says_where_a_file_is_wrong),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
