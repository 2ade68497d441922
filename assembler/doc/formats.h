/* SPDX-License-Identifier: Apache-2.0 */
/* The encodings of some mnemonics as Markdown: one bit diagram for all rows of the instruction table with the same
 * layout, followed by a table of these rows, each with an example.
 *
 *     formats_write(stdout, "IADD IADD32 IADD32I");
 */
#ifndef WARPSTEP_DOC_FORMATS_H
#define WARPSTEP_DOC_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the diagrams and rows of the mnemonics, in the order of the list. False if a name is no mnemonic. Marks the
 * written rows in row_written (isa_row_count() elements). */
bool formats_write(FILE *out, const char *mnemonics, bool *row_written);

/* The formats of the thesis, T1 to T85, as a table, with their words from golden (golden/encodings/thesis.tsv);
 * write_section writes a link to a mnemonic's section. False if golden has other formats. */
bool formats_write_thesis(FILE *out, FILE *golden, void (*write_section)(FILE *out, const char *mnemonic, void *state),
                          void *state);

/* True if the list (names between blanks) has the mnemonic. */
bool formats_in_list(const char *list, const char *mnemonic);

#endif
