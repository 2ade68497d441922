/* SPDX-License-Identifier: Apache-2.0 */
/* Random legal instructions. */
#ifndef WARPSTEP_CMODEL_DRAW_H
#define WARPSTEP_CMODEL_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DRAW_WORDS = 96 }; /* words of a program: branches target these */

/* A small generator of its own (xorshift), so that a seed gives the same numbers on every system. */
uint32_t draw(uint32_t *seed);

/* A long instruction of a row of the table, with few registers and small offsets. False: the row is short or not of
 * this machine, or these fields make an undefined word. */
bool draw_row(size_t row, uint32_t *seed, uint32_t *lo, uint32_t *hi);

/* An instruction of any row. */
void draw_words(uint32_t *seed, uint32_t *lo, uint32_t *hi);

#endif
