/* SPDX-License-Identifier: Apache-2.0 */
/* Listings with words and without text, as FlexGrip's instruction files are. Lines that consist of words become `.word`
 * statements; everything else stays, and every line keeps its number. Lines that are taken:
 *
 *     [0008] [0x0023c78010004205] ;             both in comments, as cuobjdump prints them; no text behind
 *     0008: 0x0023c78010004205                  an address, a 64-bit word
 *     10004205 0023c780                         one or two 32-bit words, in memory order
 *     1 => x"10004205", x"0023c780",  -- NOP    literals of VHDL
 *
 * Of a file of VHDL (.vhd, .vhdl) the lines without such literals are left out. A 64-bit word has the high 32 bits
 * first or last, whichever gives more instructions in the file (bare_words_vote).
 *
 *     char *filled = NULL;
 *     if (bare_words_fill(path, text, size, &filled) != STATUS_OK) ...
 *     if (filled != NULL) text = filled;                  // allocated, ends in a NUL
 */
#ifndef WARPSTEP_BARE_WORDS_H
#define WARPSTEP_BARE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "../base/diag.h"

/* Says in which order the halves of a 64-bit word are in memory, if it is a long instruction: positive as written,
 * negative the other way round, 0 unknown. The words of a file have one order: that of the sum, or if it is 0 the other
 * way round, as newer listings have it. */
int bare_words_vote(uint64_t word);

/* *filled is NULL where there is nothing to fill in. STATUS_NO_MEMORY is the only failure. */
enum status bare_words_fill(const char *path, const char *text, size_t size, char **filled);

#endif
