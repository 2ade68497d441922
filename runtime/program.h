/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: a source or binaries, and their builds for each device. */
#ifndef WARPSTEP_RUNTIME_PROGRAM_H
#define WARPSTEP_RUNTIME_PROGRAM_H

#include "code.h"

/* Build for one device. */
struct build {
    cl_build_status status;
    cl_program_binary_type type;
    char *options, *log; /* NULL if empty */
    struct code *code;   /* kernels or an object, after a build */
    struct code *loaded; /* likewise, from a binary */
};

struct program {
    struct object object;
    struct context *context;
    char *source; /* NULL if created from binaries */
    size_t source_size;
    struct device *devices[DEVICES_MAX];
    unsigned device_count;
    unsigned number; /* in the context, from 1 */

    pthread_mutex_t lock; /* protects the members below */
    struct build builds[DEVICES_MAX];
    unsigned kernels; /* number of kernel objects */
    uint64_t launches;
    bool is_building;
};

/* Returns the program's build for a device; NULL if it has none. */
struct build *program_build_for(struct program *p, const struct device *d);

/* Return the kernels, and hold them: of any device, or of one; NULL if it was not built. */
struct code *program_code(struct program *p);
struct code *program_code_for(struct program *p, const struct device *d);

/* Returns whether the kernel of that name has the same arguments on each device that has it. */
bool program_has_same_arguments(struct program *p, const struct code_kernel *k);

/* program_create creates a program without a handle; NULL if memory is exhausted. program_return_handle creates the
 * handle, or destroys the program if `code` is an error. */
struct program *program_create(struct context *c, unsigned count, struct device *const *devices);
cl_program program_return_handle(struct program *p, cl_int code, cl_int *error);
void program_clear_build(struct build *b); /* keeps the loaded code */

/* Counts the kernel objects of a program. */
void program_count_kernel(struct program *p, int change);

/* Adds to the number of launches, and returns the number before. */
uint64_t program_count_launch(struct program *p, unsigned more);

/* In the child of a fork: builds in progress continue only in the parent. */
void program_after_fork(void *program);

/* Adds to a build log. */
void program_log(struct program *p, const struct device *d, const char *text);

#endif
