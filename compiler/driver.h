/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles sources to kernels: runs clang, which it finds at run time, on OpenCL C and CUDA C, and compiles the PTX. */
#ifndef WARPSTEP_CC_DRIVER_H
#define WARPSTEP_CC_DRIVER_H

#include <stdio.h>

#include "compile.h"

C_LINKAGE_BEGIN

enum driver_language { DRIVER_BY_SUFFIX, DRIVER_PTX, DRIVER_OPENCL, DRIVER_CUDA };

/* An object of driver_read_object: LLVM bitcode. */
struct driver_object {
    const char *bytes;
    size_t size;
};

struct driver_options {
    struct compile_options compile; /* the driver sets `file` */
    const char *const *arguments;   /* further options of clang, such as -D and -I, terminated by NULL; or NULL */
    bool verbose;                   /* writes the commands to messages, too */
    bool contract_given;            /* compile.contract is set by the user; otherwise the source decides */
    FILE *messages;                 /* receives all messages of clang; if NULL, its first error is the diagnostic */
    const char *text;               /* text of the source; NULL if it is read from the file */
    size_t text_size;
    enum driver_language language;
    const struct driver_object *objects; /* objects that are linked to the text */
    size_t object_count;
    bool range;                 /* OpenCL C: a launch may be a part of a range, see compiler.h */
    const char *clang, *libclc; /* NULL for WARPSTEP_CLANG and WARPSTEP_LIBCLC, else Debian's */
};

/* Variables begin at a low address, so that the memory behind them is contiguous. */
enum { DRIVER_VARIABLES = 0x100 };

/* Returns whether an option is one of the compiler: -O1, -DNAME, -IDIR, -cl-..., ... Applies its effect beyond
 * clang's arguments. */
bool driver_parse_option(struct compile_options *options, const char *arg);

/* Returns the clang that is run; NULL if there is none. */
const char *driver_clang(void);

/* Returns whether a file is a source by its suffix: .cl, .cu, .ptx. */
bool driver_is_source(const char *path);

/* Returns whether these options name PTX. */
bool driver_is_ptx(const char *path, const struct driver_options *options);

/* Returns the PTX of a source, or the text of a .ptx file; the caller frees *text. If ir is not NULL, *ir is LLVM
 * text with the names of arguments, which the caller frees; NULL if clang does not print it with the PTX. */
enum status driver_read_ptx(const char *path, const struct driver_options *options, char **text, size_t *size,
                            char **ir, struct diag *d);

/* Returns LLVM text of a source, not optimised, for the case that *ir is NULL. Not for PTX. */
enum status driver_read_ir(const char *path, const struct driver_options *options, char **text, size_t *size,
                           struct diag *d);

/* Returns an OpenCL C source, linked with its objects, as an object, not optimised. */
enum status driver_read_object(const char *path, const struct driver_options *options, char **bytes, size_t *size,
                               struct diag *d);

/* Compiles the PTX of a source, or of a .ptx file. */
enum status driver_translate(const char *path, const struct driver_options *options, const char *text, size_t size,
                             struct compiled *program, struct diag *d);

/* Compiles a source or a .ptx file: driver_read_ptx, then driver_translate. */
enum status driver_compile(const char *path, const struct driver_options *options, struct compiled *program,
                           struct diag *d);

C_LINKAGE_END

#endif
