/* SPDX-License-Identifier: Apache-2.0 */
/* The result cache, see cache.h. A file begins with a line that gives the sizes of its two texts, which follow. */
#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../assembler/base/grow.h"

enum { LONGEST_PATH = 4096, NAME_DIGITS = 32 };
static const char FIRST_LINE[] = "warpstep-cache-1 %zu %zu\n";

/* ---- paths ---- */

/* Returns whether only this user and root can have written it: this user owns it, and others have no write
 * permission. */
static bool is_trusted(const struct stat *state) {
    return state->st_uid == geteuid() && (state->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Returns true also for a missing folder, which can be created. A link is followed only if this user owns it. */
static bool is_own_folder(const char *path) {
    struct stat state;
    if (lstat(path, &state) != 0) return errno == ENOENT;
    if (S_ISLNK(state.st_mode) && (state.st_uid != geteuid() || stat(path, &state) != 0)) return false;
    return S_ISDIR(state.st_mode) && is_trusted(&state);
}

/* Finds the folder of the cache. Returns false if the cache is off or has no folder. */
static bool find_cache_folder(char path[LONGEST_PATH]) {
    const char *is_on = getenv("WARPSTEP_CACHE"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (is_on != NULL && strcmp(is_on, "0") == 0) return false;
    int length = 0;
    if (cache != NULL && *cache == '/')
        length = snprintf(path, LONGEST_PATH, "%s/warpstep", cache);
    else if (home != NULL && *home == '/' && access(home, X_OK) == 0) /* a missing home folder is not created */
        length = snprintf(path, LONGEST_PATH, "%s/.cache/warpstep", home);
    return length > 0 && length < LONGEST_PATH - 2 * NAME_DIGITS && is_own_folder(path);
}

bool cache_is_on(void) {
    char path[LONGEST_PATH];
    return find_cache_folder(path);
}

/* Returns the folder of a key: named by its first digit, in the folder of the cache. */
static bool find_key_folder(const struct cache_key *key, char path[LONGEST_PATH]) {
    if (!find_cache_folder(path)) return false;
    const size_t length = strlen(path);
    snprintf(path + length, LONGEST_PATH - length, "/%" PRIx64, key->digest[0] >> 60);
    return is_own_folder(path);
}

static void append_file_name(const struct cache_key *key, char path[LONGEST_PATH]) {
    const size_t length = strlen(path);
    snprintf(path + length, LONGEST_PATH - length, "/%016" PRIx64 "%016" PRIx64, key->digest[0], key->digest[1]);
}

/* Creates a folder and its parents. */
static bool make_folder(char *path) {
    for (char *slash = path; slash != NULL;) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL) *slash = '\0';
        mkdir(path, 0700);
        if (slash != NULL) *slash = '/';
    }
    return access(path, W_OK) == 0;
}

/* ---- lookup ---- */

static bool read_text(FILE *in, size_t size, struct cache_text *text) {
    *text = (struct cache_text){.bytes = malloc(size + 1), .size = size};
    if (text->bytes == NULL) return false;
    text->bytes[size] = '\0';
    return fread(text->bytes, 1, size, in) == size;
}

static bool read_texts(FILE *in, struct cache_text *output, struct cache_text *messages) {
    char line[sizeof FIRST_LINE + 40];
    struct stat state;
    size_t first, second;
    if (fgets(line, sizeof line, in) == NULL || sscanf(line, FIRST_LINE, &first, &second) != 2) return false;
    const size_t length = strlen(line);
    if (fstat(fileno(in), &state) != 0 || first > CACHE_BYTES || second > CACHE_BYTES) return false;
    if (!S_ISREG(state.st_mode) || !is_trusted(&state) || (uint64_t)state.st_size != length + first + second)
        return false;
    return read_text(in, first, output) && read_text(in, second, messages);
}

bool cache_find(const struct cache_key *key, struct cache_text *output, struct cache_text *messages) {
    char path[LONGEST_PATH];
    *output = *messages = (struct cache_text){0};
    if (!find_key_folder(key, path)) return false;
    append_file_name(key, path);
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    FILE *in = file >= 0 ? fdopen(file, "r") : NULL;
    if (in == NULL && file >= 0) close(file);
    if (in == NULL) return false;
    const bool good = read_texts(in, output, messages);
    if (good) futimens(fileno(in), NULL); /* marks it as recently used */
    fclose(in);
    if (good) return true;
    free(output->bytes);
    free(messages->bytes);
    *output = *messages = (struct cache_text){0};
    return false;
}

/* ---- size limit ---- */

struct cached_file {
    char name[NAME_DIGITS + 16];
    struct timespec used;
    uint64_t size;
};

static int compare_use_times(const void *a, const void *b) {
    const struct timespec *x = &((const struct cached_file *)a)->used, *y = &((const struct cached_file *)b)->used;
    if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
    return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

/* Lists the files of a folder, including unfinished ones of other processes. The caller frees the list. */
static struct cached_file *list_folder(DIR *folder, size_t *count, uint64_t *bytes) {
    struct cached_file *list = NULL;
    size_t capacity = 0;
    *count = 0;
    *bytes = 0;
    for (const struct dirent *e; (e = readdir(folder)) != NULL;) {
        struct stat state;
        if (strlen(e->d_name) >= sizeof list->name || fstatat(dirfd(folder), e->d_name, &state, 0) != 0) continue;
        if (!S_ISREG(state.st_mode)) continue;
        struct cached_file *grown = grow_array(list, *count, &capacity, sizeof *grown);
        if (grown == NULL) break;
        list = grown;
        struct cached_file *k = &list[(*count)++];
        *k = (struct cached_file){.used = state.st_mtim, .size = (uint64_t)state.st_size};
        memcpy(k->name, e->d_name, strlen(e->d_name) + 1);
        *bytes += k->size;
    }
    return list;
}

/* Deletes the least recently used files of a folder until it is below nine tenths of its limit, so that not every
 * new file causes a deletion. */
static void delete_old_files(const char *path) {
    const uint64_t most = CACHE_BYTES / CACHE_FOLDERS;
    size_t count;
    uint64_t bytes;
    DIR *folder = opendir(path);
    if (folder == NULL) return;
    struct cached_file *list = list_folder(folder, &count, &bytes);
    if (bytes > most) {
        qsort(list, count, sizeof *list, compare_use_times);
        for (size_t i = 0; i < count && bytes > most / 10 * 9; i++) {
            unlinkat(dirfd(folder), list[i].name, 0);
            bytes -= list[i].size;
        }
    }
    free(list);
    closedir(folder);
}

/* ---- storing ---- */

static bool write_texts(FILE *out, const struct cache_text *output, const struct cache_text *messages) {
    fprintf(out, FIRST_LINE, output->size, messages->size);
    fwrite(output->bytes, 1, output->size, out);
    fwrite(messages->bytes, 1, messages->size, out);
    return ferror(out) == 0;
}

void cache_store(const struct cache_key *key, const struct cache_text *output, const struct cache_text *messages) {
    char path[LONGEST_PATH], new_file[LONGEST_PATH];
    if (!find_key_folder(key, path) || !make_folder(path)) return;
    if (output->size + messages->size > CACHE_BYTES / CACHE_FOLDERS / 2) return;
    if (snprintf(new_file, sizeof new_file, "%s/new-XXXXXX", path) >= (int)sizeof new_file) return;
    const int file = mkostemp(new_file, O_CLOEXEC);
    if (file < 0) return;
    FILE *out = fdopen(file, "w");
    if (out == NULL) close(file);
    const bool is_written = out != NULL && write_texts(out, output, messages);
    const bool is_closed = out != NULL && fclose(out) == 0;
    delete_old_files(path);
    append_file_name(key, path);
    if (!is_written || !is_closed || rename(new_file, path) != 0) unlink(new_file);
}
