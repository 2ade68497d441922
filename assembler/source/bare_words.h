/* SPDX-License-Identifier: Apache-2.0 */
/* Texts with words in place of instructions, such as FlexGrip's instruction files. Lines that consist of words become
 * `.word` statements; all other lines stay, and every line keeps its number. Accepted lines:
 *
 *     0008: 0x0023c78010004205                  an address, a 64-bit word
 *     10004205 0023c780                         one or two 32-bit words, in memory order
 *     1 => x"10004205", x"0023c780",  -- NOP    literals of VHDL (vhdl_words.h)
 *
 * In a VHDL file (.vhd, .vhdl) the lines without such literals are removed. A 64-bit word has its high 32 bits first or
 * last, in the same order in the whole file (word_order.h). scan.c handles words in the comments of a listing.
 *
 *     struct bare_words words;
 *     if (bare_words_fill(path, text, size, &words, &d) != STATUS_OK) return diag_report(stderr, &d);
 *     if (words.text != NULL) text = words.text;          // allocated, ends in a NUL
 */
#ifndef WARPSTEP_BARE_WORDS_H
#define WARPSTEP_BARE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "../base/diag.h"

struct bare_words {
    char *text;       /* NULL if there is nothing to replace */
    const char *note; /* on the order of halves; NULL: no remark */
};

/* STATUS_BAD_INPUT for unsupported VHDL, with the place in *d, or STATUS_NO_MEMORY. */
enum status bare_words_fill(const char *path, const char *text, size_t size, struct bare_words *result, struct diag *d);

#endif
