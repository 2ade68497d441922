/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of clang's results: what is kept, of what it depends, how large it grows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../assembler/base/siphash.h"
#include "../cached_child.h"
#include "../driver.h"
#include "../driver_dump.h"

static char root[64];

static int open_root(void **state) {
    (void)state;
    snprintf(root, sizeof root, "/tmp/warpstep-cache-XXXXXX");
    if (mkdtemp(root) == NULL) return -1;
    unsetenv("WARPSTEP_CACHE");
    return setenv("XDG_CACHE_HOME", root, 1);
}

static int close_root(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

/* Expected: openssl mac -macopt hexkey:000102030405060708090A0B0C0D0E0F -macopt size:16 SIPHASH */
static void test_siphash(void **state) {
    static const struct {
        size_t size;
        const char *expected;
    } CASES[] = {
        {0,  "A3817F04BA25A8E66DF67214C7550293"},
        {1,  "DA87C1D86B99AF44347659119B22FC45"},
        {8,  "3B62A9BA6258F5610F83E264F31497B4"},
        {15, "5493E99933B0A8117E08EC0F97CFC3D9"},
        {64, "1EAF077DC0D4CD3F8CAD4D383658A74B"}
    };
    uint8_t bytes[64];
    (void)state;
    for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct siphash h = siphash_begin(0x0706050403020100, 0x0f0e0d0c0b0a0908);
        uint64_t result[2];
        char text[33];
        siphash_add(&h, bytes, CASES[i].size / 2);
        siphash_add(&h, bytes + CASES[i].size / 2, CASES[i].size - CASES[i].size / 2);
        siphash_end(&h, result);
        for (unsigned k = 0; k < 16; k++)
            snprintf(text + 2 * (size_t)k, 3, "%02X", (unsigned)(result[k / 8] >> k % 8 * 8 & 255));
        assert_string_equal(text, CASES[i].expected);
    }
}

static bool is_kept(const struct cache_key *key, const char *output, const char *messages) {
    struct cache_text found[2];
    if (!cache_find(key, &found[0], &found[1])) return false;
    assert_string_equal(found[0].bytes, output);
    assert_string_equal(found[1].bytes, messages);
    free(found[0].bytes);
    free(found[1].bytes);
    return true;
}

static void store(const struct cache_key *key, char *output, char *messages) {
    cache_store(key, &(struct cache_text){output, strlen(output)}, &(struct cache_text){messages, strlen(messages)});
}

static void test_kept(void **state) {
    const struct cache_key one =
                               {
                                   {1, 2}
    },
                           other = {{1, 3}};
    char output[] = "text", messages[] = "a\nb\n", nothing[] = "";
    (void)state;
    assert_false(is_kept(&one, "", ""));
    store(&one, output, messages);
    assert_true(is_kept(&one, output, messages));
    assert_false(is_kept(&other, "", ""));
    store(&one, nothing, nothing);
    assert_true(is_kept(&one, "", ""));
    setenv("WARPSTEP_CACHE", "0", 1);
    assert_false(is_kept(&one, "", ""));
    store(&other, output, messages);
    unsetenv("WARPSTEP_CACHE");
    assert_false(is_kept(&other, "", ""));
}

static void path_of(const struct cache_key *key, char *path, size_t room) {
    snprintf(path, room, "%s/warpstep/%x/%016llx%016llx", root, (unsigned)(key->digest[0] >> 60),
             (unsigned long long)key->digest[0], (unsigned long long)key->digest[1]);
}

/* A file that is too short or too long does not count. */
static void test_damaged(void **state) {
    const struct cache_key key = {
        {5, 5}
    };
    char output[] = "some text", messages[] = "and more", path[128];
    (void)state;
    path_of(&key, path, sizeof path);
    for (unsigned i = 0; i < 3; i++) {
        store(&key, output, messages);
        assert_true(is_kept(&key, output, messages));
        assert_int_equal(truncate(path, i == 0 ? 0 : i == 1 ? 30 : 100), 0);
        assert_false(is_kept(&key, "", ""));
    }
}

static uint64_t bytes_in_folder(unsigned *files) {
    char path[128];
    uint64_t bytes = 0;
    snprintf(path, sizeof path, "%s/warpstep/0", root);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    *files = 0;
    for (const struct dirent *e; (e = readdir(folder)) != NULL;) {
        struct stat s;
        assert_int_equal(fstatat(dirfd(folder), e->d_name, &s, 0), 0);
        if (!S_ISREG(s.st_mode)) continue;
        bytes += (uint64_t)s.st_size;
        ++*files;
    }
    closedir(folder);
    return bytes;
}

/* In a full folder, the most recently used part stays. */
static void test_limit(void **state) {
    const size_t size = 1 << 20;
    const struct cache_key used = {
        {0, 1000}
    };
    char *large = malloc(size + 1), nothing[] = "";
    unsigned files;
    (void)state;
    assert_non_null(large);
    memset(large, 'x', size);
    large[size] = '\0';
    store(&used, large, nothing);
    for (unsigned i = 0; i < 40; i++) {
        store(
            &(struct cache_key){
                {0, i}
        },
            large, nothing);
        usleep(10000); /* the clock of files is a coarse one */
        assert_true(is_kept(&used, large, ""));
        assert_true(bytes_in_folder(&files) <= CACHE_BYTES / CACHE_FOLDERS);
    }
    assert_true(files >= 12);
    assert_true(is_kept(
        &(struct cache_key){
            {0, 39}
    },
        large, ""));
    assert_false(is_kept(
        &(struct cache_key){
            {0, 0}
    },
        "", ""));
    free(large);
}

/* ---- other users ---- */

static mode_t mode_of(const char *path) {
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    return s.st_mode & 07777;
}

/* Files and folders that others own or may write are ignored. Only root can give files to others. */
static void test_trust(void **state) {
    enum { OTHER = 65534 };
    const struct cache_key key = {
        {7, 7}
    };
    char output[] = "text", messages[] = "", path[128], folder[128], moved[140];
    const bool is_root = geteuid() == 0;
    (void)state;
    path_of(&key, path, sizeof path);
    snprintf(folder, sizeof folder, "%s/warpstep", root);
    snprintf(moved, sizeof moved, "%s.moved", path);
    const mode_t mask = umask(0);
    store(&key, output, messages);
    umask(mask);
    assert_int_equal(mode_of(path), 0600);
    assert_int_equal(mode_of(folder), 0700);
    assert_true(is_kept(&key, output, messages));
    chmod(path, 0620);
    assert_false(is_kept(&key, output, messages));
    chmod(path, 0600);
    if (is_root) {
        assert_int_equal(chown(path, OTHER, 0), 0);
        assert_false(is_kept(&key, output, messages));
        assert_int_equal(chown(path, 0, 0), 0);
    }
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(symlink(moved, path), 0);
    assert_false(is_kept(&key, output, messages));
    assert_int_equal(rename(moved, path), 0);
    assert_true(is_kept(&key, output, messages));
    chmod(folder, 0707);
    assert_false(is_kept(&key, output, messages));
    assert_false(cache_is_on());
    chmod(folder, 0700);
    if (is_root) {
        assert_int_equal(chown(folder, OTHER, 0), 0);
        assert_false(cache_is_on());
        assert_int_equal(chown(folder, 0, 0), 0);
    }
    assert_true(is_kept(&key, output, messages));
}

/* ---- keys ---- */

static bool key_of(const char *const *words, const char *input, struct cache_key *key) {
    const struct child child = {.words = words, .input = child_create_file(), .messages = child_create_file()};
    assert_true(child.input >= 0 && child_write_file(child.input, input, strlen(input)));
    const bool is_there = cached_child_key(&child, words[0], -1, key);
    close(child.input);
    close(child.messages);
    return is_there;
}

static bool same(const struct cache_key *a, const struct cache_key *b) {
    return a->digest[0] == b->digest[0] && a->digest[1] == b->digest[1];
}

static void test_keys(void **state) {
    char program[128];
    struct cache_key first, again, other;
    (void)state;
    snprintf(program, sizeof program, "%s/compiler", root);
    FILE *out = fopen(program, "w");
    assert_non_null(out);
    const char *const words[] = {program, "-DA", NULL}, *const joined[] = {program, "-DAx", NULL},
                      *const named[] = {"clang", program, NULL};
    assert_true(key_of(words, "xyz", &first) && key_of(words, "xyz", &again));
    assert_true(same(&first, &again));
    assert_true(key_of(words, "xyw", &other) && !same(&first, &other));
    assert_true(key_of(joined, "yz", &other) && !same(&first, &other));
    assert_true(key_of(named, "", &again));
    /* Another compiler, another library. */
    fputs("newer", out);
    assert_int_equal(fclose(out), 0);
    assert_true(key_of(words, "xyz", &other) && !same(&first, &other));
    assert_true(key_of(named, "", &other) && !same(&again, &other));
    setenv("WARPSTEP_CACHE", "0", 1);
    assert_false(key_of(words, "xyz", &other));
    unsetenv("WARPSTEP_CACHE");
}

static void write_file(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* Replaces a file by another of the same size and time, or changes its bytes. */
static void put_in_place(const char *path, const char *text, bool is_new) {
    struct stat before;
    char made[200];
    assert_int_equal(stat(path, &before), 0);
    snprintf(made, sizeof made, "%s.new", path);
    write_file(is_new ? made : path, text);
    const struct timespec times[2] = {before.st_atim, before.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, is_new ? made : path, times, 0), 0);
    if (is_new) assert_int_equal(rename(made, path), 0);
}

static void test_replaced(void **state) {
    static const char *const FILES[] = {"bin/cc", "lib/libLLVM-99.so.1", "lib/libclang-cpp.so.99",
                                        "lib/clang/99/include/opencl-c-base.h", "libclc.bc"};
    static const char *const FOLDERS[] = {"t",           "t/bin",          "t/lib",
                                          "t/lib/clang", "t/lib/clang/99", "t/lib/clang/99/include"};
    enum { COUNT = sizeof FILES / sizeof *FILES };
    char path[COUNT][128];
    struct cache_key before, after;
    (void)state;
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        snprintf(path[0], sizeof path[0], "%s/%s", root, FOLDERS[i]);
        assert_int_equal(mkdir(path[0], 0700), 0);
    }
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(path[i], sizeof path[i], "%s/t/%s", root, FILES[i]);
        write_file(path[i], "one");
    }
    const char *const words[] = {path[0], "-mlink-builtin-bitcode", path[COUNT - 1], NULL};
    for (size_t i = 0; i < COUNT; i++)
        for (unsigned is_new = 0; is_new < 2; is_new++) {
            assert_true(key_of(words, "", &before));
            usleep(10000); /* the clock of files is a coarse one */
            put_in_place(path[i], "two", is_new);
            assert_true(key_of(words, "", &after));
            assert_false(same(&before, &after));
        }
}

/* If a file has changed since the key was computed, the child may have read either version, so nothing is stored. */
static void test_changed_meanwhile(void **state) {
    char program[128], text[] = "result";
    struct cache_text found[2];
    (void)state;
    snprintf(program, sizeof program, "%s/changed", root);
    write_file(program, "one");
    const char *const words[] = {program, NULL};
    for (unsigned changes = 2; changes-- > 0;) {
        struct child child = {.words = words, .input = child_create_file(), .messages = child_create_file()};
        struct cache_key key;
        assert_true(cached_child_key(&child, program, -1, &key));
        if (changes) put_in_place(program, "two", true);
        cached_child_store(&key, &child, program, -1, text, strlen(text));
        assert_int_equal(cache_find(&key, &found[0], &found[1]), !changes);
        if (!changes) free(found[0].bytes);
        if (!changes) free(found[1].bytes);
        close(child.input);
        close(child.messages);
    }
}

/* A compiler that changes the source before it prints what it reads. */
static const char CHANGES_SOURCE[] = "#!/bin/sh\n"
                                     "for word; do case $word in *\\;/dev/fd/*) both=$word ;; esac; done\n"
                                     "case $* in *-emit-pch*) echo; exit ;; esac\n"
                                     "echo second > \"${both%;*}\"\n"
                                     "cat \"${both#*;}\"\n";

/* clang reads the bytes that the key covers, even if the file has changed since. */
static void test_source_changed(void **state) {
    char clang[128], source[128], *text;
    size_t size;
    struct diag d = {0};
    (void)state;
    snprintf(clang, sizeof clang, "%s/changes", root);
    snprintf(source, sizeof source, "%s/source.cl", root);
    write_file(clang, CHANGES_SOURCE);
    assert_int_equal(chmod(clang, 0700), 0);
    const struct driver_options options = {.clang = clang};
    for (unsigned i = 0; i < 2; i++) {
        write_file(source, "first\n");
        if (driver_read_ptx(source, &options, &text, &size, NULL, &d) != STATUS_OK) fail_msg("%s", d.text);
        assert_string_equal(text, "first\n");
        free(text);
    }
}

/* The stored text has this form; another form needs another number. */
static void test_form(void **state) {
    static const char SAID[] =
        "a.cl:1:2: warning: w\n*** IR Dump Before x ***\ntarget\ndefine void @f() {\n ret\n}\n!0 "
        "= !{}\n\n1 warning generated.\n",
                      KEPT[] = "a.cl:1:2: warning: w\n1 warning generated.\n*** IR Dump Before x ***\n"
                               "define void @f() {\n!0 = !{}\n";
    const int file = child_create_file();
    size_t size;
    (void)state;
    assert_true(child_write_file(file, SAID, strlen(SAID)));
    assert_true(driver_dump_reduce(file));
    char *text = child_read_file(file, &size);
    assert_string_equal(text, KEPT);
    assert_int_equal(DRIVER_DUMP_FORM, 1);
    free(text);
    close(file);
}

static void test_sources(void **state) {
    static const char *const WHOLE[] = {
        "", "int i;", "inc lude", "x\\\n", "// includes", "#\n/* an important\n * include */ int i;", "int embed;"};
    static const char *const PARTS[] = {"#include <a.h>",
                                        "# inc\\\nlude \"b\"",
                                        "#import <a>",
                                        "asm(\".incbin\")",
                                        "__DATE__",
                                        "a __TIME__",
                                        "__TIMESTAMP__",
                                        "#inc\\ \t\nlude <a>",
                                        "#inc\\\r\nlude <a>",
                                        "#inc?\?/\nlude <a>",
                                        "\n\t # include <a>",
                                        "#\\\ninclude <a>",
                                        "#\\ \t\r\ninclude <a>",
                                        "# /*\n*/ include <a>",
                                        "%:include <a>",
                                        "?\?=include <a>",
                                        "#if __has_include(<a>)",
                                        "#define H __has_include",
                                        "#embed <a>"};
    (void)state;
    for (size_t i = 0; i < sizeof WHOLE / sizeof *WHOLE; i++)
        assert_true(cached_child_has_no_includes(WHOLE[i], strlen(WHOLE[i])));
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        assert_false(cached_child_has_no_includes(PARTS[i], strlen(PARTS[i])));
}

/* A missing home folder is not created. */
static void test_no_home(void **state) {
    (void)state;
    char home[200];
    snprintf(home, sizeof home, "%s/none", root);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", home, 1);
    assert_false(cache_is_on());
    unsetenv("HOME");
    assert_false(cache_is_on());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_siphash),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_trust),
        cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_changed_meanwhile),
        cmocka_unit_test(test_source_changed),
        cmocka_unit_test(test_form),
        cmocka_unit_test(test_no_home),
    };
    return cmocka_run_group_tests(tests, open_root, close_root);
}
