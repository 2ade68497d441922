/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an expansion: expand.c processes the lines and appends their expansion to `out`, include.c reads
 * included files, expand_block.c the blocks of .macro and .rept. */
#ifndef WARPSTEP_EXPANDER_H
#define WARPSTEP_EXPANDER_H

#include "expand.h"
#include "macro.h"
#include "symbols.h"

struct expander {
    struct sources *sources;
    struct messages *messages;
    struct flow out;
    struct macro *macros;
    size_t macro_count, macro_capacity;
    struct symbols macro_names; /* their indices */
    struct symbols equ;         /* numbers that .rept may use */
    char **names;               /* theirs */
    size_t name_count, name_capacity;
    uint32_t number; /* number of expansions so far: \@ */
    unsigned depth;
    size_t bytes_max; /* limit of the whole text */
    bool unwinds;     /* leaving an expansion that nests too deeply, up to the source */
    bool stop;        /* the expansion does not end, or memory ran out */
    bool no_memory;
};

/* True if the line at `at` begins with this directive; *rest is the text after it. */
bool expander_directive(const struct flow *f, size_t at, size_t end, const char *name, size_t *rest);

/* Replaces start..start+length of the flow by blanks, with an error there. Returns false. */
bool expander_error(struct expander *x, const struct flow *f, size_t start, size_t length, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Blanks from `at` on, lines kept. */
void expander_blank(struct flow *f, size_t at);

/* Out of memory: ends the expansion. Returns false. */
bool expander_no_memory(struct expander *x);

/* A use at an offset of the flow; 0 if out of memory. */
uint32_t expander_use(struct expander *x, enum source_use_kind kind, const struct flow *f, size_t at, struct span name);

#endif
