/* SPDX-License-Identifier: Apache-2.0 */
/* Inside expand.c: what it shares with expand_block.c, the directives that have a body. An expander works through the
 * lines of a flow and appends to `out` what becomes of them. */
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
    bool unwinds; /* an expansion that goes too deep is being left, up to the source */
    bool stop;    /* the expansion does not end, or memory ran out */
    bool no_memory;
};

/* Works through the lines from `at` to `end`. */
void expander_lines(struct expander *x, const struct flow *f, size_t at, size_t end);

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

/* ---- expand_block.c ---- */

/* .macro and .rept: the directive begins at `start`, what follows its name at `at`, its line ends at `line`. Return the
 * offset behind the block. */
size_t expander_macro(struct expander *x, const struct flow *f, size_t start, size_t at, size_t line, size_t end);
size_t expander_rept(struct expander *x, const struct flow *f, size_t start, size_t at, size_t line, size_t end);

/* A line start..end without a directive of this file, the next one at `next`: its statements may be calls. */
void expander_plain(struct expander *x, const struct flow *f, size_t start, size_t end, size_t next);

/* What follows ".equ": .rept may use the number. */
void expander_equ(struct expander *x, const struct flow *f, size_t at, size_t end);

#endif
