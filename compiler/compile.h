/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler: PTX text to machine code of sm_10. No files, no globals, any number of threads.
 *
 *     struct compile_options options = COMPILE_DEFAULT;
 *     struct compiled program; struct diag d = {0};
 *     options.file = "saxpy.ptx";
 *     if (compile_ptx(text, size, &options, &program, &d) != STATUS_OK) return diag_report(stderr, &d);
 *     ... program.kernels[0].image ...
 *     compiled_release(&program);
 *
 * OpenCL C and CUDA C become PTX by clang first, which driver.h runs. */
#ifndef WARPSTEP_COMPILE_H
#define WARPSTEP_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../assembler/base/diag.h"
#include "../assembler/base/linkage.h"
#include "../assembler/image/image.h"

C_LINKAGE_BEGIN

/* A variable of the module. */
struct compile_variable {
    char *name;             /* as in PTX */
    char *source_name;      /* without the mangling of C++ */
    char type[8];           /* as in struct image_variable */
    enum image_space space; /* IMAGE_GLOBAL or IMAGE_CONSTANT */
    uint32_t address;       /* bytes; of global memory, or of constant bank 0 */
    uint32_t size, align;
    uint8_t *data; /* size bytes, or NULL: zeros */
};

struct compile_kernel {
    char *name;        /* as in PTX */
    char *source_name; /* without the mangling of C++: "_Z6vecaddPiS_i" is "vecadd" */
    unsigned parameter_bytes;
    unsigned shared_bytes; /* header, parameters and static variables; __local buffers follow, aligned to 16 */
    unsigned local_bytes;  /* a thread */
    unsigned registers;    /* a thread */
    uint32_t block[3];     /* .reqntid, 0: not given */
    bool prints;           /* see ../assembler/image/printed.h; for sm_11, if nothing else is asked for */
    char *body;            /* its instructions as text */
    size_t listing_at, listing_size; /* its part of the listing */
    struct image
        *image; /* code, literals, constants, variables, lines, signature; no parameters and no grid; it has the name
                   of the source, unless several kernels have that */
};

/* What came out. All of it belongs to this record. */
struct compiled {
    struct compile_kernel *kernels;
    size_t kernel_count;
    struct compile_variable *variables;
    size_t variable_count;
    uint32_t variables_end; /* the first address of global memory above the variables: buffers may begin here */
    char *listing;          /* SASS text that the assembler turns into the same images, source lines as comments */
    size_t listing_size;
    char *notes; /* lines "file:line:col: note: ...", such as of double precision; empty where there are none */
};

/* What may become FMAD, whose product is cut to 24 bits. */
enum compile_contract {
    COMPILE_CONTRACT_PTX, /* as PTX says: mul and add without a rounding, mad of sm_1x */
    COMPILE_CONTRACT_OFF,
    COMPILE_CONTRACT_FAST, /* mul.rn and add.rn, too: what clang writes for sources that allow it */
};

struct compile_options {
    const char *file;       /* name of the text in messages and lines; not opened */
    unsigned level;         /* of optimisation, 0 to 2 */
    unsigned arch;          /* as in struct image: 10, 11, IMAGE_ARCH_10X, ...; 0: sm_10 */
    unsigned max_registers; /* a thread, 8 to 124; 0: 124 */
    enum compile_contract contract;
    bool no_inline;      /* functions are called, not put in place of their calls */
    bool fast_math;      /* division, roots and fma by approximate instructions */
    uint32_t variables;  /* where the variables of global memory begin */
    const char *support; /* PTX of further routines, those of double precision; NULL: none */
    size_t support_size;
    uint32_t constant_bytes;  /* most of the file's constants in constant bank 0: more are in global memory; 0: 64 KB */
    uint32_t parameter_bytes; /* most of a kernel's parameters in shared memory, a multiple of 16; others that are no
                                 arrays are in the variable COMPILE_PARAMETERS of constant bank 0. 0: there are none */
    bool may_be_empty;        /* a text without a kernel is none with an error */
};
/* What is there comes behind parameter_bytes in the offsets of an image's parameters. */
#define COMPILE_PARAMETERS "warp_parameters"
#define COMPILE_DEFAULT \
    { .file = "kernel.ptx", .level = 2, .variables = IMAGE_VARIABLES }

/* For what kernels that print take room. */
static inline bool compile_prints_by_atomics(const struct compile_options *options) {
    return options->arch == 0 || options->arch > 10;
}

/* Compiles all kernels of a PTX text. On an error *program is empty and *d says where in the text, or in the source
 * where the text has lines of one. STATUS_BAD_INPUT: wrong, or what sm_10 cannot do. STATUS_NO_MEMORY. */
enum status compile_ptx(const char *text, size_t size, const struct compile_options *options, struct compiled *program,
                        struct diag *d);

void compiled_release(struct compiled *program);

/* The kernel of this name, in PTX or in the source; NULL where there is none, or several in the source. */
const struct compile_kernel *compiled_find(const struct compiled *program, const char *name);

C_LINKAGE_END

#endif
