/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that print a program. */
#ifndef WARPSTEP_RANDOM_C_PRINT_H
#define WARPSTEP_RANDOM_C_PRINT_H

#include "program.h"

struct printer {
    const struct program *p;
    const struct function *function;
    FILE *to;
    unsigned depth; /* of blocks */
};

void print_type(const struct printer *w, struct type type);
void print_constant(const struct printer *w, struct type type, int64_t value);

/* A value in its own type, in another type with equally many lanes. */
void print_value(const struct printer *w, const struct node *n);
void print_as(const struct printer *w, const struct node *n, struct type type);

/* A value to be stored: a float as one below 512, in quarters. */
void print_kept(const struct printer *w, const struct node *n, struct type type);

/* An index, masked: below length, a power of two. */
void print_index(const struct printer *w, const struct node *n, unsigned length);

void print_statement(struct printer *w, const struct node *n);

#endif
