/* SPDX-License-Identifier: Apache-2.0 */
/* Random legal words of a row of the instruction table, for round-trip tests. */
#ifndef WARPSTEP_TEST_RANDOM_WORD_H
#define WARPSTEP_TEST_RANDOM_WORD_H

#include "../isa/isa.h"

/* A field with a given value. */
struct random_word_fixed {
    enum isa_field field;
    uint32_t value;
};

/* A word of the row with random fields; fields that texts do not show keep their default. fixed may be NULL. False if
 * the values are reserved: try again. */
bool random_word(size_t row, uint64_t *seed, const struct random_word_fixed *fixed, uint32_t *lo, uint32_t *hi);

/* Two byte stores have two encodings each, with the same meaning and text; the text assembles to the one without
 * h26. */
bool random_word_is_twin(size_t row);

#endif
