/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: a source or binaries, and what was built of them for each device. */
#ifndef WARPSTEP_RUNTIME_PROGRAM_H
#define WARPSTEP_RUNTIME_PROGRAM_H

#include "code.h"

/* For one device. */
struct build {
    cl_build_status status;
    cl_program_binary_type type;
    char *options, *log; /* NULL: empty */
    struct code *code;   /* kernels or an object, once they were built */
    struct code *loaded; /* of a binary, likewise */
};

struct program {
    struct object object;
    struct context *context;
    char *source; /* NULL: it is made of binaries */
    size_t source_size;
    struct device *devices[DEVICE_MOST];
    unsigned device_count;
    unsigned number; /* in the context, from 1 */

    pthread_mutex_t lock; /* of what follows */
    struct build builds[DEVICE_MOST];
    unsigned kernels; /* objects that exist */
    uint64_t launches;
    bool is_building;
};

/* The program's build for a device; NULL where it is for others. */
struct build *program_build_for(struct program *p, const struct device *d);

/* The kernels that were built for it, held: those of any device, or of one; NULL: none were. */
struct code *program_code(struct program *p);
struct code *program_code_for(struct program *p, const struct device *d);

/* Whether the kernel of that name has the same arguments on each device that has it. */
bool program_agrees(struct program *p, const struct code_kernel *k);

/* For those that make programs: one without a handle, which program_finish gives it, or takes it apart where the code
 * is an error. NULL: memory is out. */
struct program *program_create(struct context *c, unsigned count, struct device *const *devices);
cl_program program_finish(struct program *p, cl_int code, cl_int *error);
void program_clear_build(struct build *b); /* but for what was loaded */

/* What a kernel holds of its program. */
void program_count_kernel(struct program *p, int change);

/* So many launches more; how many there were so far. */
uint64_t program_count_launch(struct program *p, unsigned more);

/* In the child of a fork: builds that were under way go on in the parent alone. */
void program_inherit(void *program);

/* Adds to a build log. */
void program_log(struct program *p, const struct device *d, const char *text);

#endif
