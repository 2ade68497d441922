/* SPDX-License-Identifier: Apache-2.0 */
/* A text while it is expanded: expand.c works through its lines and appends to `out` what becomes of them, include.c
 * reads the files it names, expand_block.c the blocks of .macro and .rept. */
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
    uint32_t number; /* of expansions so far: \@ */
    unsigned depth;
    size_t bytes_max; /* of the whole text */
    bool unwinds;     /* an expansion that goes too deep is being left, up to the source */
    bool stop;        /* the expansion does not end, or memory ran out */
    bool no_memory;
};

/* True when the line at `at` begins with this directive; *rest is what follows it. */
bool expander_directive(const struct flow *f, size_t at, size_t end, const char *name, size_t *rest);

/* Leaves blanks where start..start+length of the flow was, and an error there. Returns false. */
bool expander_error(struct expander *x, const struct flow *f, size_t start, size_t length, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Blanks from `at` on, lines kept. */
void expander_blank(struct flow *f, size_t at);

/* Memory ran out: nothing goes on. Returns false. */
bool expander_no_memory(struct expander *x);

/* A use that stands at an offset of the flow; 0 when memory is out. */
uint32_t expander_use(struct expander *x, enum source_use_kind kind, const struct flow *f, size_t at, struct span name);

#endif
