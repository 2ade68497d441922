/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program: it reads files in memory, and its output is returned as text. */
#ifndef WARPSTEP_CC_CHILD_H
#define WARPSTEP_CC_CHILD_H

#include <stdbool.h>
#include <stddef.h>

enum { CHILD_NOT_RUN = 127, CHILD_EXTRAS = 64 };

struct child {
    const char *const *words; /* the command, terminated by NULL */
    int input;                /* standard input: a file of child_create_file */
    const int *extras;        /* files opened as /dev/fd/3, /dev/fd/4, ... */
    size_t extra_count;       /* at most CHILD_EXTRAS */
    int messages;             /* receives standard error */
};

/* Opens a file in memory for reading and writing. Returns -1, with errno, on failure. */
int child_create_file(void);

/* Appends bytes to a file. Returns false, with errno, on failure. */
bool child_write_file(int file, const char *text, size_t size);

/* Returns the whole file as a string, which the caller frees; NULL if memory is exhausted. */
char *child_read_file(int file, size_t *size);

/* Runs the program to its end. *text is its standard output, which the caller frees. Returns the exit code;
 * CHILD_NOT_RUN if the program does not exist, -1 if the system fails to run it. */
int child_run(const struct child *child, char **text, size_t *size);

#endif
