/* SPDX-License-Identifier: Apache-2.0 */
/* Interface of the compiler for programs: from OpenCL C, CUDA C or PTX in memory to images, text or messages. It has
 * no globals and leaves no files. Any number of threads may compile at the same time. OpenCL C and CUDA C need clang,
 * which runs as a child process with input and output in memory.
 *
 *     struct compiler_options options = COMPILER_OPTIONS;
 *     struct compilation *c; struct diag d = {0};
 *     options.name = "scale.cl";
 *     if (compile_source(text, size, &options, &c, &d) != STATUS_OK) {
 *         fputs(compilation_log(c), stderr);
 *         ...
 *     }
 *     struct image *img = compilation_image(c, compilation_find(c, "scale"));
 *     const enum status status = model_launch(m, img, &d);
 *     image_destroy(img);
 *     compilation_destroy(c); */
#ifndef WARPSTEP_COMPILER_H
#define WARPSTEP_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../assembler/base/diag.h"
#include "../assembler/base/linkage.h"
#include "../assembler/image/image.h"

C_LINKAGE_BEGIN

enum compiler_language {
    COMPILER_BY_NAME, /* by the suffix of the name: .cl, .cu or .ptx */
    COMPILER_PTX,
    COMPILER_OPENCL,
    COMPILER_CUDA,
};

/* Options. New fields are added at the end: `bytes` is the size that the caller knows, set by COMPILER_OPTIONS. */
struct compiler_options {
    size_t bytes;
    const char *name; /* name of the text in messages and line tables; the file need not exist */
    enum compiler_language language;
    unsigned level;         /* optimisation level, 0 to 2 */
    unsigned arch;          /* as in struct image: 10, 11, IMAGE_ARCH_10X, ...; 0: sm_10 */
    unsigned max_registers; /* per thread, 8 to 124; 0 for 124 */
    uint32_t variables;     /* first byte address of variables in global memory, a multiple of 256 */
    bool fast_math;         /* approximate instructions for division, roots and fma */
    bool no_contract;       /* does not fuse multiplications and additions */
    bool describe;          /* also names and types of arguments, by one more run of clang */
    const char *const
        *words; /* options of a command line, terminated by NULL: -DN=4, -I DIR, -O1, -cl-mad-enable; or NULL */
    /* paths; NULL for WARPSTEP_CLANG and WARPSTEP_LIBCLC of the environment, else Debian's */
    const char *clang, *libclc;
    bool range; /* OpenCL C: a launch may be a part of a range, which the variable COMPILER_RANGE describes */
};

/* A variable of the file, present if its kernels use it. Each launch sets its words, because a range of three
 * dimensions, or of more groups than a grid has, takes several launches. Words for x, y and z each: first group,
 * first global id, groups of the whole range, offset, global size; then the number of dimensions, and the address of
 * the locks. */
#define COMPILER_RANGE "warp_range"
enum compiler_range {
    COMPILER_RANGE_FIRST_GROUP,
    COMPILER_RANGE_FIRST_ID = 3,
    COMPILER_RANGE_GROUPS = 6,
    COMPILER_RANGE_OFFSET = 9,
    COMPILER_RANGE_SIZE = 12,
    COMPILER_RANGE_DIMENSIONS = 15,
    COMPILER_RANGE_LOCKS, /* address of COMPILER_LOCKS zeroed words of global memory, for atomic operations */
    COMPILER_RANGE_WORDS
};
enum { COMPILER_LOCKS = 64 };

/* Also with `range`: maximum size in bytes of a launch's parameters in the machine. If a kernel has more, those with
 * offsets from here on are in this variable of the image's constant bank 0, which the runtime sets. */
#define COMPILER_PARAMETERS "warp_parameters"
enum { COMPILER_PARAMETER_BYTES = 240 };

/* Also with `range`: constants of the file go to global memory if they exceed this size, which leaves room for
 * literals and parameters in the machine's constant memory. */
enum { COMPILER_CONSTANT_BYTES = 6144 };

/* In the order of the members, because C++ before 2020 has no designated initialisers. */
#define COMPILER_OPTIONS                                                                                           \
    {                                                                                                              \
        sizeof(struct compiler_options), "kernel.cl", COMPILER_BY_NAME, 2, 0, 0, 0x100, false, false, false, NULL, \
            NULL, NULL, false                                                                                      \
    }

/* Result of a compilation. */
struct compilation;

/* Compiles all kernels of a text of `size` bytes.
 *     STATUS_OK           *c has kernels, and perhaps warnings and notes
 *     STATUS_BAD_INPUT    an error in the text or an option, a feature that sm_10 lacks, or clang not found: *c has
 *                         messages and no kernels, *d the first error
 *     STATUS_NO_MEMORY    *c is NULL
 * d may be NULL. In each case the caller calls compilation_destroy(*c), which accepts NULL. Texts live until then. */
enum status compile_source(const char *text, size_t size, const struct compiler_options *options,
                           struct compilation **c, struct diag *d);
void compilation_destroy(struct compilation *c);

/* ---- objects: OpenCL C for later linking ---- */

struct compiler_object {
    const void *bytes;
    size_t size;
};

/* Like compile_source, but the result is an object, which may use functions and variables of other objects. */
enum status compile_object(const char *text, size_t size, const struct compiler_options *options,
                           struct compilation **c, struct diag *d);

/* Links objects to kernels or, as a library, to one object. */
enum status compile_linked(const struct compiler_object *objects, size_t count, bool is_library,
                           const struct compiler_options *options, struct compilation **c, struct diag *d);

/* NULL if there is no object. */
const void *compilation_object(const struct compilation *c, size_t *size);

/* ---- messages ---- */

enum compiler_severity { COMPILER_NOTE, COMPILER_WARNING, COMPILER_ERROR };

struct compiler_message {
    enum compiler_severity severity;
    const char *file;      /* may be empty */
    unsigned line, column; /* from 1; 0 if unknown */
    const char *text;
};

/* Returns a message of clang or of the compiler, in order; NULL behind the last. */
const struct compiler_message *compilation_message(const struct compilation *c, size_t number);

/* Returns the whole log as a tool would print it, with clang's source lines. Empty for NULL. */
const char *compilation_log(const struct compilation *c);

/* ---- kernels ---- */

/* Size of a kernel's hints, including the zero. */
#define COMPILER_HINTS 96

struct compiler_kernel {
    const char *name;    /* source name; PTX name if several kernels share the source name */
    const char *linkage; /* name in PTX */
    size_t argument_count;
    unsigned parameter_bytes; /* of all arguments; they begin at byte 16 of shared memory */
    /* per block: header, parameters, variables; memory of __local arguments follows, each aligned to 16 */
    unsigned shared_bytes;
    unsigned local_bytes; /* per thread */
    unsigned registers;   /* per thread */
    unsigned code_bytes;
    unsigned block[3];          /* required by the source, for OpenCL C only with `describe`; 0 for any */
    char hints[COMPILER_HINTS]; /* "vec_type_hint(float4) work_group_size_hint(64,1,1)", only with `describe` */
    unsigned block_threads;     /* maximum, by registers and memory of the default machine */
};

/* NULL behind the last. */
const struct compiler_kernel *compilation_kernel(const struct compilation *c, size_t number);

/* Returns the index of the kernel with this source or PTX name; SIZE_MAX if none or several have it. */
size_t compilation_find(const struct compilation *c, const char *name);

/* An argument of a kernel, in source order. A CUDA kernel's shared array without a size is its last argument, with
 * size 0. */
struct compiler_argument {
    const char *name, *type_name; /* as in the source; empty without `describe`; type_name is empty for CUDA C */
    const char *type;             /* PTX type: "u32", "f32"; "b8" for structures and vectors */
    enum image_space space;       /* memory that it points to, if it is a pointer */
    unsigned size, align, offset; /* in bytes; offset: from the first parameter */
    bool is_const, is_restrict, is_volatile; /* OpenCL C with `describe`: qualifiers of the pointed-to type */
};

/* NULL behind the last. */
const struct compiler_argument *compilation_argument(const struct compilation *c, size_t kernel, size_t number);

/* Returns a variable of the file, shared by all kernels; NULL behind the last. */
const struct image_variable *compilation_variable(const struct compilation *c, size_t number);

/* Returns the first address of global memory behind the variables, a multiple of 256. Buffers may begin here. */
uint32_t compilation_free_address(const struct compilation *c);

/* ---- output ---- */

/* Returns a copy of a kernel's image, with code, constants, variables, signature and lines, without parameters and
 * grid. The caller destroys it. NULL if there is no such kernel, or if memory is exhausted. */
struct image *compilation_image(const struct compilation *c, size_t kernel);

/* With the option `range`: returns the kernel compiled for fewer registers, with COMPILER_DENSE appended to its
 * name, so that blocks of 512 threads fit in the default machine; it uses local memory instead. NULL if the kernel
 * does not use more registers anyway, if it cannot be compiled so, or if memory is exhausted. */
#define COMPILER_DENSE ".dense"
enum { COMPILER_DENSE_REGISTERS = 32 };
struct image *compilation_dense_image(const struct compilation *c, size_t kernel);

/* Returns the image file of all kernels, including dense ones, for image_read and the tools. The caller frees
 * *bytes. */
enum status compilation_write(const struct compilation *c, uint8_t **bytes, size_t *size, struct diag *d);

/* Returns SASS text from which the assembler makes the same images, with source lines as comments; and the compiled
 * PTX. Both are empty after an error. */
const char *compilation_listing(const struct compilation *c);
const char *compilation_ptx(const struct compilation *c);

C_LINKAGE_END

#endif
