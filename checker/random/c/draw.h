/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that draw a program. */
#ifndef WARPSTEP_RANDOM_C_DRAW_H
#define WARPSTEP_RANDOM_C_DRAW_H

#include "../rng.h"
#include "program.h"

/* Features of a program; each program has some of them. */
enum feature {
    WITH_NARROW, /* 8 and 16 bits */
    WITH_WIDE,   /* 64 bits */
    WITH_FLOATS,
    WITH_DOUBLES,
    WITH_VECTORS,
    WITH_ARRAYS,
    WITH_POINTERS,
    WITH_STRUCTURES,
    WITH_CALLS,
    WITH_BARRIERS,
    WITH_ATOMICS,
    WITH_LABELS,
    WITH_SWITCHES,
    WITH_DIVISIONS,
    WITH_BUILTINS,
    WITH_TABLES,
    FEATURES
};

struct draw {
    struct program *p;
    struct rng rng;
    unsigned features; /* a bit each */
    unsigned number;   /* number of the function being drawn */
    unsigned weight;   /* number of times that the statement runs */
    unsigned spent;    /* statements run so far */
    unsigned labels;   /* drawn so far in this function */
    uint64_t open;     /* labels that may be left to */
    bool in_loop, in_switch, may_return, may_share;
};

enum { WEIGHT_MOST = 150, SPENT_MOST = 1500, COST_MOST = 150 /* of a function */ };

static inline bool draw_has(const struct draw *d, enum feature f) { return (d->features >> f & 1) != 0; }
static inline struct function *draw_function(const struct draw *d) { return &d->p->function[d->number]; }
static inline uint32_t draw_below(struct draw *d, uint32_t n) { return rng_below(&d->rng, n); }
static inline bool draw_percent(struct draw *d, uint32_t percent) { return rng_percent(&d->rng, percent); }

/* Types of the program: integers, any. */
struct type draw_integer_type(struct draw *d);
struct type draw_type(struct draw *d);

/* A random variable of the function that a test accepts; VARIABLES: none. */
typedef bool draw_test(const struct variable *v);
unsigned draw_variable(struct draw *d, draw_test *test);

/* A value of a type; depth: maximum nesting of operations. */
struct node *draw_value(struct draw *d, struct type type, unsigned depth);

/* An assignable expression, or NULL. */
struct node *draw_target(struct draw *d);

/* Up to `most` statements in a block; depth: maximum nesting. */
struct node *draw_block(struct draw *d, unsigned most, unsigned depth);

/* The same in a place that all work items reach: with barriers. */
struct node *draw_uniform_block(struct draw *d);

#endif
