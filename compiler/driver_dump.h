/* SPDX-License-Identifier: Apache-2.0 */
/* Data of kernels that PTX lacks, from LLVM's module: with these options clang prints the module among its messages,
 * before code generation. */
#ifndef WARPSTEP_CC_DRIVER_DUMP_H
#define WARPSTEP_CC_DRIVER_DUMP_H

#include <stdbool.h>

/* Version of the text of driver_dump_reduce, which caches keep. Raise it if the text for the same messages changes. */
enum { DRIVER_DUMP_FORM = 1 };

/* Terminated by NULL. */
extern const char *const driver_dump_words[];

/* Moves the module behind the other messages, reduced to lines that define functions and to metadata. */
bool driver_dump_reduce(int messages);

/* Removes these lines from the messages and returns them in *ir, which the caller frees; NULL if clang printed none.
 * Returns false if memory is exhausted. */
bool driver_dump_extract(int messages, char **ir);

#endif
