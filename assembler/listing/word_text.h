/* SPDX-License-Identifier: Apache-2.0 */
/* Turns words in common formats into plain words: hexadecimal numbers separated by blanks, on their original lines.
 * Removes comments, addresses (`[0008]` in a comment, `0008:`, a short number before words of 8 or 16 digits) and the
 * marks of other languages (`0x...;`, `0x...ULL,`, `{`, quotes). A text of bytes alone, from hexdump -C, xxd or od -t
 * x1, becomes words of four bytes, the first one the least significant; so do the 16-bit numbers of hexdump and od -x.
 *
 *     char note[WORD_TEXT_NOTE];
 *     char *plain = word_text_plain(text, size, note);        // free it; NULL: memory is exhausted
 */
#ifndef WARPSTEP_WORD_TEXT_H
#define WARPSTEP_WORD_TEXT_H

#include <stddef.h>

enum { WORD_TEXT_NOTE = 160 };

/* note: the interpretation of an ambiguous text ("line 3: 'd00e' has 4 digits: taken as 0x0000d00e"), or "". */
char *word_text_plain(const char *text, size_t size, char note[WORD_TEXT_NOTE]);

#endif
