/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes and numbers of the command line: hex, raw files, .hex, .mif, and their errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka.h needs some of the headers above */
#include <cmocka.h>

#include "../argument.h"

enum { LIMIT = 1 << 20 };

/* Reads `content` through a file with this suffix. */
static enum status read_as(const char *suffix, const char *content, size_t length, uint8_t **bytes, size_t *size,
                           struct diag *d) {
    char text[80], path[64];
    snprintf(path, sizeof path, "/tmp/source_%ld%s", (long)getpid(), suffix);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(content, 1, length, file);
    fclose(file);
    snprintf(text, sizeof text, "@%s", path);
    memset(d, 0, sizeof *d);
    const enum status status = argument_bytes(text, LIMIT, bytes, size, d);
    unlink(path);
    return status;
}

static void check_file(const char *suffix, const char *content, const char *expected, size_t expected_size) {
    uint8_t *bytes;
    size_t size;
    struct diag d;
    const enum status status = read_as(suffix, content, strlen(content), &bytes, &size, &d);
    if (status != STATUS_OK) fail_msg("%s: %s", content, d.text);
    assert_int_equal(size, expected_size);
    assert_memory_equal(bytes, expected, size);
    free(bytes);
}

/* Returns the column. */
static unsigned check_bad(const char *suffix, const char *content, unsigned line, const char *text) {
    uint8_t *bytes;
    size_t size;
    struct diag d;
    assert_int_equal(read_as(suffix, content, strlen(content), &bytes, &size, &d), STATUS_BAD_INPUT);
    assert_null(bytes);
    assert_int_equal(d.line, line);
    if (strstr(d.text, text) == NULL) fail_msg("'%s', expected '%s'", d.text, text);
    return d.column;
}

static void test_argument_numbers(void **state) {
    (void)state;
    uint64_t value;
    const char *end;
    assert_true(argument_number("0", 0, &value, NULL) && value == 0);
    assert_false(argument_number("5", 4, &value, NULL)); /* one digit too many */
    assert_true(argument_number("4294967295", UINT32_MAX, &value, NULL) && value == UINT32_MAX);
    assert_true(argument_number("0xFfffFFFF", UINT32_MAX, &value, NULL) && value == UINT32_MAX);
    assert_true(argument_number("12:3", 99, &value, &end) && value == 12 && *end == ':');
    assert_false(argument_number("4294967296", UINT32_MAX, &value, NULL));
    assert_false(argument_number("0x100000000", UINT32_MAX, &value, NULL));
    assert_false(argument_number("99999999999999999999999", UINT64_MAX, &value, NULL));
    assert_false(argument_number("12x", 99, &value, NULL));
    assert_false(argument_number("", 99, &value, NULL));
    assert_false(argument_number("0x", 99, &value, NULL));
    assert_false(argument_number("-1", 99, &value, NULL));
}

static void test_argument_hex_digits(void **state) {
    (void)state;
    uint8_t *bytes;
    size_t size;
    struct diag d = {0};
    assert_int_equal(argument_bytes("0x01fEaB", LIMIT, &bytes, &size, &d), STATUS_OK);
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "\x01\xfe\xab", 3);
    free(bytes);
    assert_int_equal(argument_bytes("012", LIMIT, &bytes, &size, &d), STATUS_BAD_INPUT);
    assert_int_equal(argument_bytes("0g", LIMIT, &bytes, &size, &d), STATUS_BAD_INPUT);
    assert_int_equal(argument_bytes("", LIMIT, &bytes, &size, &d), STATUS_BAD_INPUT);
    assert_int_equal(argument_bytes("@/nonexistent", LIMIT, &bytes, &size, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.file, "/nonexistent");
}

static void test_argument_raw_file(void **state) {
    (void)state;
    uint8_t *bytes;
    size_t size;
    struct diag d;
    check_file(".bin", "a#b\n", "a#b\n", 4);
    check_bad(".bin", "", 0, "no bytes");
    enum { LARGE = 200000 };
    char *large = malloc(LARGE);
    memset(large, 'x', LARGE);
    assert_int_equal(read_as(".bin", large, LARGE, &bytes, &size, &d), STATUS_OK);
    assert_int_equal(size, LARGE);
    assert_memory_equal(bytes, large, LARGE);
    free(bytes);
    free(large);
}

static void test_argument_never_ending_file(void **state) {
    (void)state;
    uint8_t *bytes;
    size_t size;
    struct diag d = {0};
    assert_int_equal(argument_bytes("@/dev/zero", 4096, &bytes, &size, &d), STATUS_BAD_INPUT);
    assert_string_equal(d.file, "/dev/zero");
    assert_non_null(strstr(d.text, "more than 4096 bytes"));
    assert_null(bytes);
    assert_int_equal(argument_bytes("01020304", 4, &bytes, &size, &d), STATUS_OK);
    free(bytes);
    assert_int_equal(argument_bytes("0102030405", 4, &bytes, &size, &d), STATUS_BAD_INPUT);
    check_bad(".mif", "WIDTH=64; DEPTH=1000000; ADDRESS_RADIX=UNS; CONTENT BEGIN [0..999999] : 1; END;", 0,
              "more than");
}

static void test_argument_hex_file(void **state) {
    (void)state;
    check_file(".hex", "# words\n0x04030201 0X8\n\n0a0b0c0d # last\r\n", "\1\2\3\4\x8\0\0\0\xd\xc\xb\xa", 12);
    check_bad(".hex", "1\n2\n100000000\n", 3, "32-bit word");
    assert_int_equal(check_bad(".hex", "1 zz\n", 1, "'zz'"), 3);
    check_bad(".hex", "# nothing\n", 0, "no bytes");
}

static void test_argument_mif_file(void **state) {
    (void)state;
    check_file(".mif",
               "-- a memory\nWIDTH=32;\nDEPTH = 4;\nADDRESS_RADIX=HEX;\nDATA_RADIX=HEX;\n"
               "CONTENT BEGIN\n% two lines\n of comment %\n0 : 04030201;\n[1..2] : 5;\n3 : a;\nEND;\n",
               "\1\2\3\4\5\0\0\0\5\0\0\0\xa\0\0\0", 16);
    check_file(".mif", "WIDTH=8; DEPTH=8; ADDRESS_RADIX=UNS; DATA_RADIX=BIN; CONTENT BEGIN 1 : 1 10 11; END;",
               "\0\1\2\3", 4);
    check_file(".MIF", "WIDTH=8; DEPTH=8; CONTENT BEGIN 2 : 3; 0 : 1; END;", "\1\0\3", 3);
    check_file(".mif", "WIDTH=8; DEPTH=16; CONTENT BEGIN 0 : 1; a : f; END;", "\1\0\0\0\0\0\0\0\0\0\xf",
               11); /* hex by default */
    check_bad(".mif", "WIDTH=7; DEPTH=4; CONTENT BEGIN 0 : 1; END;", 1, "WIDTH");
    check_bad(".mif", "WIDTH=8;\nDEPTH=4;\nCONTENT BEGIN\n4 : 1;\nEND;", 4, "beyond DEPTH");
    check_bad(".mif", "WIDTH=8;\nDEPTH=4;\nCONTENT BEGIN\n[2..1] : 1;\nEND;", 4, "beyond DEPTH");
    check_bad(".mif", "WIDTH=8;\nDEPTH=4;\nCONTENT BEGIN\n3 : 1 2;\nEND;", 4, "fits WIDTH and DEPTH");
    check_bad(".mif", "WIDTH=8;\nDEPTH=4;\nCONTENT BEGIN\n0 : 100;\nEND;", 4, "fits WIDTH");
    check_bad(".mif", "WIDTH=32;\nDEPTH=4;\nCONTENT BEGIN\n0 : 100000000;\nEND;", 4, "fits WIDTH");
    check_bad(".mif", "WIDTH=8; DEPTH=4; CONTENT BEGIN 0 : 1;\n", 2, "END");
    check_bad(".mif", "% two\nlines %\nWIDTH=7; DEPTH=4; CONTENT BEGIN 0 : 1; END;", 3, "WIDTH");
    check_bad(".mif", "garbage", 1, "expected WIDTH");
    check_bad(".mif", "WIDTH=8; DEPTH=4; CONTENT BEGIN % unfinished", 1, "END");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_argument_numbers),  cmocka_unit_test(test_argument_hex_digits),
        cmocka_unit_test(test_argument_raw_file), cmocka_unit_test(test_argument_hex_file),
        cmocka_unit_test(test_argument_mif_file), cmocka_unit_test(test_argument_never_ending_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
