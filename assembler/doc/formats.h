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

#endif
