/* SPDX-License-Identifier: Apache-2.0 */
/* A file that appears complete or not at all: written beside its final name, renamed when complete.
 *
 *     struct outfile f;
 *     if (outfile_open(&f, "run.txt", &d) != STATUS_OK) return diag_report(stderr, &d);
 *     fprintf(f.stream, ...);
 *     status = outfile_close(&f, true, &d);       // false: give up, nothing is left behind
 */
#ifndef WARPSTEP_OUTFILE_H
#define WARPSTEP_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "diag.h"

struct outfile {
    FILE *stream;
    char *path, *temporary;
};

/* The exit code of a tool that would end with `code`: if stdout failed, prints the error and returns its code. */
int outfile_finish(int code);

/* "-" is the standard output. */
enum status outfile_open(struct outfile *f, const char *path, struct diag *d);
/* Before a long run: fails as outfile_open would, and leaves everything as it is. */
enum status outfile_check(const char *path, struct diag *d);
enum status outfile_close(struct outfile *f, bool keep, struct diag *d);

/* Makes a file with the contents of `from`. */
enum status outfile_copy(FILE *from, const char *path, struct diag *d);

#endif
