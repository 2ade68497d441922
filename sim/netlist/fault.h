// SPDX-License-Identifier: Apache-2.0
// The first error: with a place in the Verilog, if it has one.
#ifndef WARPSTEP_NETLIST_FAULT_H
#define WARPSTEP_NETLIST_FAULT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "tree.h"

struct fault {
    bool found;
    struct place place; // line 0: none
    char text[256];
};

// Keeps the first error. Returns false, for `return fault_set(...)`.
__attribute__((format(printf, 3, 4))) static inline bool fault_set(struct fault *fault, struct place place,
                                                                   const char *format, ...) {
    if (fault->found) return false;
    va_list args;
    va_start(args, format);
    vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
    fault->place = place;
    fault->found = true;
    return false;
}

#endif
