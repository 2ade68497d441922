/* SPDX-License-Identifier: Apache-2.0 */
/* Build options of clBuildProgram, converted for the compiler. */
#ifndef WARPSTEP_RUNTIME_OPTIONS_H
#define WARPSTEP_RUNTIME_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "../assembler/base/diag.h"

struct options {
    char *text; /* all words, one after the other */
    const char **words;
    size_t count, capacity;
    bool disables_optimisation; /* -cl-opt-disable, -O0 */
    bool is_library;            /* -create-library */
    bool wants_arguments;       /* -cl-kernel-arg-info */
};

/* Splits the text at white space outside quotes. NULL is an empty text. STATUS_BAD_INPUT: *d names the unknown
 * option; STATUS_NO_MEMORY. The caller releases *o in each case. */
enum status options_read(const char *text, struct options *o, struct diag *d);

/* Adds a word, which the caller keeps; returns false if memory is exhausted. The list ends with NULL. */
bool options_add(struct options *o, const char *word);
void build_options_release(struct options *o);

#endif
