/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of clang's results: what is kept, of what it depends, how large it grows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../assembler/base/siphash.h"
#include "../cached_child.h"

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

/* A file that lacks its end, or has more, is none. */
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

/* Of what fills a folder the part that was used last stays. */
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

/* ---- keys ---- */

static bool key_of(const char *const *words, const char *input, struct cache_key *key) {
    const struct child child = {.words = words, .input = child_file(), .messages = child_file()};
    assert_true(child.input >= 0 && child_write(child.input, input, strlen(input)));
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

static void test_sources(void **state) {
    static const char *const WHOLE[] = {"", "int i;", "inc lude", "x\\\n"};
    static const char *const PARTS[] = {"#include <a.h>", "# inc\\\nlude \"b\"", "#import <a>",  "asm(\".incbin\")",
                                        "__DATE__",       "a __TIME__",          "__TIMESTAMP__"};
    (void)state;
    for (size_t i = 0; i < sizeof WHOLE / sizeof *WHOLE; i++)
        assert_true(cached_child_is_whole(WHOLE[i], strlen(WHOLE[i])));
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        assert_false(cached_child_is_whole(PARTS[i], strlen(PARTS[i])));
}

/* A home that is missing is not made. */
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
        cmocka_unit_test(test_siphash), cmocka_unit_test(test_kept), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_limit),   cmocka_unit_test(test_keys), cmocka_unit_test(test_sources),
        cmocka_unit_test(test_no_home),
    };
    return cmocka_run_group_tests(tests, open_root, close_root);
}
