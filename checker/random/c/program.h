/* SPDX-License-Identifier: Apache-2.0 */
/* A program in OpenCL C as a tree, which print.c turns into text. Every tree that program_valid accepts has defined
 * behaviour: shifts are masked, divisors are not zero, signed sums stay in range, floats are small multiples of a power
 * of two, every store is read back as the same type, and no work item reads another one's stores without a barrier
 * between. So a part of a tree may replace another. */
#ifndef WARPSTEP_RANDOM_C_PROGRAM_H
#define WARPSTEP_RANDOM_C_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Signed at even numbers, followed by the unsigned type of the same size. */
enum base { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, BASES };

struct type {
    enum base base;
    unsigned lanes; /* 1; a vector: 2, 4, 8 */
};

/* Children are in brackets, followed by the meaning of op and value. */
enum kind {
    /* values */
    E_CONST,    /* value; of a float in quarters */
    E_VARIABLE, /* value: its number */
    E_ID,       /* op: 0 to 3, global, local, group, size of a block */
    E_UNARY,    /* [a] op: enum unary */
    E_BINARY,   /* [a b] op: enum binary */
    E_COMPARE,  /* [a b] op: enum compare; compared as the type of a */
    E_LOGIC,    /* [a b] op: 0 and, 1 or */
    E_CHOICE,   /* [condition a b] of vectors: by lanes */
    E_CAST,     /* [a] */
    E_BITS,     /* [a] of a float */
    E_ELEMENT,  /* [index] value: the number of an array or a pointer */
    E_TABLE,    /* [index] value: the number of a table of constants */
    E_INPUT,    /* [index] of the kernel's input */
    E_OUTPUT,   /* [index] of the work item's part of the output */
    E_SHARED,   /* [index] of local memory, of any work item */
    E_CALL,     /* [arguments] value: the number of a function */
    E_VECTOR,   /* [lanes] */
    E_LANE,     /* [vector] value: the number of the lane */
    E_SWIZZLE,  /* [vector] value: three bits a lane */
    E_FIELD,    /* [index of the structure, index in the field] value: structure; op: field */
    E_BUILTIN,  /* [arguments] op: enum builtin */
    E_ARRAY,    /* an argument: value: array or structure */
    /* statements */
    S_NOTHING,
    S_BLOCK,    /* [statements] */
    S_ASSIGN,   /* [target a] op: 0, or 1 + enum binary */
    S_STEP,     /* [target] op: 0 ++, 1 -- */
    S_IF,       /* [condition then else] */
    S_LOOP,     /* [bound body] op: enum loop; value: the counter */
    S_SWITCH,   /* [a, blocks; the last is the default] value: bit mask of blocks that fall through; op: distance of
                 * cases */
    S_BREAK,    /* */
    S_CONTINUE, /* */
    S_RETURN,   /* [a], or none in the kernel */
    S_LABELLED, /* [body] value: label behind it */
    S_LEAVE,    /* value: label to go to */
    S_ENTER,    /* [condition, first half, second half, bound] a loop that may begin in its middle; op: the counter;
                   value: label of the middle */
    S_EXCHANGE, /* [a body] a goes into local memory; barriers before and behind the body, which reads it */
    S_ATOMIC,   /* [a] value: one of ATOMICS cells */
    S_POINT,    /* [index] op: a pointer, set to an element of the array in value */
    S_COPY      /* op: structure set to the one in value, both not arrays */
};

enum unary { NEGATE, COMPLEMENT, NOT, ABSOLUTE };
enum binary { ADD, SUB, MUL, AND, OR, XOR, SHL, SHR, DIV, REM, HALF_ADD, HALF_SUB, HALF_MUL, BINARIES };
enum compare { LESS, MORE, AT_MOST, AT_LEAST, EQUAL, UNLIKE, COMPARES };
enum loop { UP, DOWN, BY_TWO, WHILE, DO, UNIFORM, LOOPS }; /* in a uniform one, work items exchange values */
enum builtin { MIN, MAX, ABS, CLZ, POPCOUNT, ROTATE, MUL_HI, HADD, RHADD, ADD_SAT, SUB_SAT, ABS_DIFF, BUILTINS };

enum {
    CHILDREN = 8,
    NODES = 40000,
    VARIABLES = 48,
    FUNCTIONS = 6, /* the last is the kernel */
    STRUCTURES = 3,
    FIELDS = 5,
    TABLES = 3,
    TABLE_LENGTH = 16,
    INPUT_WORDS = 1024,
    OUTPUT_BYTES = 64, /* of a work item */
    ATOMICS = 8,
    BLOCK_MOST = 64, /* work items */
    SIGNIFICANT = 24 /* bits of a float */
};

struct node {
    enum kind kind;
    struct type type;
    unsigned op, count;
    int64_t value;
    struct node *child[CHILDREN];
};

enum shape { SCALAR, ARRAY, POINTER, STRUCTURE, STRUCTURE_POINTER };

struct variable {
    enum shape shape;
    struct type type;
    unsigned length;    /* accessible elements, a power of two; of STRUCTURE: their number */
    unsigned structure; /* of STRUCTURE and its pointer */
    bool counter;       /* only its loop changes it */
    bool parameter;
    bool input;         /* POINTER: into the input */
    unsigned target;    /* POINTER: the array that it points into first */
    int64_t seed;       /* initial values of an array */
    struct node *first; /* initial value of a scalar */
};

struct function {
    struct type type;
    bool apart; /* noinline */
    unsigned variables, parameters;
    struct variable variable[VARIABLES];
    struct node *body;
    unsigned cost;
};

struct structure {
    unsigned fields;
    struct type type[FIELDS];
    unsigned length[FIELDS]; /* 1, or of an array */
};

struct program {
    uint64_t seed;
    unsigned blocks, threads; /* of the launch */
    unsigned level;           /* -O */
    unsigned registers;       /* --max-registers; 0: none */
    enum base shared;         /* type of the words in local memory */
    enum base output;         /* type of the words of the output: a single one, because C forbids stores by another */
    unsigned structures;
    struct structure structure[STRUCTURES];
    struct type table[TABLES];
    int64_t table_seed[TABLES];
    enum base atomic[ATOMICS];
    unsigned atomic_op[ATOMICS];
    struct function function[FUNCTIONS]; /* those without a body do not exist */
    struct node nodes[NODES];
    unsigned used;
    struct node spare; /* returned if there is no room */
};

enum { KERNEL = FUNCTIONS - 1 };

static inline bool base_is_signed(enum base b) { return b >= F32 || b % 2 == 0; }
static inline bool base_is_float(enum base b) { return b >= F32; }
static inline enum base base_unsigned(enum base b) { return b < F32 ? b | 1 : b; }
static inline enum base base_signed(enum base b) { return b < F32 ? (enum base)(b & ~1u) : b; }
static inline unsigned base_bits(enum base b) { return b == F32 ? 32 : b == F64 ? 64 : 8u << (b / 2); }
static inline struct type type_of(enum base b) { return (struct type){b, 1}; }

/* A pseudorandom word from a seed. */
uint64_t program_word(int64_t seed, unsigned number);

/* New nodes have no children; without room it is the spare node. */
struct node *program_node(struct program *p, enum kind kind, struct type type, unsigned op, int64_t value);
void program_add(struct node *parent, struct node *child);

/* True if breaks have loops, labels exist, and barriers are in places that all work items reach. */
bool program_valid(const struct program *p);

/* Marks the functions and variables that the kernel needs: one bit a variable in used[f], and one for function f. */
void program_find_used(const struct program *p, uint64_t used[FUNCTIONS], bool called[FUNCTIONS]);

/* draw.c: draws the program of a seed. */
void program_draw(struct program *p, uint64_t seed);

/* print.c: prints it as OpenCL C. */
void program_print(const struct program *p, FILE *to);

/* The bytes of its input. */
void program_input(const struct program *p, uint32_t words[INPUT_WORDS]);

#endif
