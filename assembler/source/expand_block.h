/* SPDX-License-Identifier: Apache-2.0 */
/* The directives of an expansion that have a body, and .equ: parsed here, expanded by expand.c. */
#ifndef WARPSTEP_EXPAND_BLOCK_H
#define WARPSTEP_EXPAND_BLOCK_H

#include "expander.h"

/* .macro: the directive begins at `start`, the text after its name at `at`, its line ends at `line`. Keeps the macro
 * and returns the offset after its .endm. */
size_t block_macro(struct expander *x, const struct flow *f, size_t start, size_t at, size_t line, size_t end);

/* The macro of that name, or NULL. */
struct macro *block_find_macro(const struct expander *x, const char *name, size_t length);

struct repetition {
    int64_t count;
    struct span counter; /* the name that counts from 0; or empty */
    struct flow body;
};

/* .rept, like block_macro; returns the offset after its .endr. On an error the count is 0. Release the body. */
size_t block_rept(struct expander *x, const struct flow *f, size_t start, size_t at, size_t line, size_t end,
                  struct repetition *r);

/* The text after ".equ" or ".default": .rept may use the number. The first definition of a name counts. */
void block_equ(struct expander *x, const struct flow *f, size_t at, size_t end);

#endif
