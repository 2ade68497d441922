/* SPDX-License-Identifier: Apache-2.0 */
/* See words.h. */
#include "words.h"

#include <stddef.h>
#include <string.h>

static const char *const OPCODE_TEXTS[] = {
    "",
#define OPCODE(name, text) text,
#define WORD(name, text)
#include "words.def"
#undef OPCODE
#undef WORD
};

static const char *const WORD_TEXTS[] = {
    "",
#define OPCODE(name, text)
#define WORD(name, text) text,
#include "words.def"
#undef OPCODE
#undef WORD
};

static unsigned find(const char *const *texts, unsigned count, const char *text) {
    for (unsigned i = 1; i < count; i++)
        if (texts[i][0] == text[0] && strcmp(texts[i], text) == 0) return i;
    return 0;
}

enum opcode opcode_of(const char *text) { return (enum opcode)find(OPCODE_TEXTS, OPCODES, text); }
enum word word_of(const char *text) { return (enum word)find(WORD_TEXTS, WORDS, text); }
const char *opcode_text(enum opcode opcode) { return OPCODE_TEXTS[opcode]; }
