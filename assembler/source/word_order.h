/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which a listing has the halves of 64-bit words: cuobjdump of CUDA 3 and 4 prints the low word first,
 * later ones and nvdisasm the high one. A file has one order. The criteria, strongest first:
 *
 *     1. lines whose text is that of the word beside it, in one of the orders
 *     2. the order in which the words are known instructions without bits that silicon ignores
 *     3. otherwise the order in which guards can hold, else the high word first; a note reports the choice
 *
 *     struct word_order order = {0};
 *     word_order_add(&order, 0xd00e0005, 0xa0c00781);                            // for each word of the file
 *     word_order_add_text(&order, 0xd00e0005, 0xa0c00781, text, length);         // for each that has text
 *     bool low_first = word_order_low_first(&order);
 *     if (word_order_note(&order) != NULL) ...
 */
#ifndef WARPSTEP_WORD_ORDER_H
#define WARPSTEP_WORD_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each sum is positive if the half written first is the low word. */
struct word_order {
    int64_t agreeing, known, likely;
    size_t possible; /* words that are an instruction, or nearly, in one of the orders */
};

/* 64 bits of a file; `first` is the half written first. */
void word_order_add(struct word_order *order, uint32_t first, uint32_t second);

/* The text beside these 64 bits, with or without its final ';'. */
void word_order_add_text(struct word_order *order, uint32_t first, uint32_t second, const char *text, size_t length);

bool word_order_low_first(const struct word_order *order);

/* A note if either order is possible, otherwise NULL. */
const char *word_order_note(const struct word_order *order);

#endif
