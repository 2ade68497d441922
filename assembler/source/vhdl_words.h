/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction words in VHDL, as the literals of tables and of case statements:
 *
 *     when 3 => instruction_out <= x"30000003";
 *     0 => X"1000_4205", 1 => X"0023" & B"1100_0111_1000_0000", 2 => "00110000000000000000000000000011",
 *
 * A literal is a bit string of base 2, 8, 10 or 16 with or without a length, or a string of 0 and 1; `&` joins
 * literals. Literals of 32 and 64 bits are words, in the order of the text, except choices (left of =>), the value of
 * `others`, and operands of comparisons. Any other value in the place of a word (after a number and =>, or beside words
 * in a table) is an error: to skip it would shift the code. The rest of the text is skipped.
 *
 *     enum status take(void *state, unsigned line, unsigned bits, uint64_t value);
 *     const struct vhdl_text source = {path, text, size, 1, false};
 *     if (vhdl_words_read(&source, take, state, &d) != STATUS_OK) return diag_report(stderr, &d);
 */
#ifndef WARPSTEP_VHDL_WORDS_H
#define WARPSTEP_VHDL_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/diag.h"

/* Receives each word, of 32 or 64 bits, with its line. */
typedef enum status vhdl_word_taker(void *state, unsigned line, unsigned bits, uint64_t value);

struct vhdl_text {
    const char *path, *text;
    size_t size;
    unsigned first_line;
    bool is_fragment; /* a line of another text, from the inside of a table */
};

/* STATUS_BAD_INPUT with the place in *d, STATUS_NO_MEMORY, or the result of `take`. */
enum status vhdl_words_read(const struct vhdl_text *source, vhdl_word_taker *take, void *state, struct diag *d);

/* True if a line of another text has such a literal. */
bool vhdl_words_has_literal(const char *line, size_t length);

#endif
