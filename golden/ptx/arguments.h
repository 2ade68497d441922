/* SPDX-License-Identifier: Apache-2.0 */
/* The words of --arg, in the order of the kernel's parameters: a number; FILE or zero:BYTES, a buffer, with ,out=FILE
 * to be written after the run; local:BYTES, shared memory. */
#ifndef GOLDEN_PTX_ARGUMENTS_H
#define GOLDEN_PTX_ARGUMENTS_H

#include "machine.h"

enum { MOST_ARGUMENTS = 64 };

struct arguments {
    const char *words[MOST_ARGUMENTS];
    unsigned count;
    uint64_t addresses[MOST_ARGUMENTS]; /* of buffers with ,out */
    uint64_t sizes[MOST_ARGUMENTS];
    uint8_t *block; /* the parameters' bytes */
};

/* The whole file with a zero after it, which the caller frees; NULL if it cannot be read. */
uint8_t *file_read(const char *path, uint64_t *size);

/* Adds buffers to the machine. False, with the problem. */
bool arguments_bind(struct arguments *a, struct machine *m, const struct function *kernel, struct problem *problem);
/* Writes the files of ,out=. An undefined byte in one is a problem, unless `undefined` allows it. */
bool arguments_write(const struct arguments *a, struct machine *m, bool undefined, struct problem *problem);

#endif
