/* SPDX-License-Identifier: Apache-2.0 */
/* Symbol table of a PTX text. Names of a block are removed at its end. */
#ifndef WARPSTEP_CC_NAMES_H
#define WARPSTEP_CC_NAMES_H

#include "ptx.h"

struct ptx_names {
    struct cc *cc;
    struct ptx_symbol **table; /* buckets of the hash table */
    size_t size, count;
    struct ptx_symbol **scoped; /* names of open blocks, in order of declaration */
    size_t scoped_count, scoped_capacity;
    uint32_t scope; /* 0 for the module */
};

void ptx_names_init(struct ptx_names *names, struct cc *cc);
struct ptx_symbol *ptx_names_find(const struct ptx_names *names, const char *name, size_t length);

/* Adds a symbol to the current block. Returns false if the block has the name already. */
bool ptx_names_add(struct ptx_names *names, struct ptx_symbol *symbol);

void ptx_names_enter_scope(struct ptx_names *names);
void ptx_names_leave_scope(struct ptx_names *names);

#endif
