/* SPDX-License-Identifier: Apache-2.0 */
/* Sources to kernels: runs clang for OpenCL C and CUDA C, which is found at run time, and compiles the PTX. */
#ifndef WARPSTEP_CC_DRIVER_H
#define WARPSTEP_CC_DRIVER_H

#include <stdio.h>

#include "compile.h"

C_LINKAGE_BEGIN

enum driver_language { DRIVER_BY_SUFFIX, DRIVER_PTX, DRIVER_OPENCL, DRIVER_CUDA };

/* What driver_read_object makes: LLVM's bitcode. */
struct driver_object {
    const char *bytes;
    size_t size;
};

struct driver_options {
    struct compile_options compile; /* file is set by the driver */
    const char *const *arguments;   /* further ones of clang: -D, -I, ...; ends with NULL, or NULL */
    bool verbose;                   /* the commands that are run go to messages, too */
    bool contract_given;            /* compile.contract counts; else what the source's language allows */
    FILE *messages;                 /* where all that clang says goes; NULL: its first error is the diag */
    const char *text;               /* of the source, which then is no file; NULL: it is read */
    size_t text_size;
    enum driver_language language;
    const struct driver_object *objects; /* that are linked to the text */
    size_t object_count;
    bool range;                 /* OpenCL C: launches may be parts of a range, see compiler.h */
    const char *clang, *libclc; /* NULL: WARPSTEP_CLANG, WARPSTEP_LIBCLC, or Debian's */
};

/* Variables begin low, so that what is above them is in one piece. */
enum { DRIVER_VARIABLES = 0x100 };

/* Whether an option of a command line is one for the compiler: -O1, -DNAME, -IDIR, -cl-..., ... Where it is more than
 * an argument of clang, sets what else it means. */
bool driver_take_option(struct compile_options *options, const char *arg);

/* The clang that is run, or NULL: there is none. */
const char *driver_clang(void);

/* Whether a file is one for the compiler, by its suffix: .cl, .cu, .ptx. */
bool driver_is_source(const char *path);

/* Whether what these options name is PTX already. */
bool driver_is_ptx(const char *path, const struct driver_options *options);

/* The PTX of a source, or the text of a .ptx file; *text is to be freed. *ir, unless ir is NULL: what LLVM's text says
 * of its functions, with the names of arguments, to be freed, too; NULL where clang does not say it with the PTX. */
enum status driver_read_ptx(const char *path, const struct driver_options *options, char **text, size_t *size,
                            char **ir, struct diag *d);

/* For then: a source as LLVM's text, not optimised. Not of PTX. */
enum status driver_read_ir(const char *path, const struct driver_options *options, char **text, size_t *size,
                           struct diag *d);

/* A source in OpenCL C, with the objects that are linked to it, as an object: neither optimised nor translated. */
enum status driver_read_object(const char *path, const struct driver_options *options, char **bytes, size_t *size,
                               struct diag *d);

/* Compiles the PTX of a source, or of a .ptx file. */
enum status driver_translate(const char *path, const struct driver_options *options, const char *text, size_t size,
                             struct compiled *program, struct diag *d);

/* Compiles a source or a .ptx file: reads its PTX, and translates it. */
enum status driver_compile(const char *path, const struct driver_options *options, struct compiled *program,
                           struct diag *d);

C_LINKAGE_END

#endif
