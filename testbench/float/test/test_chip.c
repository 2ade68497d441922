/* SPDX-License-Identifier: Apache-2.0 */
/* Well-formed and malformed tables of a chip; lists of numbers. */
// link: -lz
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../chip.c"

/* True if a file with this text is a table; its rows go to *table. */
static bool reads(const char *text, struct chip_table *table) {
    char path[] = "/tmp/test_chip.XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    assert_int_equal(close(file), 0);
    const bool good = chip_read(path, 16, CHIP_HEADS, table);
    assert_int_equal(unlink(path), 0);
    return good;
}

static void test_table(void **state) {
    struct chip_table table;
    (void)state;
    assert_true(reads("sad.s32 x,y,0\t00a\t1\nrcp\t1ff\tffffffffffffffff\nrcp\t000\t2\n", &table));
    assert_int_equal(table.count, 3);
    assert_int_equal(*chip_find(&table, "sad.s32 x,y,0", 10), 1);
    assert_int_equal(*chip_find(&table, "rcp", 511), UINT64_MAX);
    assert_int_equal(*chip_find(&table, "rcp", 0), 2);
    assert_null(chip_find(&table, "rcp", 10));
    assert_null(chip_find(&table, "sad.s32", 10));
    chip_free(&table);
    assert_null(chip_find(&table, "rcp", 0));
}

static void test_table_malformed(void **state) {
    static const char *const TEXTS[] = {
        "",
        "\n",
        "rcp\n",
        "rcp\t0\n",
        "rcp\t0\t\n",
        "rcp\t\t0\n",
        "\t0\t0\n",
        "rcp\t0\tg\n",
        "rcp\t-1\t0\n",
        "rcp\t0\t-1\n",
        "rcp\t200\t0\n",
        "rcp\t0\t0\t0\n",
        "rcp\t0\t0\nrcp",
        "an operation whose name is longer than any\t0\t0\n",
        "rcp\t0\t00000000000000000\n",
    };
    struct chip_table table;
    (void)state;
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        if (reads(TEXTS[i], &table)) fail_msg("text %zu is a table", i);
    assert_false(chip_read("/tmp/there/is/no/such/file", 16, CHIP_HEADS, &table));
    assert_false(chip_read("/tmp", 16, CHIP_HEADS, &table));
}

static void test_list(void **state) {
    bool wanted[16];
    (void)state;
    assert_true(chip_list("0,a-c,f", 16, wanted, 16));
    for (unsigned i = 0; i < 16; i++) assert_int_equal(wanted[i], i == 0 || (i >= 10 && i <= 12) || i == 15);
    assert_true(chip_list("10-12", 10, wanted, 16));
    for (unsigned i = 0; i < 16; i++) assert_int_equal(wanted[i], i >= 10 && i <= 12);
    assert_true(chip_list("", 10, wanted, 16));
    for (unsigned i = 0; i < 16; i++) assert_false(wanted[i]);
}

static void test_list_malformed(void **state) {
    static const char *const TEXTS[] = {",", "1,", ",1", "1,,2", "1-", "-1", "3-2", "16", "3-16", "a", "1 2", "1;2"};
    bool wanted[16];
    (void)state;
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        if (chip_list(TEXTS[i], 10, wanted, 16)) fail_msg("'%s' is a list", TEXTS[i]);
}

/* The expected values come from a program in another language, written after docs/evidence/golden.md. */
static void test_pairs(void **state) {
    static const struct {
        unsigned block;
        uint32_t pair, x, y;
    } PAIRS[] = {
        {0,  0,       0x7b1dcdaf, 0xe220a839},
        {1,  1,       0x255f0f47, 0x9b4adc5e},
        {10, 2,       0xffc00001, 0xbf800000},
        {3,  3,       0x29f85f47, 0x4f000000},
        {3,  4,       0xbf472383, 0x4b000000},
        {4,  5,       0xe5213fe9, 0x65213fe0},
        {5,  6,       0xa571a957, 0x6422cabb},
        {5,  7,       0x5bb87e5c, 0x5de0060a},
        {61, 8,       0x90084ccf, 0x2f500073},
        {6,  9,       0xa7580002, 0x89e00001},
        {7,  10,      0x000033fa, 0x0059349a},
        {7,  11,      0xffffaf00, 0x00d7f4a4},
        {63, 12,      0x00005266, 0x00a9f3f8},
        {63, 1048575, 0xffffe6bf, 0x009d9d10},
    };
    (void)state;
    for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; i++) {
        uint32_t x, y;
        chip_pair(PAIRS[i].block, PAIRS[i].pair, &x, &y);
        assert_int_equal(x, PAIRS[i].x);
        assert_int_equal(y, PAIRS[i].y);
    }
}

static void test_hash(void **state) {
    uint64_t parts[CHIP_PARTS];
    (void)state;
    assert_int_equal(chip_hash(CHIP_HASH, 'a'), UINT64_C(0xaf63dc4c8601ec8c)); /* FNV-1a of "a" */
    for (unsigned p = 0; p < CHIP_PARTS; p++) parts[p] = p == 0 ? 'a' : 0;
    uint64_t hash = UINT64_C(0xaf63dc4c8601ec8c);
    for (unsigned p = 1; p < CHIP_PARTS; p++) hash *= UINT64_C(0x100000001b3);
    assert_int_equal(chip_hash_parts(parts), hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),          cmocka_unit_test(test_table_malformed), cmocka_unit_test(test_list),
        cmocka_unit_test(test_list_malformed), cmocka_unit_test(test_pairs),           cmocka_unit_test(test_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
