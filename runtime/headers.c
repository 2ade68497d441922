/* SPDX-License-Identifier: Apache-2.0 */
/* Headers in a directory, see headers.h. */
#include "headers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../assembler/base/grow.h"

bool headers_is_name(const char *name) {
    if (*name == '\0' || *name == '/' || name[strlen(name) - 1] == '/') return false;
    for (const char *at = name;;) {
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0')) return false;
        const char *slash = strchr(at, '/');
        if (slash == NULL) return true;
        at = slash + 1;
    }
}

bool headers_open(struct headers *h) {
    const char *place = getenv("TMPDIR");
    *h = (struct headers){0};
    if (asprintf(&h->directory, "%s/warpstep-XXXXXX", place != NULL && *place != '\0' ? place : "/tmp") < 0)
        h->directory = NULL;
    if (h->directory == NULL) return false;
    if (mkdtemp(h->directory) != NULL) return true;
    free(h->directory);
    h->directory = NULL;
    return false;
}

/* Takes ownership of the path. */
static bool add_path(struct headers *h, char *path) {
    char **grown = path != NULL ? grow_array(h->paths, h->count, &h->capacity, sizeof *grown) : NULL;
    if (grown == NULL) {
        if (path != NULL) remove(path);
        free(path);
        return false;
    }
    h->paths = grown;
    h->paths[h->count++] = path;
    return true;
}

/* Creates the directories of a path below ours. */
static bool make_directories(struct headers *h, const char *path) {
    for (const char *at = path + strlen(h->directory) + 1; (at = strchr(at, '/')) != NULL; at++) {
        char *directory = strndup(path, (size_t)(at - path));
        if (directory == NULL) return false;
        if (mkdir(directory, 0700) == 0) {
            if (!add_path(h, directory)) return false;
            continue;
        }
        free(directory);
        if (errno != EEXIST) return false;
    }
    return true;
}

bool headers_write(struct headers *h, const char *name, const char *text, size_t size) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", h->directory, name) < 0) return false;
    FILE *out = make_directories(h, path) ? fopen(path, "w") : NULL;
    if (out == NULL) {
        free(path);
        return false;
    }
    const bool is_written = fwrite(text, 1, size, out) == size, is_closed = fclose(out) == 0;
    return add_path(h, path) && is_written && is_closed;
}

void headers_close(struct headers *h) {
    while (h->count > 0) {
        remove(h->paths[--h->count]);
        free(h->paths[h->count]);
    }
    free(h->paths);
    if (h->directory != NULL) rmdir(h->directory);
    free(h->directory);
    *h = (struct headers){0};
}
