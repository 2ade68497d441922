/* SPDX-License-Identifier: Apache-2.0 */
/* The compilation of one source, and the command of each run of clang that it takes. */
#ifndef WARPSTEP_CC_DRIVER_COMMAND_H
#define WARPSTEP_CC_DRIVER_COMMAND_H

#include "child.h"
#include "driver.h"
#include "system_headers.h"

/* Words of a command line, the last of which is NULL. */
struct driver_command {
    const char **words;
    size_t count, capacity;
    bool failed; /* memory is exhausted */
};

/* A run of clang. */
enum driver_step {
    STEP_COMPILE,    /* source to PTX */
    STEP_FRONT,      /* source to LLVM text, not optimised, for STEP_BACK */
    STEP_BACK,       /* that text, with internal functions, to PTX */
    STEP_DESCRIBE,   /* source to LLVM text, not optimised, with argument names */
    STEP_OBJECT,     /* source to LLVM bitcode, not optimised */
    STEP_PREPROCESS, /* source to preprocessed text */
    STEP_HEADER,     /* our header, precompiled, because parsing it takes half of the time */
    STEP_COMPILE_TEXT
};

/* Compilation of one source. */
struct driver_job {
    const char *path, *clang, *libclc; /* libclc: NULL if not linked */
    enum driver_language language;
    const struct driver_options *options;
    int headers; /* our header */
    int source;  /* bytes of the source, preceded by its name if it is given as text */
    int input;   /* header and source in one file */
    bool has_no_includes;
    bool is_split;            /* STEP_COMPILE is STEP_FRONT and STEP_BACK */
    bool forbids_contraction; /* the source does, by a pragma */
    /* maps the source's name to one of the extras, so that clang reads the bytes that the cache's key covers */
    char *remap;
    bool is_precompiled; /* the precompiled header is the last of the extras */
    bool wants_ir;
    char *ir;
    struct system_headers system;
    int text; /* input of STEP_COMPILE_TEXT and STEP_BACK */
    int messages;
    int extras[CHILD_EXTRAS]; /* objects; for CUDA C the system headers */
    size_t extra_count;
    char extra_names[CHILD_EXTRAS][16];
};

/* Returns whether clang should print the module with the PTX. */
bool driver_wants_ir(const struct driver_job *job, enum driver_step step);

/* Appends the words of this run. The caller frees c->words. */
void driver_make_command(struct driver_command *c, const struct driver_job *job, enum driver_step step);

/* Prints the words in one line. */
void driver_print_command(const struct driver_command *c, FILE *out);

#endif
