// SPDX-License-Identifier: Apache-2.0
// The names that ghdl invents: n12, n12_o, n12_q, n12_data.
#ifndef WARPSTEP_NETLIST_NAMES_H
#define WARPSTEP_NETLIST_NAMES_H

#include <stdbool.h>
#include <string.h>

static inline bool name_is_invented(const char *name) {
    if (name[0] != 'n') return false;
    size_t digits = strspn(name + 1, "0123456789");
    const char *suffix = name + 1 + digits;
    if (digits == 0 || *suffix == '\0') return digits > 0;
    size_t length = strspn(suffix + 1, "abcdefghijklmnopqrstuvwxyz0123456789");
    return *suffix == '_' && length > 0 && suffix[1 + length] == '\0';
}

// n12_o is, with "_o".
static inline bool name_ends(const char *name, const char *suffix) {
    size_t length = strlen(name), end = strlen(suffix);
    return name_is_invented(name) && length > end && strcmp(name + length - end, suffix) == 0;
}

#endif
