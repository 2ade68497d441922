/* SPDX-License-Identifier: Apache-2.0 */
/* What a module of LLVM says of kernels beside the PTX: clang prints the module among its messages, with these words,
 * before its last step. */
#ifndef WARPSTEP_CC_DRIVER_DUMP_H
#define WARPSTEP_CC_DRIVER_DUMP_H

#include <stdbool.h>

/* Raised when driver_dump_reduce makes something else of the same messages, which caches keep. */
enum { DRIVER_DUMP_FORM = 1 };

/* Up to NULL. */
extern const char *const driver_dump_words[];

/* Brings the module behind the other messages: the lines that define functions, and its metadata. */
bool driver_dump_reduce(int messages);

/* Takes these lines off the messages; *ir is to be freed, NULL where clang has printed none. False: no memory. */
bool driver_dump_take(int messages, char **ir);

#endif
