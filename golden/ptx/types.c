/* SPDX-License-Identifier: Apache-2.0 */
/* Types and spaces by their names. */
#include "reader.h"

#include <string.h>

static const struct {
    const char *name;
    struct type type;
} TYPES[] = {
    {"b8",   {'b', 8} },
    {"b16",  {'b', 16}},
    {"b32",  {'b', 32}},
    {"b64",  {'b', 64}},
    {"u8",   {'u', 8} },
    {"u16",  {'u', 16}},
    {"u32",  {'u', 32}},
    {"u64",  {'u', 64}},
    {"s8",   {'s', 8} },
    {"s16",  {'s', 16}},
    {"s32",  {'s', 32}},
    {"s64",  {'s', 64}},
    {"f16",  {'f', 16}},
    {"f32",  {'f', 32}},
    {"f64",  {'f', 64}},
    {"pred", {'p', 1} },
};

bool type_of(const char *text, struct type *type) {
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (strcmp(TYPES[i].name, text) == 0) {
            *type = TYPES[i].type;
            return true;
        }
    return false;
}

enum space space_of(const char *text) {
    static const char *const NAMES[] = {"", "global", "shared", "local", "const", "param"};
    for (unsigned i = 1; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(NAMES[i], text) == 0) return (enum space)i;
    return NO_SPACE;
}
