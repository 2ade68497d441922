/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the generator: gen.c has main() and writes two VHDL packages, gen_lists.c a third and a page,
 * gen_control.c the decoder's control signals, gen_derived.c the tables of derived.c, gen_tree.c among them the tree
 * that text is parsed with. */
#ifndef WARPSTEP_ISA_GEN_H
#define WARPSTEP_ISA_GEN_H

#include "table.h"

enum { TEXT_MAX = 4096, TOKENS_MAX = 20000, ROWS_MAX = 1024, ROW_TOKENS_MAX = 64 };

/* The patterns of all rows, cut into tokens. */
struct tables {
    char text[TEXT_MAX]; /* literals, each with its NUL */
    size_t text_size;
    struct token token[TOKENS_MAX];
    size_t token_count;
    uint16_t row_tokens[ROWS_MAX]; /* index of the row's first token */
};

/* Writes derived.c to stdout. */
void write_derived(void);

void write_tree(const struct tables *t);

/* gen_lists.c: the lists that the machine, its model and its host share. */
void write_lists_pkg(void);
void write_host_page(void);

/* gen_control.c: the control signals of decode, for the RTL and for proofs. */
void write_control_pkg(void);
void write_control_wires(void);

#endif
