// SPDX-License-Identifier: Apache-2.0
// The types of VHDL in Verilog. ghdl lays a record out from its first field up and an array from its last element up,
// so that a packed structure, with the fields in reverse, has the same bits.
#ifndef WARPSTEP_NETLIST_RECORDS_TYPE_H
#define WARPSTEP_NETLIST_RECORDS_TYPE_H

#include <stdio.h>

#include "vhdl_number.h"

struct record_type {
    const char *word; // in Verilog; that of a typedef ends with a blank
    unsigned number, bits;
    bool is_plain;   // just a vector
    bool is_vague;   // a vector of unknown size
    bool is_array;   // shown as a structure with the single field `at`, because Verilog would show an index of an array
                     // as an element
    const char *box; // the name of that structure
};

struct record_types {
    struct pool *pool;
    struct vhdl_scope scope;
    const char *module; // to which the generics belong
    FILE *out;          // typedefs, a line each
    unsigned count;
    struct record_type *bit, *vague;
    struct module resolved; // a net for each requested type
    struct record_type **of_resolved;
    struct module literals; // of all enumerations: the uses of a word, as its bits
};

void record_types_begin(struct record_types *types, struct pool *pool, const struct vhdl *vhdl);
// The type that a mark, and possibly a constraint, denote in the current module; NULL if unknown.
struct record_type *record_type_of(struct record_types *types, const char *text);
// Writes the structure around an array.
void record_type_box(struct record_types *types, struct record_type *type);
// The name that replaces the range in a declaration.
const char *record_type_word(struct record_types *types, const struct record_type *type);

#endif
