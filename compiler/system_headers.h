/* SPDX-License-Identifier: Apache-2.0 */
/* Headers of the host's system and of CUDA, which programs in CUDA C include: empty ones, in the folder /warpstep of an
 * overlay of clang's file system. What kernels use of them, support/cuda_system_functions.h has. */
#ifndef WARPSTEP_CC_SYSTEM_HEADERS_H
#define WARPSTEP_CC_SYSTEM_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

struct system_headers {
    int file;     /* the overlay as clang's -ivfsoverlay reads it, a file of child_file */
    char **found; /* names beyond those that are always there */
    size_t found_count, found_capacity;
};

/* False, with errno, where that fails; it is to be closed all the same. */
bool system_headers_open(struct system_headers *h);

/* Takes in a header that clang, as its messages say, did not find, and that the source has in <>. False where there is
 * none. */
bool system_headers_add_missing(struct system_headers *h, const char *messages);

void system_headers_close(struct system_headers *h);

#endif
