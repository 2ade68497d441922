/* SPDX-License-Identifier: Apache-2.0 */
/* See words.h. */
#include "words.h"

#include <stddef.h>
#include <string.h>

#define X(name, text) text,
static const char *const OPCODE_TEXTS[] = {"", PTX_OPCODES(X)};
static const char *const WORD_TEXTS[] = {"", PTX_WORDS(X)};
#undef X

static unsigned find(const char *const *texts, unsigned count, const char *text) {
    for (unsigned i = 1; i < count; i++)
        if (texts[i][0] == text[0] && strcmp(texts[i], text) == 0) return i;
    return 0;
}

enum opcode opcode_of(const char *text) { return (enum opcode)find(OPCODE_TEXTS, OPCODES, text); }
enum word word_of(const char *text) { return (enum word)find(WORD_TEXTS, WORDS, text); }
const char *opcode_text(enum opcode opcode) { return OPCODE_TEXTS[opcode]; }
