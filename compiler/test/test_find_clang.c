/* SPDX-License-Identifier: Apache-2.0 */
/* Which clang is taken, where several are installed with one libclc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../find_clang.h"

static char place[] = "/tmp/find-clang-XXXXXX";

static void write_file(const char *name, const unsigned char *bytes, size_t size, mode_t mode) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", place, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static int make_place(void **state) {
    static const char *const FOLDERS[] = {"", "/llvm", "/llvm/bin", "/clc"};
    char path[256];
    (void)state;
    if (mkdtemp(place) == NULL) return -1;
    for (size_t i = 1; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        snprintf(path, sizeof path, "%s%s", place, FOLDERS[i]);
        if (mkdir(path, 0700) != 0) return -1;
    }
    write_file("llvm/bin/clang-15", (const unsigned char *)"", 0, 0700);
    write_file("llvm/bin/clang-18", (const unsigned char *)"", 0, 0700);
    write_file("llvm/bin/clang-19", (const unsigned char *)"", 0, 0700);
    snprintf(path, sizeof path, "%s/llvm/bin", place);
    unsetenv("WARPSTEP_CLANG");
    unsetenv("WARPSTEP_LIBCLC");
    return setenv("PATH", path, 1);
}

static int remove_place(void **state) {
    char command[256];
    (void)state;
    snprintf(command, sizeof command, "/bin/rm -r %s", place);
    return system(command);
}

/* The first bytes of Debian's libclc-14 and -19, and those bytes with another version. */
#define BITCODE(version) \
    "BC\xc0\xde\x35\x14\0\0\x05\0\0\0\x62\x0c\x30\x24\x4a\x59\xbe" version "\x0b\x51\x80\x4c\x01\0\0\0"

static void test_libclc_decides(void **state) {
    static const struct {
        const char *bytes, *clang;
    } CASES[] = {
        {BITCODE("\x66\x8d\xfb\xb4\xaf"),                   "clang-15"}, /* 14.0.6 */
        {BITCODE("\x66\xdd\xfb\xb5\xbf"),                   "clang-19"}, /* 19.1.7 */
        {BITCODE("\xa6\x4d\xfb\xb5\xbf"),                   "clang-15"}, /* 20.1.7, which none can read */
        {"no bitcode, but long enough for its first bytes", "clang-15"},
    };
    (void)state;
    assert_string_equal(driver_find_clang(NULL), "clang-15");
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        write_file("clc/nvptx--nvidiacl.bc", (const unsigned char *)CASES[i].bytes, 32, 0600);
        assert_string_equal(driver_find_clang(NULL), CASES[i].clang);
    }
    assert_string_equal(driver_find_clang("clang-18"), "clang-18");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_libclc_decides)};
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
