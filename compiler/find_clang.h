/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the programs and libraries that compile C: clang, and libclc for it. */
#ifndef WARPSTEP_COMPILER_FIND_CLANG_H
#define WARPSTEP_COMPILER_FIND_CLANG_H

#include <stdbool.h>
#include <stddef.h>

/* Finds a program in PATH, and returns its path in `full`. */
bool driver_find_program(const char *name, char *full, size_t size);

/* Returns the named clang, else the oldest of Debian's that can read the installed libclc, else the oldest; NULL if
 * there is none. */
const char *driver_find_clang(const char *given);

/* Finds OpenCL's mathematics as bitcode, and returns its path: the given one, else Debian's libclc for this clang. */
bool driver_find_libclc(const char *given, const char *clang, char *path, size_t size);

#endif
