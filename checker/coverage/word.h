/* SPDX-License-Identifier: Apache-2.0 */
/* The coverage of the word at a pc, computed once: the bins of its options and operands, the registers that it reads
 * and writes, its class.
 *
 *     struct word *w = words_at(words, record->pc, record->word_lo, record->word_hi);
 */
#ifndef WARPSTEP_COVERAGE_WORD_H
#define WARPSTEP_COVERAGE_WORD_H

#include "../../assembler/check/effects.h"
#include "space.h"

enum { WORD_BINS = SPACE_FIELDS + SAME_BINS + 1 };

struct word {
    bool known, defined; /* defined: a row of the table, insn is valid */
    uint32_t pc, lo, hi;
    struct isa_insn insn;
    const struct row_space *row;
    uint8_t class; /* enum class */
    struct register_set reads, writes;
    uint32_t retired[WORD_BINS], executed[WORD_BINS]; /* bins: for any mask, and for one with a lane */
    uint32_t crossed[SPACE_FIELDS]; /* options of floating point: the first of the bins for classes of the source */
    uint8_t retired_count, executed_count, crossed_count;
};

struct words;
struct words *words_create(const struct space *space); /* NULL if out of memory */
void words_destroy(struct words *words);

/* Valid until the next call. */
const struct word *words_at(struct words *words, uint32_t pc, uint32_t lo, uint32_t hi);

#endif
