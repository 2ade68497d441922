// SPDX-License-Identifier: Apache-2.0
// The declarations of VHDL: packages, entities with their architecture, and the meaning of their names. Names local to
// a subprogram or a process are omitted, and so are the bodies of packages.
//
//     struct vhdl vhdl = {.pool = &pool};
//     vhdl_read(&vhdl, text); // once for each file, in the order of compilation
//     const struct vhdl_name *name = vhdl_find(vhdl.units, "word_t");
#ifndef WARPSTEP_NETLIST_VHDL_H
#define WARPSTEP_NETLIST_VHDL_H

#include "tree.h"

enum vhdl_kind {
    VHDL_GENERIC,  // text: its type
    VHDL_PORT,     // text: its type, word: in, out, inout
    VHDL_SIGNAL,   // text: its type
    VHDL_CONSTANT, // text: its value, or ""
    VHDL_SUBTYPE,  // text: the subtype's definition
    VHDL_ENUM,     // its literals are its parts
    VHDL_ARRAY,    // range; text: the type of an element
    VHDL_RECORD,   // its fields are its parts
    VHDL_INSTANCE, // text: its entity
};

struct vhdl_part {
    const char *name, *text; // text: the type of a field
};

// Texts have one blank between two words, and no comments.
struct vhdl_name {
    enum vhdl_kind kind;
    struct vhdl_name *next; // in textual order
    const char *name, *text, *word, *range;
    struct vhdl_part *parts;
    size_t count;
};

struct vhdl_unit {
    struct vhdl_unit *next; // in reading order
    const char *name;
    bool is_package;
    struct vhdl_name *names, **end;
    struct module index;      // a net for each name
    struct vhdl_name **found; // by the net's id: the latest declaration
};

struct vhdl {
    struct pool *pool;
    struct vhdl_unit *units;
};

void vhdl_read(struct vhdl *vhdl, const char *text);
// The meaning of a name in a unit; NULL if the unit does not declare it.
const struct vhdl_name *vhdl_find(const struct vhdl_unit *unit, const char *name);

#endif
