/* SPDX-License-Identifier: Apache-2.0 */
/* The second step on a source text: expands included files, macro bodies and repeated lines. A text without .include,
 * .macro and .rept is unchanged. docs/assembly.md is the manual.
 *
 * Comments are already blank (scan.h); the notes of listings, in included files too, move with their lines. */
#ifndef WARPSTEP_EXPAND_H
#define WARPSTEP_EXPAND_H

#include "messages.h"
#include "scan.h"

enum {
    EXPAND_FILES_MAX = 16,       /* files that include each other */
    EXPAND_DEPTH_MAX = 64,       /* nested macros and repetitions */
    EXPAND_COUNT_MAX = 1 << 20,  /* expansions in all */
    EXPAND_BYTES_MAX = 16 << 20, /* size of the whole text, unless messages.expand_bytes sets another limit */
};

/* Expands scan in place; files, uses and pieces go to m->sources, errors to m. STATUS_NO_MEMORY or STATUS_OK. */
enum status expand_scan(struct scan *scan, struct messages *m);

#endif
