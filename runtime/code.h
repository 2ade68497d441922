/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a program as a device executes them, made of a source or read from a binary, which is our image file;
 * or an object, LLVM's bitcode, of which kernels are linked.
 * Devices that execute the same code share it, but where it has variables in global memory: these have a place on one
 * device, and last as long as the code. */
#ifndef WARPSTEP_RUNTIME_CODE_H
#define WARPSTEP_RUNTIME_CODE_H

#include "../compiler/compiler.h"
#include "context.h"

struct code_argument {
    char *name, *type_name; /* NULL where they are not known */
    enum image_space space;
    unsigned size, offset;
    bool is_const, is_restrict, is_volatile;
};

struct code_kernel {
    struct image *image; /* its name, its code, and the block that the source requires */
    struct image *dense; /* with fewer registers, see COMPILER_DENSE; or NULL */
    struct code_argument *arguments;
    size_t argument_count;
    unsigned parameter_bytes;
    char hints[COMPILER_HINTS];           /* of the source; empty in what is read from a binary */
    const struct image_variable *range;   /* COMPILER_RANGE, in the image; NULL: it does not ask */
    const struct image_variable *spilled; /* COMPILER_PARAMETERS, likewise */
    const struct image_variable *printed; /* PRINTED, likewise */
};

struct code {
    _Atomic unsigned uses;
    struct code_kernel *kernels;
    size_t kernel_count;
    bool is_object;
    uint8_t *binary; /* the image file, or the object */
    size_t binary_size;
    bool is_described; /* programs may ask for its arguments' names and types: built with -cl-kernel-arg-info */
    /* Variables in global memory. */
    struct device *device; /* NULL: there are none */
    uint32_t begin, size;  /* of their place on it */
    pthread_mutex_t lock;
    bool is_initialised; /* they have their first values */
};

/* A source, or objects that are linked. */
struct code_input {
    const char *source; /* NULL: the objects count */
    size_t size;
    const char *headers; /* a directory where the source finds some, too; or NULL */
    const struct compiler_object *objects;
    size_t object_count;
    bool is_described; /* each of the objects */
    bool to_object;    /* an object comes of it, as it does with -create-library among the options; else kernels */
};

/* Compiles for a device. *log is what the compiler says, to be freed. *code is NULL where the result is not CL_SUCCESS:
 * CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS, CL_OUT_OF_... */
cl_int code_build(const struct code_input *in, const char *options, struct device *d, struct code **code, char **log);

/* Reads a binary, which code->binary of another was. CL_INVALID_BINARY, CL_OUT_OF_... */
cl_int code_read(const uint8_t *binary, size_t size, struct device *d, struct code **code);

/* Puts the source behind the binary, for devices where the place of its variables is taken. False: no memory. */
bool code_keep_source(struct code *code, const char *options, const char *source, size_t size);

/* For those two: without kernels, with room for so many; an object; NULL where memory is out. code_add_kernel takes the
 * image, the dense one of a kernel after that: CL_INVALID_BINARY where a launch would set what the image does not have,
 * CL_OUT_OF_HOST_MEMORY. code_set_binary copies: false where memory is out. */
struct code *code_create(size_t kernel_count);
struct code *code_create_object(const void *bytes, size_t size);
cl_int code_add_kernel(struct code *code, struct image *img);
bool code_set_binary(struct code *code, const void *bytes, size_t size);

/* Whether it can be executed on another device as it is. */
bool code_fits(const struct code *code, const struct device *made_for, const struct device *d);

struct code *code_hold(struct code *code);
void code_drop(struct code *code); /* NULL is nothing */

/* Gives the variables their first values, once; from the device's thread. */
cl_int code_initialise(struct code *code, struct context *c);

const struct code_kernel *code_find(const struct code *code, const char *name);

/* Whether arguments that were set for one can be those of the other: their number, spaces, sizes and offsets. */
bool code_same_arguments(const struct code_kernel *a, const struct code_kernel *b);

/* The most threads of a group on a device, and the image that a group of some is executed with. */
size_t code_most_threads(const struct code_kernel *k, const struct engine_properties *p);
size_t code_good_threads(const struct code_kernel *k, const struct engine_properties *p); /* without the dense one */
const struct image *code_image(const struct code_kernel *k, const struct engine_properties *p, size_t threads);

#endif
