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
    char *directory; /* NULL: it is not open */
    char **paths;    /* of files and of directories below, in the order in which they were made */
    size_t count, capacity;
};

/* Whether a name stays below the directory: no "..", not from the root. */
bool headers_is_name(const char *name);

/* False: memory or the disk is full. headers_close removes all that there is, and takes all 0. */
bool headers_open(struct headers *h);
bool headers_write(struct headers *h, const char *name, const char *text, size_t size);
void headers_close(struct headers *h);

#endif
