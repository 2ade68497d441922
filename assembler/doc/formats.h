/* SPDX-License-Identifier: Apache-2.0 */
/* The encodings of some mnemonics as Markdown: one bit diagram for all rows of the instruction table whose words are
 * laid out alike, and below it a table of these rows, each with an example.
 *
 *     formats_write(stdout, "IADD IADD32 IADD32I");
 */
#ifndef WARPSTEP_DOC_FORMATS_H
#define WARPSTEP_DOC_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the diagrams and rows of the mnemonics, in the order in which the list names them. False when a name is no
 * mnemonic. Rows that were written are marked in row_written (isa_row_count() elements). */
bool formats_write(FILE *out, const char *mnemonics, bool *row_written);

/* The formats of the thesis, T1 to T85, as a table, with the words that golden (golden/encodings/thesis.tsv) gives
 * them; write_section writes where a mnemonic is explained. False when golden has other formats. */
bool formats_write_thesis(FILE *out, FILE *golden, void (*write_section)(FILE *out, const char *mnemonic, void *state),
                          void *state);

/* True when the list (names between blanks) has the mnemonic. */
bool formats_in_list(const char *list, const char *mnemonic);

#endif
