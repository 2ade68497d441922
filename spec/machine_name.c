/* SPDX-License-Identifier: Apache-2.0 */
#include "machine_name.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void add(char *name, const char *format, ...) {
    const size_t length = strlen(name);
    va_list args;
    va_start(args, format);
    vsnprintf(name + length, MACHINE_NAME_BYTES - length, format, args);
    va_end(args);
}

static void add_number(char *name, const char *key, unsigned number, unsigned usual) {
    const bool always = strcmp(key, "C") == 0 || strcmp(key, "S") == 0;
    if (always || number != usual) add(name, "%s%s%u", name[0] != 0 ? "-" : "", key, number);
}

void machine_name(const struct machine_build *build, char *name) {
    name[0] = 0;
#define NUMBER(GENERIC, member, usual, least, most, key, ...) add_number(name, key, build->member, usual);
#define UNIT(GENERIC, member, model, key, ...) \
    if (!build->member) add(name, "-%s", key);
    MACHINE_LIST(NUMBER, NUMBER, UNIT, BUILD_NOTHING)
#undef NUMBER
#undef UNIT
}
