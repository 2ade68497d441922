/* SPDX-License-Identifier: Apache-2.0 */
/* Sources to kernels: runs clang for OpenCL C and CUDA C, which is found at run time, and compiles the PTX. */
#ifndef WARPSTEP_CC_DRIVER_H
#define WARPSTEP_CC_DRIVER_H

#include "compile.h"

C_LINKAGE_BEGIN

struct driver_options {
    struct compile_options compile; /* file is set by the driver */
    const char *const *arguments;   /* further ones of clang: -D, -I, ...; ends with NULL, or NULL */
    bool verbose;                   /* the commands that are run go to stderr */
    bool contract_given;            /* compile.contract counts; else what the source's language allows */
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

/* The PTX of a source, or the text of a .ptx file; *text is to be freed. What clang says goes to stderr. */
enum status driver_read_ptx(const char *path, const struct driver_options *options, char **text, size_t *size,
                            struct diag *d);

/* Compiles a source or a .ptx file. */
enum status driver_compile(const char *path, const struct driver_options *options, struct compiled *program,
                           struct diag *d);

C_LINKAGE_END

#endif
