/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory. */
#include "file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { FILE_BYTES_MAX = 64 << 20 };

/* Reads to the end of a stream of unknown length. */
static enum status read_stream(FILE *f, const char *path, char **text, size_t *size, struct diag *d) {
    size_t capacity = 1 << 16, used = 0;
    char *buffer = malloc(capacity);
    while (buffer != NULL) {
        used += fread(buffer + used, 1, capacity - 1 - used, f);
        if (used + 1 < capacity) break;
        if (capacity > FILE_BYTES_MAX) {
            free(buffer);
            return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "file is larger than 64 MB");
        }
        char *grown = realloc(buffer, capacity * 2);
        if (grown == NULL) free(buffer);
        buffer = grown;
        capacity *= 2;
    }
    if (buffer == NULL) return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    if (ferror(f) != 0) {
        const enum status status = diag_errno(d, path, "cannot read");
        free(buffer);
        return status;
    }
    buffer[used] = '\0';
    *text = buffer;
    *size = used;
    return STATUS_OK;
}

enum status file_read(const char *path, char **text, size_t *size, struct diag *d) {
    const bool standard = file_is_standard(path);
    FILE *f = standard ? stdin : fopen(path, "rb");
    struct stat st;
    if (f == NULL) return diag_errno(d, path, "cannot open");
    enum status status;
    path = file_name(path);
    if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode))
        status = diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "is a directory");
    else
        status = read_stream(f, path, text, size, d);
    if (!standard) fclose(f);
    return status;
}

bool file_is_standard(const char *path) { return strcmp(path, "-") == 0; }
const char *file_name(const char *path) { return file_is_standard(path) ? "<stdin>" : path; }

bool file_has_suffix(const char *path, const char *suffix) {
    const size_t length = strlen(path), n = strlen(suffix);
    return length >= n && strcasecmp(path + length - n, suffix) == 0;
}

char *file_beside(const char *path, const char *name, size_t length) {
    const char *slash = strrchr(path, '/');
    size_t directory = name[0] == '/' || slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char *result = malloc(directory + length + 1);
    if (result == NULL) return NULL;
    memcpy(result, path, directory);
    memcpy(result + directory, name, length);
    result[directory + length] = '\0';
    return result;
}
