/* SPDX-License-Identifier: Apache-2.0 */
/* The second look at a source text: puts included files, macro bodies and repeated lines in place. A text that has none
 * of .include, .macro and .rept stays as it is. docs/assembly.md is the manual.
 *
 * Comments are blank already (scan.h); the notes of listings, included ones too, move along with their lines. */
#ifndef WARPSTEP_EXPAND_H
#define WARPSTEP_EXPAND_H

#include "messages.h"
#include "scan.h"

enum {
    EXPAND_FILES_MAX = 16,       /* files that include each other */
    EXPAND_DEPTH_MAX = 64,       /* macros and repetitions within each other */
    EXPAND_COUNT_MAX = 1 << 20,  /* of them in all */
    EXPAND_BYTES_MAX = 16 << 20, /* of the whole, unless messages.expand_bytes says otherwise */
};

/* Expands scan in place; the files, uses and pieces go to m->sources, errors to m. STATUS_NO_MEMORY or STATUS_OK. */
enum status expand_scan(struct scan *scan, struct messages *m);

#endif
