/* SPDX-License-Identifier: Apache-2.0 */
/* Random legal instructions. */
#ifndef WARPSTEP_CMODEL_DRAW_H
#define WARPSTEP_CMODEL_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DRAW_WORDS = 96 }; /* of a program: branches go there */

/* A small generator of its own (xorshift), so that a seed means the same everywhere. */
uint32_t draw(uint32_t *seed);

/* A long instruction of a row of the table, with few registers and small offsets. False: the row is short or not of
 * this machine, or these fields are undefined. */
bool draw_row(size_t row, uint32_t *seed, uint32_t *lo, uint32_t *hi);

/* One of any row. */
void draw_words(uint32_t *seed, uint32_t *lo, uint32_t *hi);

#endif
