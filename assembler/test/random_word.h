/* SPDX-License-Identifier: Apache-2.0 */
/* Random legal words of a row of the instruction table, for tests that print and read them back. */
#ifndef WARPSTEP_TEST_RANDOM_WORD_H
#define WARPSTEP_TEST_RANDOM_WORD_H

#include "../isa/isa.h"

/* A field that is to have this value. */
struct random_word_fixed {
    enum isa_field field;
    uint32_t value;
};

/* A word of the row with random fields; what text does not show keeps its default. fixed may be NULL. False when the
 * values are reserved: try again. */
bool random_word(size_t row, uint64_t *seed, const struct random_word_fixed *fixed, uint32_t *lo, uint32_t *hi);

/* Two byte stores exist in two encodings that mean and print the same; text gives the one without h26. */
bool random_word_is_twin(size_t row);

#endif
