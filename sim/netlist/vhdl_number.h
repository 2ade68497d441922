// SPDX-License-Identifier: Apache-2.0
// The values of constant expressions in VHDL: sums, products, powers, log2, constants and generics.
#ifndef WARPSTEP_NETLIST_VHDL_NUMBER_H
#define WARPSTEP_NETLIST_VHDL_NUMBER_H

#include "vhdl.h"

struct vhdl_generic {
    const char *name;
    long long value;
};

// Where names are looked up: the generics of a module, the names of its unit, then those of all packages, the last
// package first.
struct vhdl_scope {
    const struct vhdl *vhdl;
    const struct vhdl_unit *unit; // NULL: packages alone
    const struct vhdl_generic *generics;
    size_t generic_count;
    unsigned depth; // of constants in each other
};

// What a name means there, and in which unit; NULL where nothing declares it.
const struct vhdl_name *vhdl_look_up(const struct vhdl_scope *scope, const char *name, const struct vhdl_unit **unit);

// The bounds of `3 downto 0` or `0 to 3`. False where the text is no range of numbers that are known.
struct vhdl_range {
    long long left, right;
    bool downward;
};
bool vhdl_range_of(const struct vhdl_scope *scope, const char *text, struct vhdl_range *range);

#endif
