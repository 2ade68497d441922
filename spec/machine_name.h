/* SPDX-License-Identifier: Apache-2.0 */
/* The names of machines, see machine.def: the name of an RTL build, which is also its generic MACHINE. */
#ifndef WARPSTEP_MACHINE_NAME_H
#define WARPSTEP_MACHINE_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "machine.def"

/* All generics of the RTL. */
#define BUILD_NUMBER(GENERIC, member, ...) unsigned member;
#define BUILD_UNIT(GENERIC, member, ...)   bool member;
#define BUILD_NOTHING(...)
struct machine_build {
    MACHINE_LIST(BUILD_NUMBER, BUILD_NUMBER, BUILD_UNIT, BUILD_NUMBER, BUILD_NOTHING)
};

#define BUILD_NUMBER_DEFAULT(GENERIC, member, number, ...) number,
#define BUILD_UNIT_DEFAULT(GENERIC, ...)                   true,
#define MACHINE_BUILD_DEFAULT                                                                              \
    {                                                                                                      \
        MACHINE_LIST(BUILD_NUMBER_DEFAULT, BUILD_NUMBER_DEFAULT, BUILD_UNIT_DEFAULT, BUILD_NUMBER_DEFAULT, \
                     BUILD_NOTHING)                                                                        \
    }

enum { MACHINE_NAME_BYTES = 256 };

#ifdef __cplusplus
extern "C" {
#endif

/* "C8-S1-G65536-nofpu"; `name` has MACHINE_NAME_BYTES. */
void machine_name(const struct machine_build *build, char *name);

/* Reads a name; parameters that it omits have their defaults. False if the name is malformed or a number is out of
 * bounds. */
bool machine_name_read(const char *name, struct machine_build *build);

#ifdef __cplusplus
}
#endif

#endif
