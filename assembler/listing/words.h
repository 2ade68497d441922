/* SPDX-License-Identifier: Apache-2.0 */
/* The --words modes of warp-as and warp-dis: one instruction a line, text to words and back.
 *
 *     struct words_text out = {0}; struct diag d;
 *     if (words_disassemble("-", text, size, ISA_DIALECT_3, false, &out, &d) == STATUS_OK)
 *         fwrite(out.text, 1, out.size, stdout);
 *     free(out.text);
 */
#ifndef WARPSTEP_WORDS_H
#define WARPSTEP_WORDS_H

#include <stdbool.h>

#include "../isa/isa.h"
#include "../source/messages.h"
#include "word_text.h"

struct words_text {
    char *text;
    size_t size, capacity;
    bool failed;                   /* out of memory */
    char note[2 * WORD_TEXT_NOTE]; /* of words_disassemble: the interpretation of an ambiguous text, or "" */
};

void words_append(struct words_text *out, const char *text, size_t size);

/* Appends the instruction as text, or ".word 0x..., 0x... // reason" if the words are none. given: the number of valid
 * words among lo and hi. */
void words_append_text(struct words_text *out, uint32_t lo, uint32_t hi, unsigned given, enum isa_dialect dialect);

/* Appends the diagram of the instruction with the values of its fields (layout.h), nothing if the words are no
 * instruction. */
void words_append_fields(struct words_text *out, uint32_t lo, uint32_t hi, unsigned given);

/* Words to lines of text, one for each instruction, whose second word may be in a later line. Words have 32 bits, in
 * memory order, or 64, with either half first (word_order.h). `fields`: adds words_append_fields and an empty line.
 * STATUS_BAD_INPUT with *d if a token is not a word. */
enum status words_disassemble(const char *path, const char *text, size_t size, enum isa_dialect dialect, bool fields,
                              struct words_text *out, struct diag *d);

/* Lines of text to lines of words. STATUS_BAD_INPUT with the messages if a line is no instruction. */
enum status words_assemble(const char *text, size_t size, struct words_text *out, struct messages *m);

#endif
