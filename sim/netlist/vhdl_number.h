// SPDX-License-Identifier: Apache-2.0
// The values of constant expressions in VHDL: sums, products, powers, log2, constants and generics.
#ifndef WARPSTEP_NETLIST_VHDL_NUMBER_H
#define WARPSTEP_NETLIST_VHDL_NUMBER_H

#include "vhdl.h"

struct vhdl_generic {
    const char *name;
    long long value;
};

// The scopes of a look-up: the generics of a module, the names of its unit, then those of all packages, the last
// package first.
struct vhdl_scope {
    const struct vhdl *vhdl;
    const struct vhdl_unit *unit; // NULL: only packages
    const struct vhdl_generic *generics;
    size_t generic_count;
    const struct vhdl_generic *config; // members of the record CONFIG, and of config_of(MACHINE)
    size_t config_count;
    unsigned depth; // nesting of constants
};

// The meaning of a name there, with its unit; NULL if it is not declared.
const struct vhdl_name *vhdl_look_up(const struct vhdl_scope *scope, const char *name, const struct vhdl_unit **unit);

// The bounds of `3 downto 0` or `0 to 3`. False if the text is no range of known numbers.
struct vhdl_range {
    long long left, right;
    bool downward;
};
bool vhdl_range_of(const struct vhdl_scope *scope, const char *text, struct vhdl_range *range);

#endif
