// SPDX-License-Identifier: Apache-2.0
// The types of VHDL as Verilog writes them. ghdl lays a record out from its first field up and an array from its last
// element up, so that a packed structure, of the fields in reverse, has the same bits.
#ifndef WARPSTEP_NETLIST_RECORDS_TYPE_H
#define WARPSTEP_NETLIST_RECORDS_TYPE_H

#include <stdio.h>

#include "vhdl_number.h"

struct record_type {
    const char *word; // as Verilog writes it; that of a typedef ends with a blank
    unsigned number, bits;
    bool is_plain; // a vector and no more
    bool is_vague; // a vector of a size that is not known
    bool is_array; // shown as a structure with the one field `at`, as an index of an array would be one of its elements
    const char *box; // the name of that structure
};

struct record_types {
    struct pool *pool;
    struct vhdl_scope scope;
    const char *module; // which the generics are of
    FILE *out;          // typedefs, a line each
    unsigned count;
    struct record_type *bit, *vague;
    struct module resolved; // a net for each type that has been asked for
    struct record_type **of_resolved;
    struct module literals; // of all enumerations: how often a word is one, as its bits
};

void record_types_begin(struct record_types *types, struct pool *pool, const struct vhdl *vhdl);
// The type that a mark, and perhaps a constraint, mean to the module at hand; NULL where that is not known.
struct record_type *record_type_of(struct record_types *types, const char *text);
// Writes the structure around an array.
void record_type_box(struct record_types *types, struct record_type *type);
// The name that a declaration has in place of its range.
const char *record_type_word(struct record_types *types, const struct record_type *type);

#endif
