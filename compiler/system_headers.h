/* SPDX-License-Identifier: Apache-2.0 */
/* System and CUDA headers that CUDA C programs include: empty files in the folder /warpstep of an overlay of clang's
 * file system. support/cuda_system_functions.h has the declarations that kernels use. */
#ifndef WARPSTEP_CC_SYSTEM_HEADERS_H
#define WARPSTEP_CC_SYSTEM_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

struct system_headers {
    int file;     /* the overlay for clang's -ivfsoverlay, a file of child_create_file */
    char **found; /* names added to the fixed list */
    size_t found_count, found_capacity;
};

/* Returns false, with errno, on failure; the caller closes it in any case. */
bool system_headers_open(struct system_headers *h);

/* Adds a header that clang did not find and that the source includes in <>. Returns false if there is none. */
bool system_headers_add_missing(struct system_headers *h, const char *messages);

void system_headers_close(struct system_headers *h);

#endif
