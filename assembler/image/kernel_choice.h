/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses one of a file's kernels: the reader offers each in turn.
 *
 *     struct kernel_choice k = {.by = choice};
 *     for (...) if (kernel_choice_offer(&k, name)) chosen = ...;
 *     status = kernel_choice_finish(&k, path, d);              // says why when it is not just one
 */
#ifndef WARPSTEP_KERNEL_CHOICE_H
#define WARPSTEP_KERNEL_CHOICE_H

#include "image.h"

struct kernel_choice {
    const struct image_choice *by;
    size_t count, matches;
    char names[200]; /* names of all kernels, for messages */
    size_t used;
};

/* The next kernel of the file; true if it is chosen. */
bool kernel_choice_offer(struct kernel_choice *k, const char *name);

/* Likewise for a kernel with a second name, which its compiler derived from the first. NULL: none. */
bool kernel_choice_offer_linked(struct kernel_choice *k, const char *name, const char *linkage);

/* STATUS_OK if exactly one was chosen. */
enum status kernel_choice_finish(const struct kernel_choice *k, const char *path, struct diag *d);

#endif
