/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory, and files written whole or not at all. */
#include "file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    FILE *f = fopen(path, "rb");
    struct stat st;
    if (f == NULL) return diag_errno(d, path, "cannot open");
    enum status status;
    if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode))
        status = diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "is a directory");
    else
        status = read_stream(f, path, text, size, d);
    fclose(f);
    return status;
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

int file_begin(const char *path, char **temporary, struct diag *d) {
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(path);
    *temporary = malloc(length + sizeof suffix);
    if (*temporary == NULL) {
        diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
        return -1;
    }
    memcpy(*temporary, path, length);
    memcpy(*temporary + length, suffix, sizeof suffix);
    int fd = mkstemp(*temporary);
    if (fd < 0) {
        diag_errno(d, path, "cannot write");
        free(*temporary);
        *temporary = NULL;
    }
    return fd;
}

/* mkstemp makes private files; the result gets the rights that open() would have given it. */
static int publish(const char *path, int fd, const char *temporary) {
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, 0666 & ~mask) != 0 || close(fd) != 0) return -1;
    return rename(temporary, path);
}

enum status file_end(const char *path, int fd, char *temporary, bool good, struct diag *d) {
    enum status status = STATUS_OK;
    if (!good) {
        close(fd);
        unlink(temporary);
    } else if (publish(path, fd, temporary) != 0) {
        status = diag_errno(d, path, "cannot write");
        unlink(temporary);
    }
    free(temporary);
    return status;
}
