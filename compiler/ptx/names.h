/* SPDX-License-Identifier: Apache-2.0 */
/* The names that a PTX text declares. A block's names end with it. */
#ifndef WARPSTEP_CC_NAMES_H
#define WARPSTEP_CC_NAMES_H

#include "ptx.h"

struct ptx_names {
    struct cc *cc;
    struct ptx_symbol **table; /* by hash, chained */
    size_t size, count;
    struct ptx_symbol **scoped; /* of the open blocks, in order */
    size_t scoped_count, scoped_capacity;
    uint32_t scope; /* 0: the module */
};

void ptx_names_start(struct ptx_names *names, struct cc *cc);
struct ptx_symbol *ptx_names_find(const struct ptx_names *names, const char *name, size_t length);

/* Adds a symbol to the current block. False: it has one of that name. */
bool ptx_names_add(struct ptx_names *names, struct ptx_symbol *symbol);

void ptx_names_open(struct ptx_names *names);
void ptx_names_close(struct ptx_names *names);

#endif
