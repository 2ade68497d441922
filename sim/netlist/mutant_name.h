// SPDX-License-Identifier: Apache-2.0
// The stable name of a mutant, whatever changes around it in the code: its entity, the text of its line, column and
// kind, and its number among those with equal parts, in the order of the calls (the iteration of an unrolled loop).
//
//     struct names *names = names_create(&pool);
//     uint64_t drawn = names_hash(names_next(names, "alu", "rtl/execute/alu.vhd:20:5", "case"));
#ifndef WARPSTEP_NETLIST_MUTANT_NAME_H
#define WARPSTEP_NETLIST_MUTANT_NAME_H

#include <stdint.h>

#include "pool.h"

struct names;

struct names *names_create(struct pool *pool);
// The next name with these parts, separated by tabs, the number last. The bits that a kind changes are omitted, as they
// follow from the name: zero:3 is zero. The file of the place is read from the current folder; a missing one has no
// text.
const char *names_next(struct names *names, const char *entity, const char *place, const char *kind);
// The line of a place.
const char *names_text(struct names *names, const char *place);
// A number below 2^31.
uint64_t names_hash(const char *text);

#endif
