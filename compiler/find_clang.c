/* SPDX-License-Identifier: Apache-2.0 */
/* Where clang and its libraries are, see find_clang.h. */
#include "find_clang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool driver_find_program(const char *name, char *full, size_t size) {
    const char *path = getenv("PATH");
    if (strchr(name, '/') != NULL) return (size_t)snprintf(full, size, "%s", name) < size && access(full, X_OK) == 0;
    while (path != NULL && *path != '\0') {
        const size_t length = strcspn(path, ":");
        snprintf(full, size, "%.*s/%s", (int)length, path, name);
        if (access(full, X_OK) == 0) return true;
        path += length + (path[length] == ':');
    }
    return false;
}

bool driver_find_libclc(const char *given, const char *clang, char *path, size_t size) {
    static const char *const PLACES[] = {"../../clc", "../share/clc"};
    const char *named = given != NULL ? given : getenv("WARPSTEP_LIBCLC");
    if (named != NULL && *named != '\0') return (size_t)snprintf(path, size, "%s", named) < size;
    char found[4096], *folder = driver_find_program(clang, found, sizeof found) ? realpath(found, NULL) : NULL;
    char *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    bool is_there = false;
    if (slash != NULL) *slash = '\0';
    for (size_t i = 0; slash != NULL && !is_there && i < sizeof PLACES / sizeof *PLACES; i++)
        is_there = (size_t)snprintf(path, size, "%s/%s/nvptx--nvidiacl.bc", folder, PLACES[i]) < size &&
                   access(path, R_OK) == 0;
    free(folder);
    return is_there;
}

/* Returns the major version of the LLVM that has written bitcode; 0 if the file does not say. The first block holds
 * "LLVM14.0.6" in characters of six bits, from byte 16 on, behind its length: IDENTIFICATION_BLOCK of "LLVM Bitcode
 * File Format". */
static unsigned bitcode_version(const char *path) {
    enum { AT = 16, BYTES = 32, DIGITS_FROM = 5, DIGITS_TO = 8, ZERO = 52, NINE = 61 };
    static const unsigned LLVM[] = {37, 37, 47, 38};
    unsigned char bytes[BYTES];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return 0;
    const bool is_read = fread(bytes, sizeof bytes, 1, file) == 1 && memcmp(bytes, "BC\xc0\xde", 4) == 0;
    fclose(file);
    unsigned version = 0;
    for (unsigned i = 1; is_read && i < DIGITS_TO; i++) {
        const unsigned bit = 6 * i;
        const unsigned c = ((unsigned)(bytes[AT + bit / 8] | bytes[AT + bit / 8 + 1] << 8) >> bit % 8) & 63;
        if (i < DIGITS_FROM ? c != LLVM[i - 1] : c < ZERO || c > NINE) break;
        if (i >= DIGITS_FROM) version = 10 * version + c - ZERO;
    }
    return version;
}

/* Returns whether a clang with its version in its name can read the libclc beside it: LLVM reads what an older one has
 * written. Debian installs one libclc, but several versions of clang. */
static bool reads_libclc(const char *clang) {
    const char *version = strchr(clang, '-');
    char path[4096];
    if (version == NULL || !driver_find_libclc(NULL, clang, path, sizeof path)) return true;
    return bitcode_version(path) <= strtoul(version + 1, NULL, 10);
}

const char *driver_find_clang(const char *given) {
    static const char *const NAMES[] = {"clang-14", "clang-15", "clang-16", "clang-17",
                                        "clang-18", "clang-19", "clang"};
    const char *named = given != NULL ? given : getenv("WARPSTEP_CLANG");
    const char *first = NULL;
    char full[4096];
    if (named != NULL && *named != '\0') return named;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (!driver_find_program(NAMES[i], full, sizeof full)) continue;
        if (reads_libclc(NAMES[i])) return NAMES[i];
        if (first == NULL) first = NAMES[i];
    }
    return first;
}
