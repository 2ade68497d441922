/* SPDX-License-Identifier: Apache-2.0 */
/* Headers that clCompileProgram is given, in a directory while it compiles: clang reads files.
 *
 *     struct headers h = {0};
 *     if (headers_open(&h) && headers_write(&h, "sub/name.h", text, size)) ... -I h.directory ...
 *     headers_close(&h);
 */
#ifndef WARPSTEP_RUNTIME_HEADERS_H
#define WARPSTEP_RUNTIME_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

struct headers {
    char *directory; /* NULL if not open */
    char **paths;    /* files and directories in it, in order of creation */
    size_t count, capacity;
};

/* Returns whether a name stays below the directory: relative, without "..". */
bool headers_is_name(const char *name);

/* Return false if memory or the disk is full. headers_close removes everything that exists, and accepts all 0. */
bool headers_open(struct headers *h);
bool headers_write(struct headers *h, const char *name, const char *text, size_t size);
void headers_close(struct headers *h);

#endif
