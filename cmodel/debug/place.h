/* SPDX-License-Identifier: Apache-2.0 */
/* Places in the code by name: 0x18 (a pc), :12 or kernel.sass:12 (a line of the source), loop (a label). */
#ifndef WARPSTEP_DEBUG_PLACE_H
#define WARPSTEP_DEBUG_PLACE_H

#include "../../assembler/image/image.h"

/* The pc, in bytes, of the first instruction at the place or on a later line. False: none, and *why names the missing
 * thing. */
bool place_parse(const struct image *image, const char *text, uint32_t *pc, const char **why);

#endif
