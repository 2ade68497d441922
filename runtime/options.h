/* SPDX-License-Identifier: Apache-2.0 */
/* Options of a build, as clBuildProgram takes them, for the compiler. */
#ifndef WARPSTEP_RUNTIME_OPTIONS_H
#define WARPSTEP_RUNTIME_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "../assembler/base/diag.h"

struct options {
    char *text; /* the words, one after the other */
    const char **words;
    size_t count, capacity;
    bool disables_optimisation; /* -cl-opt-disable, -O0 */
    bool is_library;            /* -create-library */
    bool wants_arguments;       /* -cl-kernel-arg-info */
};

/* Splits them at blanks outside of quotes. NULL is none. STATUS_BAD_INPUT: *d names the option that is none;
 * STATUS_NO_MEMORY. *o is to be released in each case. */
enum status options_read(const char *text, struct options *o, struct diag *d);

/* One word more, which stays the caller's; false where memory is out. There is a NULL behind the last. */
bool options_add(struct options *o, const char *word);
void build_options_release(struct options *o);

#endif
