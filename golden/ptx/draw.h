/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a PTX program with defined behaviour: every register is written before it is read, no two threads access a byte
 * without a barrier between, no NaN except 7fffffff is observed. Pools contain the registers that hold a value on every
 * path; at its end a block removes its own from them.
 *
 *     struct draw *d = draw_create(seed, size, FEATURES_ALL, 64);
 *     draw_program(d);                     // d->text
 */
#ifndef GOLDEN_PTX_DRAW_H
#define GOLDEN_PTX_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers by contents; their letters are those of draw_forms.c. */
enum kind { WORD16, WORD32, WORD64, FLOAT32, FLOAT64, PREDICATE, KINDS };

enum feature {
    FEATURE_DOUBLE = 1,       /* f64 */
    FEATURE_BRX = 2,          /* tables of branch targets */
    FEATURE_ATOMICS = 4,      /* of 32 bits, global */
    FEATURE_WIDE_ATOMICS = 8, /* of 64 bits */
    FEATURE_SHARED_ATOMICS = 16,
    FEATURE_SHARED = 32,     /* shared memory and barriers */
    FEATURE_SUBNORMALS = 64, /* f32 without .ftz */
    FEATURE_APPROX = 128,    /* rcp, rsqrt, lg2, ex2, sin, cos */
    FEATURE_CALLS = 256,
    FEATURE_IRREDUCIBLE = 512, /* jumps into loops */
    FEATURE_GENERIC = 1024,    /* accesses without a space */
    FEATURE_ROUNDING = 2048,   /* f64 rounded otherwise than to nearest */
    FEATURE_FUNNEL = 4096,     /* shf, of sm_32 */
    FEATURES_ALL = 8191
};

/* MOST_HEAVY: instructions that a machine without them needs hundreds for; those in functions count at each call. */
enum { MOST_HEAVY = 25, MOST_POOLED = 256, MOST_FUNCTIONS = 4, IN_WORDS = 8, ACCUMULATORS = 16 };

struct pool {
    unsigned registers[MOST_POOLED];
    unsigned count;
};

struct text {
    char *bytes;
    size_t length, room;
};

/* Parameters of a function of the program; all functions return a .b32. */
struct drawn_function {
    enum kind takes[3];
    unsigned count;
    bool by_registers; /* not .param */
    bool gives_two;    /* returns two words, the second one their sum */
    bool structure;    /* the first is a structure of two words */
    unsigned heavy;
};

struct draw {
    uint64_t random;
    unsigned features, size, address_bits;
    struct text text; /* the program */
    struct text body; /* of the current function */
    struct pool pools[KINDS];
    struct pool uniform; /* WORD32: the same in all threads of a block, never written again */
    unsigned registers[KINDS], labels, depth;
    bool in_kernel, divergent, uses_barrier, uses_table, uses_funnel, has_local;
    unsigned heavy; /* instructions of the current function, see MOST_HEAVY */
    struct drawn_function functions[MOST_FUNCTIONS];
    unsigned function_count;
    unsigned grid[3], block[3], threads, n; /* n: threads that compute */
    unsigned in_loop;                       /* number of the innermost loop's label, 0 outside */
};

struct draw *draw_create(uint64_t seed, unsigned size, unsigned features, unsigned address_bits);
void draw_free(struct draw *d);
void draw_program(struct draw *d);

/* draw_text.c */
uint64_t draw_bits(struct draw *d);
unsigned draw_below(struct draw *d, unsigned n);
bool draw_chance(struct draw *d, unsigned percent);
uint32_t draw_word(struct draw *d); /* corners among them */
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_append(struct text *text, const struct text *other);
void emit(struct draw *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *kind_prefix(enum kind kind);
unsigned new_register(struct draw *d, enum kind kind);
void pool_put(struct draw *d, enum kind kind, unsigned reg);
/* A register of the pool, made of a constant if the pool is empty. */
unsigned pool_any(struct draw *d, enum kind kind);
bool has_feature(const struct draw *d, enum feature feature);

/* draw_forms.c: an instruction on registers, with its result in a pool */
void draw_computation(struct draw *d);
void draw_copy(struct draw *d, enum kind kind, unsigned to);    /* writes an existing register */
unsigned draw_condition(struct draw *d);                        /* a predicate */
unsigned as_word(struct draw *d, enum kind kind, unsigned reg); /* WORD32 from any other kind */
unsigned canonical(struct draw *d, unsigned reg);               /* FLOAT32 without odd NaNs */
unsigned numeric_double(struct draw *d, unsigned reg);          /* FLOAT64 that is a number, else 0 */

/* draw_places.c: memory. Addresses are in %la (local), %out (the thread's results), %acc, %sa (its own shared words);
 * with a g appended, generic. */
void draw_local_start(struct draw *d);
void draw_shared_start(struct draw *d);
void draw_memory(struct draw *d);
void draw_exchange(struct draw *d); /* through shared memory, with barriers */
void draw_atomic(struct draw *d);
void draw_walk(struct draw *d, unsigned label);
void draw_tables(struct draw *d); /* module-scope variables */
enum kind address_kind(const struct draw *d);

/* draw_shape.c: branches, loops, calls */
void draw_block(struct draw *d, unsigned statements);
void draw_functions(struct draw *d);
void declare_registers(struct draw *d); /* inserts the declarations before the body */

#endif
