/* SPDX-License-Identifier: Apache-2.0 */
/* Errors as values: a library function that fails returns an enum status and fills the caller's struct diag; only mains
 * print.
 *
 *     struct diag d = {0};
 *     if (image_read_file(path, &img, &d) != STATUS_OK) return diag_report(stderr, &d);   // "f.sass:3:9: error: ..."
 */
#ifndef WARPSTEP_DIAG_H
#define WARPSTEP_DIAG_H

#include <stdbool.h>
#include <stdio.h>

#include "linkage.h"

C_LINKAGE_BEGIN

enum status {
    STATUS_OK = 0,
    STATUS_DIFFERS = 1, /* the tested thing differs or failed */
    STATUS_BAD_INPUT = 2,
    STATUS_TRAP = 3, /* the kernel trapped or hung */
    STATUS_NO_MEMORY = 4,
};

/* One message. file may be empty; line and column are 1-based, 0 if unknown. Empty text: the message is already
 * printed. */
struct diag {
    enum status status;
    char file[256];
    unsigned line, column;
    char text[512];
};

/* Fills *d (printf-like text, lower case, no full stop) and returns status, for `return diag_set(...)`.
 * d may be NULL. */
enum status diag_set(struct diag *d, enum status status, const char *file, unsigned line, unsigned column,
                     const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The error of a system call, from errno: "WHAT: reason", or just the reason if `what` is empty. STATUS_NO_MEMORY if
 * out of memory, else STATUS_BAD_INPUT. */
enum status diag_errno(struct diag *d, const char *file, const char *what);

/* Writes "file:line:col: error: text\n" (only the known parts; nothing if the text is empty) to `out` and returns the
 * process exit code for d->status. */
int diag_report(FILE *out, const struct diag *d);

C_LINKAGE_END

#endif
