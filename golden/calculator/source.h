/* SPDX-License-Identifier: Apache-2.0 */
/* A source file as statements: included files, macros and repetitions are expanded (docs/assembly.md). */
#ifndef CALCULATOR_SOURCE_H
#define CALCULATOR_SOURCE_H

#include "text.h"

struct statement {
    char *text;    /* without comments; a directive may have several lines. A label ends in ':' */
    char *comment; /* comment after it on its line; NULL: none */
    const char *file;
    int line;
    bool own;     /* in the file itself, not in an included file, a macro or a repetition */
    size_t place; /* if own: its beginning in the file */
};

struct macro;

struct source {
    char *text; /* of the file itself */
    struct statement *statements;
    size_t count;
    struct macro *macros;
    size_t macro_count;
    unsigned expansions;
};

void source_read(struct source *source, const char *path);

#endif
