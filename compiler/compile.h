/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles PTX text to machine code of sm_10. Uses no files and no globals; any number of threads may call it.
 *
 *     struct compile_options options = COMPILE_DEFAULT;
 *     struct compiled program; struct diag d = {0};
 *     options.file = "saxpy.ptx";
 *     if (compile_ptx(text, size, &options, &program, &d) != STATUS_OK) return diag_report(stderr, &d);
 *     ... program.kernels[0].image ...
 *     compiled_release(&program);
 *
 * driver.h runs clang, which compiles OpenCL C and CUDA C to PTX. */
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
    char *name;             /* name in PTX */
    char *source_name;      /* demangled */
    char type[8];           /* as in struct image_variable */
    enum image_space space; /* IMAGE_GLOBAL or IMAGE_CONSTANT */
    uint32_t address;       /* byte address in global memory, or in constant bank 0 */
    uint32_t size, align;
    uint8_t *data; /* `size` bytes; NULL for zeros */
};

struct compile_kernel {
    char *name;        /* name in PTX */
    char *source_name; /* demangled: "_Z6vecaddPiS_i" is "vecadd" */
    unsigned parameter_bytes;
    unsigned shared_bytes; /* header, parameters and static variables; __local buffers follow, aligned to 16 */
    unsigned local_bytes;  /* per thread */
    unsigned registers;    /* per thread */
    uint32_t block[3];     /* .reqntid; 0 if not given */
    bool prints; /* see ../assembler/image/printed.h; compiled for sm_11 unless another architecture is given */
    char *body;  /* its instructions as text */
    size_t listing_at, listing_size; /* its part of the listing */
    struct image
        /* code, literals, constants, variables, lines and signature, without parameters and grid; named by the
         * source name, unless several kernels share it */
        *image;
};

/* Result of a compilation, which owns all its memory. */
struct compiled {
    struct compile_kernel *kernels;
    size_t kernel_count;
    struct compile_variable *variables;
    size_t variable_count;
    uint32_t variables_end; /* the first address of global memory behind the variables; buffers may begin here */
    char *listing; /* SASS text from which the assembler makes the same images, with source lines as comments */
    size_t listing_size;
    char *notes; /* lines "file:line:col: note: ...", for instance on double precision; empty if there are none */
};

/* Which products may be fused into FMAD, which truncates them to 24 bits. */
enum compile_contract {
    COMPILE_CONTRACT_PTX, /* by PTX: mul and add without a rounding modifier, mad of sm_1x */
    COMPILE_CONTRACT_OFF,
    COMPILE_CONTRACT_FAST, /* also mul.rn and add.rn, which clang writes for sources that allow contraction */
};

struct compile_options {
    const char *file;       /* name of the text in messages and line tables; not opened */
    unsigned level;         /* optimisation level, 0 to 2 */
    unsigned arch;          /* as in struct image: 10, 11, IMAGE_ARCH_10X, ...; 0: sm_10 */
    unsigned max_registers; /* per thread, 8 to 124; 0 for 124 */
    enum compile_contract contract;
    bool no_inline;      /* functions are not inlined */
    bool fast_math;      /* approximate instructions for division, roots and fma */
    uint32_t variables;  /* first byte address of variables in global memory */
    const char *support; /* PTX of further routines, those of double precision; NULL if none */
    size_t support_size;
    uint32_t constant_bytes; /* limit in constant bank 0; constants beyond it are in global memory; 0 for 64 KB */
    /* limit in shared memory, a multiple of 16; parameters beyond it, except arrays, are in the variable
     * COMPILE_PARAMETERS of constant bank 0; 0 for no limit */
    uint32_t parameter_bytes;
    bool may_be_empty; /* a text without a kernel is not an error */
};
/* Its contents have the offsets from parameter_bytes on among the parameters of an image. */
#define COMPILE_PARAMETERS "warp_parameters"
#define COMPILE_DEFAULT \
    { .file = "kernel.ptx", .level = 2, .variables = IMAGE_VARIABLES }

/* Returns whether kernels that print reserve room by atomic operations. */
static inline bool compile_prints_by_atomics(const struct compile_options *options) {
    return options->arch == 0 || options->arch > 10;
}

/* Compiles all kernels of a PTX text. On an error *program is empty, and *d has the position in the source if the
 * text has line information, else in the text. STATUS_BAD_INPUT: an error in the text, or a feature that sm_10
 * lacks. STATUS_NO_MEMORY. */
enum status compile_ptx(const char *text, size_t size, const struct compile_options *options, struct compiled *program,
                        struct diag *d);

void compiled_release(struct compiled *program);

/* Returns the kernel with this PTX or source name; NULL if none or several have the source name. */
const struct compile_kernel *compiled_find(const struct compiled *program, const char *name);

C_LINKAGE_END

#endif
