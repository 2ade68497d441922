/* SPDX-License-Identifier: Apache-2.0 */
/* Listings: an image in the style of cuobjdump, and an assembly with its source lines. */
#ifndef WARPSTEP_LISTING_H
#define WARPSTEP_LISTING_H

#include "../isa/isa.h"
#include "../source/assemble.h"

/* "code for sm_10 ...", one instruction a line with its address and words in comments; words that are no instruction as
 * .word with the reason. The output can be assembled. STATUS_NO_MEMORY or STATUS_OK. */
enum status listing_print(const struct image *img, enum isa_dialect dialect, FILE *out);

/* The directives for the rest of the image (registers, memory, launch), and its notes as comments. Part of
 * listing_print. */
void listing_print_launch(const struct image *img, FILE *out);

/* Address, words, source line and text of each instruction. */
void listing_print_source(const struct assembly *a, FILE *out);

#endif
