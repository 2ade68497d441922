/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files that draw a program. */
#ifndef WARPSTEP_RANDOM_C_DRAW_H
#define WARPSTEP_RANDOM_C_DRAW_H

#include "../rng.h"
#include "program.h"

/* What a program may have; each has some of them. */
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
    unsigned number;   /* of the function that is drawn */
    unsigned weight;   /* how often the statement runs */
    unsigned spent;    /* how many have run before */
    unsigned labels;   /* drawn so far in this function */
    uint64_t open;     /* labels that may be left to */
    bool in_loop, in_switch, may_return, may_share;
};

enum { WEIGHT_MOST = 150, SPENT_MOST = 1500, COST_MOST = 150 /* of a function */ };

static inline bool draw_has(const struct draw *d, enum feature f) { return (d->features >> f & 1) != 0; }
static inline struct function *draw_function(const struct draw *d) { return &d->p->function[d->number]; }
static inline uint32_t draw_below(struct draw *d, uint32_t n) { return rng_below(&d->rng, n); }
static inline bool draw_percent(struct draw *d, uint32_t percent) { return rng_percent(&d->rng, percent); }

/* Types that the program has: of integers, of anything. */
struct type draw_integer_type(struct draw *d);
struct type draw_type(struct draw *d);

/* One of the function's variables that a test takes, at random; VARIABLES: there is none. */
typedef bool draw_test(const struct variable *v);
unsigned draw_variable(struct draw *d, draw_test *test);

/* A value of a type; depth: how many operations may be inside of each other. */
struct node *draw_value(struct draw *d, struct type type, unsigned depth);

/* What may be assigned to, or NULL. */
struct node *draw_target(struct draw *d);

/* Up to most statements in a block; depth: how many may be inside of each other. */
struct node *draw_block(struct draw *d, unsigned most, unsigned depth);

/* The same where all work items come: with barriers. */
struct node *draw_uniform_block(struct draw *d);

#endif
