/* SPDX-License-Identifier: Apache-2.0 */
/* States of compilers, see tool_state.h. */
#include "tool_state.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../assembler/base/begins.h"

enum { LONGEST_PATH = 4096 };

void tool_state_add_file(struct siphash *h, const char *path) {
    struct stat s;
    const bool is_there = !begins(path, "/dev/") && stat(path, &s) == 0 && S_ISREG(s.st_mode);
    if (!is_there) memset(&s, 0, sizeof s);
    const int64_t state[] = {is_there,         (int64_t)s.st_dev, (int64_t)s.st_ino, s.st_size,
                             s.st_mtim.tv_sec, s.st_mtim.tv_nsec, s.st_ctim.tv_sec,  s.st_ctim.tv_nsec};
    siphash_add(h, state, sizeof state);
}

static bool is_library(const char *name) {
    return (begins(name, "libLLVM") || begins(name, "libclang-cpp")) && strstr(name, ".so") != NULL;
}

static bool is_header(const char *name) { return begins(name, "opencl-c"); }

static bool is_version(const char *name) { return *name >= '0' && *name <= '9'; }

/* Adds the wanted files of a folder, in the order of the directory. */
static void hash_folder(struct siphash *h, const char *folder, bool (*is_wanted)(const char *name)) {
    char path[LONGEST_PATH];
    DIR *list = opendir(folder);
    for (const struct dirent *e; list != NULL && (e = readdir(list)) != NULL;)
        if (is_wanted(e->d_name) && (size_t)snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < sizeof path)
            tool_state_add_file(h, path);
    if (list != NULL) closedir(list);
}

/* lib/clang/VERSION/include */
static void hash_headers(struct siphash *h, const char *lib) {
    char path[LONGEST_PATH];
    if ((size_t)snprintf(path, sizeof path, "%s/clang", lib) >= sizeof path) return;
    DIR *list = opendir(path);
    for (const struct dirent *e; list != NULL && (e = readdir(list)) != NULL;)
        if (is_version(e->d_name) &&
            (size_t)snprintf(path, sizeof path, "%s/clang/%s/include", lib, e->d_name) < sizeof path)
            hash_folder(h, path, is_header);
    if (list != NULL) closedir(list);
}

void tool_state_add(struct siphash *h, const char *program) {
    char *real = realpath(program, NULL), *slash = real != NULL ? strrchr(real, '/') : NULL;
    char lib[LONGEST_PATH];
    tool_state_add_file(h, program);
    if (slash != NULL) *slash = '\0';
    if (slash != NULL && (size_t)snprintf(lib, sizeof lib, "%s/../lib", real) < sizeof lib) {
        hash_folder(h, lib, is_library);
        hash_headers(h, lib);
    }
    free(real);
}
