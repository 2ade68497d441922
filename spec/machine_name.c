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
    MACHINE_LIST(NUMBER, NUMBER, UNIT, NUMBER, BUILD_NOTHING)
#undef NUMBER
#undef UNIT
}

/* KEY and a number within its bounds. */
static bool take_number(const char *part, const char *key, unsigned least, unsigned most, unsigned *number) {
    const size_t length = strlen(key);
    unsigned long value = 0;
    if (strncmp(part, key, length) != 0 || part[length] == 0) return false;
    for (part += length; *part != 0; part++) {
        if (*part < '0' || *part > '9' || value > most) return false;
        value = 10 * value + (unsigned long)(*part - '0');
    }
    *number = (unsigned)value;
    return value >= least && value <= most;
}

static bool take_part(const char *part, struct machine_build *build) {
#define NUMBER(GENERIC, member, usual, least, most, key, ...) \
    if (take_number(part, key, least, most, &build->member)) return true;
#define UNIT(GENERIC, member, model, key, ...) \
    if (strcmp(part, key) == 0) {              \
        build->member = false;                 \
        return true;                           \
    }
    MACHINE_LIST(NUMBER, NUMBER, UNIT, NUMBER, BUILD_NOTHING)
#undef NUMBER
#undef UNIT
    return false;
}

bool machine_name_read(const char *name, struct machine_build *build) {
    char part[MACHINE_NAME_BYTES];
    *build = (struct machine_build)MACHINE_BUILD_DEFAULT;
    for (;;) {
        const size_t length = strcspn(name, "-");
        if (length >= sizeof part) return false;
        memcpy(part, name, length);
        part[length] = 0;
        if (!take_part(part, build)) return false;
        if (name[length] == 0) return true;
        name += length + 1;
    }
}
