/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler, for programs: OpenCL C, CUDA C or PTX in memory in, images, text or messages out. It has no globals
 * and leaves no file behind; any number of threads may compile at a time. What is not PTX needs clang, which runs as a
 * child process with its input and output in memory.
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

/* What is wanted. Fields may be added at its end: `bytes` says which a program knows, and COMPILER_OPTIONS sets it. */
struct compiler_options {
    size_t bytes;
    const char *name; /* of the text, in messages and lines; no such file needs to be there */
    enum compiler_language language;
    unsigned level;         /* of optimisation, 0 to 2 */
    unsigned arch;          /* as in struct image: 10, 11, IMAGE_ARCH_10X, ...; 0: sm_10 */
    unsigned max_registers; /* a thread, 8 to 124; 0: 124 */
    uint32_t variables;     /* where the variables of global memory begin, a multiple of 256 */
    bool fast_math;         /* division, roots and fma by approximate instructions */
    bool no_contract;       /* no multiply-add of what the source multiplies and adds */
    bool describe;          /* names and types of arguments, too: clang runs once more */
    const char *const
        *words; /* options as on a command line, up to NULL: -DN=4, -I DIR, -O1, -cl-mad-enable; or NULL */
    const char *clang, *libclc; /* paths; NULL: WARPSTEP_CLANG and WARPSTEP_LIBCLC of the environment, else Debian's */
    bool range;                 /* OpenCL C: the variable COMPILER_RANGE says where in a range the launch is */
};

/* A variable of the file, where its kernels ask for it: words that each launch sets, as a range of three dimensions, or
 * of more groups than a grid has, is more than one launch. Each for x, y and z: the number of its first group, its
 * first global id, groups of the whole range, offset, global size; then the number of dimensions, and locks. */
#define COMPILER_RANGE "warp_range"
enum compiler_range {
    COMPILER_RANGE_FIRST_GROUP,
    COMPILER_RANGE_FIRST_ID = 3,
    COMPILER_RANGE_GROUPS = 6,
    COMPILER_RANGE_OFFSET = 9,
    COMPILER_RANGE_SIZE = 12,
    COMPILER_RANGE_DIMENSIONS = 15,
    COMPILER_RANGE_LOCKS, /* address of COMPILER_LOCKS words of global memory, zeros, for atomic operations */
    COMPILER_RANGE_WORDS
};
enum { COMPILER_LOCKS = 64 };

/* With `range`, too: most bytes of parameters that a launch has, as the machine takes them. Where a kernel has more, an
 * offset from here on is one behind this variable of its image's constant bank 0, which the runtime sets. */
#define COMPILER_PARAMETERS "warp_parameters"
enum { COMPILER_PARAMETER_BYTES = 240 };

/* With `range`, too: constants of the file go to global memory where they are more than the machine's constant memory
 * has room for, beside literals and parameters. */
enum { COMPILER_CONSTANT_BYTES = 6144 };

/* In the order of the members, as C++ before 2020 has no names here. */
#define COMPILER_OPTIONS                                                                                           \
    {                                                                                                              \
        sizeof(struct compiler_options), "kernel.cl", COMPILER_BY_NAME, 2, 0, 0, 0x100, false, false, false, NULL, \
            NULL, NULL, false                                                                                      \
    }

/* What came of a text. */
struct compilation;

/* Compiles all kernels of a text of `size` bytes.
 *     STATUS_OK           *c has kernels; perhaps messages, warnings and notes
 *     STATUS_BAD_INPUT    the text, an option, what sm_10 cannot do, no clang: *c has messages and no kernels, *d the
 *                         first error
 *     STATUS_NO_MEMORY    *c is NULL
 * d may be NULL. In each case *c goes to compilation_destroy, which takes NULL. Text that it returns lives as long. */
enum status compile_source(const char *text, size_t size, const struct compiler_options *options,
                           struct compilation **c, struct diag *d);
void compilation_destroy(struct compilation *c);

/* ---- objects: OpenCL C that is linked later ---- */

struct compiler_object {
    const void *bytes;
    size_t size;
};

/* As compile_source, but what comes of the text is an object, which may lack functions and variables of others. */
enum status compile_object(const char *text, size_t size, const struct compiler_options *options,
                           struct compilation **c, struct diag *d);

/* Kernels of objects that are linked; or, as a library, one object of them all. */
enum status compile_linked(const struct compiler_object *objects, size_t count, bool is_library,
                           const struct compiler_options *options, struct compilation **c, struct diag *d);

/* NULL where none was made. */
const void *compilation_object(const struct compilation *c, size_t *size);

/* ---- messages ---- */

enum compiler_severity { COMPILER_NOTE, COMPILER_WARNING, COMPILER_ERROR };

struct compiler_message {
    enum compiler_severity severity;
    const char *file;      /* may be empty */
    unsigned line, column; /* from 1; 0: none */
    const char *text;
};

/* In their order; those of clang and of the step behind it. NULL where there are no more. */
const struct compiler_message *compilation_message(const struct compilation *c, size_t number);

/* All of it as a tool would print it, with the lines of the source that clang shows. Empty for NULL. */
const char *compilation_log(const struct compilation *c);

/* ---- kernels ---- */

/* Room for the hints of a kernel, with the zero behind them. */
#define COMPILER_HINTS 96

struct compiler_kernel {
    const char *name;    /* as in the source; as in PTX where several have that */
    const char *linkage; /* as in PTX */
    size_t argument_count;
    unsigned parameter_bytes; /* of all arguments; they begin at byte 16 of shared memory */
    unsigned shared_bytes; /* a block: header, parameters, variables. Memory of __local arguments comes behind, each at
                                 a multiple of 16 */
    unsigned local_bytes;  /* a thread */
    unsigned registers;    /* a thread */
    unsigned code_bytes;
    unsigned block[3];          /* that the source requires, which OpenCL C tells with `describe` alone; 0: any */
    char hints[COMPILER_HINTS]; /* "vec_type_hint(float4) work_group_size_hint(64,1,1)", likewise */
    unsigned block_threads;     /* at most, by the registers and the memory of the default machine */
};

/* NULL where there are no more. */
const struct compiler_kernel *compilation_kernel(const struct compilation *c, size_t number);

/* The number of a kernel by its name, in the source or in PTX; SIZE_MAX where none, or several, have it. */
size_t compilation_find(const struct compilation *c, const char *name);

/* An argument of a kernel, in the order of the source. Memory that a CUDA kernel declares without a size is the last
 * one, of no bytes. */
struct compiler_argument {
    const char *name, *type_name; /* as in the source; empty without `describe`, type_name in CUDA C as well */
    const char *type;             /* of PTX: "u32", "f32"; "b8" for structures and vectors */
    enum image_space space;       /* whether it is a pointer, and where to */
    unsigned size, align, offset; /* bytes; the offset from the first parameter on */
    bool is_const, is_restrict, is_volatile; /* OpenCL C with `describe`: what it points to */
};

/* NULL where there are no more. */
const struct compiler_argument *compilation_argument(const struct compilation *c, size_t kernel, size_t number);

/* A variable of the file, all kernels have the same; NULL where there are no more. */
const struct image_variable *compilation_variable(const struct compilation *c, size_t number);

/* The first address of global memory above the variables, a multiple of 256: buffers may begin here. */
uint32_t compilation_free_address(const struct compilation *c);

/* ---- results ---- */

/* A kernel with its code, constants, variables, signature and lines; no parameters, and no grid. It is a copy of the
 * caller's, for image_destroy. NULL where there is no such kernel, or no memory. */
struct image *compilation_image(const struct compilation *c, size_t kernel);

/* With the option `range`: the kernel once more, its name with COMPILER_DENSE behind it, with so few registers that
 * blocks of 512 threads find room on the default machine, at the price of local memory. NULL where the kernel has no
 * more of them anyway, where it is not to be had, and where memory is out. */
#define COMPILER_DENSE ".dense"
enum { COMPILER_DENSE_REGISTERS = 32 };
struct image *compilation_dense_image(const struct compilation *c, size_t kernel);

/* The image file of all kernels, of dense ones, too, which image_read and the tools take; the caller frees *bytes. */
enum status compilation_write(const struct compilation *c, uint8_t **bytes, size_t *size, struct diag *d);

/* SASS text that the assembler turns into the same images, with source lines as comments; and the PTX that was
 * compiled. Empty where there was an error. */
const char *compilation_listing(const struct compilation *c);
const char *compilation_ptx(const struct compilation *c);

C_LINKAGE_END

#endif
