/* SPDX-License-Identifier: Apache-2.0 */
/* Code of a program for a device, compiled from a source or read from a binary, our image file; or an object, LLVM
 * bitcode, that is linked later. Devices of the same kind share code unless it has variables in global memory.
 * Variables are placed on one device, and live as long as the code. */
#ifndef WARPSTEP_RUNTIME_CODE_H
#define WARPSTEP_RUNTIME_CODE_H

#include "../compiler/compiler.h"
#include "context.h"

struct code_argument {
    char *name, *type_name; /* NULL if unknown */
    enum image_space space;
    unsigned size, offset;
    bool is_const, is_restrict, is_volatile;
};

struct code_kernel {
    struct image *image; /* with its name, code, and the block size that the source requires */
    struct image *dense; /* version with fewer registers, see COMPILER_DENSE; or NULL */
    struct code_argument *arguments;
    size_t argument_count;
    unsigned parameter_bytes;
    char hints[COMPILER_HINTS];           /* from the source; empty for a binary */
    const struct image_variable *range;   /* COMPILER_RANGE within the image; NULL if the kernel does not use it */
    const struct image_variable *spilled; /* COMPILER_PARAMETERS within the image, or NULL */
    const struct image_variable *printed; /* PRINTED within the image, or NULL */
};

struct code {
    _Atomic unsigned uses;
    struct code_kernel *kernels;
    size_t kernel_count;
    bool is_object;
    uint8_t *binary; /* image file, or object */
    size_t binary_size;
    bool is_described; /* has argument names and types: built with -cl-kernel-arg-info */
    /* Variables in global memory. */
    struct device *device; /* NULL if there are none */
    uint32_t begin, size;  /* their range on the device */
    pthread_mutex_t lock;
    bool is_initialised; /* initial values have been written */
};

/* Input of a build: a source, or objects to be linked. */
struct code_input {
    const char *source; /* NULL for objects */
    size_t size;
    const char *headers; /* further directory of headers, or NULL */
    const struct compiler_object *objects;
    size_t object_count;
    bool is_described; /* all objects have argument information */
    bool to_object;    /* the result is an object, also with -create-library among the options; else kernels */
};

/* Compiles for a device. *log is the compiler's log, which the caller frees. *code is NULL unless the result is
 * CL_SUCCESS. Errors: CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS, CL_OUT_OF_... */
cl_int code_build(const struct code_input *in, const char *options, struct device *d, struct code **code, char **log);

/* Reads a binary, a copy of code->binary. Errors: CL_INVALID_BINARY, CL_OUT_OF_... */
cl_int code_read(const uint8_t *binary, size_t size, struct device *d, struct code **code);

/* Appends the source to the binary, for devices on which the address of its variables is taken. Returns false if
 * memory is exhausted. */
bool code_keep_source(struct code *code, const char *options, const char *source, size_t size);

/* For code_build and code_read. code_create makes code for up to kernel_count kernels, code_create_object an object;
 * NULL if memory is exhausted. code_add_kernel takes the image, and a kernel's dense image after the kernel. Errors:
 * CL_INVALID_BINARY if the image lacks a variable that launches set, CL_OUT_OF_HOST_MEMORY. code_set_binary copies;
 * it returns false if memory is exhausted. */
struct code *code_create(size_t kernel_count);
struct code *code_create_object(const void *bytes, size_t size);
cl_int code_add_kernel(struct code *code, struct image *img);
bool code_set_binary(struct code *code, const void *bytes, size_t size);

/* Returns whether another device can execute it unchanged. */
bool code_runs_on(const struct code *code, const struct device *made_for, const struct device *d);

struct code *code_hold(struct code *code);
void code_drop(struct code *code); /* ignores NULL */

/* Writes the variables' initial values once, on the device's thread. */
cl_int code_initialise(struct code *code, struct context *c);

const struct code_kernel *code_find(const struct code *code, const char *name);

/* Returns whether both kernels have the same arguments: number, memories, sizes and offsets. */
bool code_same_arguments(const struct code_kernel *a, const struct code_kernel *b);

/* Returns the maximum group size on a device, and the image that executes a group of this size. */
size_t code_max_threads(const struct code_kernel *k, const struct engine_properties *p);
size_t code_preferred_threads(const struct code_kernel *k,
                              const struct engine_properties *p); /* without the dense image */
const struct image *code_image(const struct code_kernel *k, const struct engine_properties *p, size_t threads);

#endif
