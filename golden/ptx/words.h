/* SPDX-License-Identifier: Apache-2.0 */
/* The words of PTX: opcodes, and the words after their dots. */
#ifndef GOLDEN_PTX_WORDS_H
#define GOLDEN_PTX_WORDS_H

#include <stdbool.h>
#include <stdint.h>

enum opcode {
    NO_OPCODE,
#define OPCODE(name, text) OP_##name,
#define WORD(name, text)
#include "words.def"
#undef OPCODE
#undef WORD
    OPCODES
};

/* Rounding, comparisons and combinations are fields of an instruction; the others are in its set. */
enum word {
    NO_WORD,
#define OPCODE(name, text)
#define WORD(name, text) W_##name,
#include "words.def"
#undef OPCODE
#undef WORD
    WORDS
};

struct word_set {
    uint64_t bits[2];
};

static inline bool has_word(const struct word_set *set, enum word word) {
    return (set->bits[(unsigned)word / 64] >> ((unsigned)word % 64) & 1) != 0;
}

static inline void add_word(struct word_set *set, enum word word) {
    set->bits[(unsigned)word / 64] |= (uint64_t)1 << ((unsigned)word % 64);
}

/* NO_OPCODE, NO_WORD if the text is none. */
enum opcode opcode_of(const char *text);
enum word word_of(const char *text);
const char *opcode_text(enum opcode opcode);

#endif
