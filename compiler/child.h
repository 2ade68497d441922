/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program on texts: what it reads are files in memory, what it writes comes back as text. */
#ifndef WARPSTEP_CC_CHILD_H
#define WARPSTEP_CC_CHILD_H

#include <stdbool.h>
#include <stddef.h>

enum { CHILD_NOT_RUN = 127, CHILD_EXTRAS = 64 };

struct child {
    const char *const *words; /* the command, up to NULL */
    int input;                /* its standard input, a file of child_file */
    const int *extras;        /* what it opens as /dev/fd/3, /dev/fd/4, ... */
    size_t extra_count;       /* CHILD_EXTRAS at most */
    int messages;             /* takes its standard error */
};

/* A file in memory, open for both; -1 where there is none, with errno. */
int child_file(void);

/* Writes bytes behind what is there; false, with errno, where that fails. */
bool child_write(int file, const char *text, size_t size);

/* The whole of it as a string, to be freed; NULL where memory is out. */
char *child_text(int file, size_t *size);

/* Runs it to its end; *text is its standard output, to be freed. The exit code: CHILD_NOT_RUN where there is no such
 * program, -1 where the system does not let it run. */
int child_run(const struct child *child, char **text, size_t *size);

#endif
