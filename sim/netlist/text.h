// SPDX-License-Identifier: Apache-2.0
// Whole files as text.
#ifndef WARPSTEP_NETLIST_TEXT_H
#define WARPSTEP_NETLIST_TEXT_H

#include "pool.h"

// A file, or, as "-", standard input. NULL if it cannot be read or is no text; errno is 0 in the latter case.
char *text_read(struct pool *pool, const char *path);

#endif
