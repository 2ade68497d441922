/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory.
 *
 *     char *text; size_t size;
 *     if (file_read(path, &text, &size, &d) != STATUS_OK) return ...;   // text[size] is '\0'; free(text)
 */
#ifndef WARPSTEP_FILE_H
#define WARPSTEP_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

/* "-" is standard input, named "<stdin>" in messages. */
bool file_is_standard(const char *path);
const char *file_name(const char *path);

/* Ignores case. */
bool file_has_suffix(const char *path, const char *suffix);

/* Reads a file of at most 64 MB; directories and unreadable files are STATUS_BAD_INPUT with the reason in *d. */
enum status file_read(const char *path, char **text, size_t *size, struct diag *d);

/* The path of a file that another file names: relative to that file's directory. NULL if out of memory; the caller
 * frees it. */
char *file_beside(const char *path, const char *name, size_t length);

#endif
