/* SPDX-License-Identifier: Apache-2.0 */
/* The first step on a source text: blanks out comments, and keeps the contents of a cuobjdump listing's comments.
 *
 * A listing's line carries the address and the words of its instruction in comments (here in braces), in one of two
 * styles:
 *
 *     {0008}     {0x30010205c4100780}   SHL R1, R1, 0x1;                             CUDA 3 and 4, low word first
 *     {0008}         SHL R1, R1, 0x1;                      { 0xc410078030010205 }     CUDA 5 and later, high word first
 */
#ifndef WARPSTEP_SCAN_H
#define WARPSTEP_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages.h"
#include "word_order.h"

struct scan_note {
    size_t offset;    /* offset of the comment in the text */
    bool is_address;  /* value[0] is an address; otherwise the words as printed */
    bool is_doubtful; /* hexadecimal digits that are words only where nothing else is possible: without 0x, or not 8 or
                       * 16 */
    uint8_t words;    /* 1 or 2; 0: a wrong number of words */
    uint32_t value[2];
};

struct scan {
    char *clean; /* the text with every comment blanked: offsets and lines stay */
    size_t size;
    struct scan_note *notes; /* by offset */
    size_t note_count;
    struct word_order order; /* order of the two words in the listing's comments */
    bool low_first;
    bool is_listing; /* some words are beside text */
};

/* Scans the text. Reports an unterminated comment or string to m. STATUS_NO_MEMORY or STATUS_OK. */
enum status scan_text(const char *text, size_t size, struct scan *scan, struct messages *m);

/* Finds the order of the words in the notes. scan_text does this; to be repeated after expand.c moves notes. */
void scan_order(struct scan *scan);

/* The words of a note in memory order; returns their number. */
unsigned scan_words(const struct scan *scan, const struct scan_note *note, uint32_t *lo, uint32_t *hi);

void scan_release(struct scan *scan);

#endif
