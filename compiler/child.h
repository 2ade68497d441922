/* SPDX-License-Identifier: Apache-2.0 */
/* Runs another program: its input is given, what it writes is taken. Both are in memory of the system's that has no
 * name among files, so that neither side waits for the other, nothing is left behind, and threads do not meet.
 *
 *     const char *words[] = {"clang", "-", NULL};
 *     struct child_texts t;
 *     if (child_run(words, "int x;", 6, &t) == CHILD_GOOD) ... t.out ...
 *     child_release(&t);
 */
#ifndef WARPSTEP_CC_CHILD_H
#define WARPSTEP_CC_CHILD_H

#include <stddef.h>

enum child_end {
    CHILD_GOOD,   /* exit code 0 */
    CHILD_FAILED, /* another one, or a signal */
    CHILD_ABSENT, /* the program could not be started */
    CHILD_NO_MEMORY,
};

/* What it wrote, each with a NUL behind it; NULL where nothing could be read. */
struct child_texts {
    char *out; /* to its standard output */
    size_t out_size;
    char *said; /* to its standard error */
    size_t said_size;
};

/* `words` ends with NULL, the first is the program, found by PATH; `input` is its standard input. */
enum child_end child_run(const char *const *words, const char *input, size_t size, struct child_texts *texts);
void child_release(struct child_texts *texts);

#endif
