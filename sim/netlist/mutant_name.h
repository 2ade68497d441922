// SPDX-License-Identifier: Apache-2.0
// What a mutant is called, however the code around it changes: its entity, the text of its line, column and kind, and
// which of those that are like it in these it is, in the order of the calls: the turn of an unrolled loop. The same as
// testbench/mutants/names.awk, so that both draw the same bits.
//
//     struct names *names = names_create(&pool);
//     uint64_t drawn = names_hash(names, "alu", "rtl/execute/alu.vhd:20:5", "case");
#ifndef WARPSTEP_NETLIST_MUTANT_NAME_H
#define WARPSTEP_NETLIST_MUTANT_NAME_H

#include <stdint.h>

#include "pool.h"

struct names;

struct names *names_create(struct pool *pool);
// A number below 2^31 of the next name of these. The file of the place is read from the current folder; one that is not
// there has no text.
uint64_t names_hash(struct names *names, const char *entity, const char *place, const char *kind);

#endif
