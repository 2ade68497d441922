/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the generator. Of the instruction table, in the order in which they work:
 *
 *     gen_rows.c     insn.def, later.def, operands.def, fields.def -> rows and formats
 *     gen_bits.c     rows, ignored.def                       -> tables of the decoder
 *     gen_tokens.c   patterns of the rows                    -> tokens, for the printer
 *     gen_tree.c     tokens                                  -> the parser's tree
 *     gen_derived.c  all of these                            -> derived.c
 *
 * gen.c has main() and writes two VHDL packages; gen_lists.c writes a third one and a page, gen_control.c the decoder's
 * control signals. */
#ifndef WARPSTEP_ISA_GEN_H
#define WARPSTEP_ISA_GEN_H

#include <stdbool.h>

#include "../table.h"

enum { ALSO_MAX = 64, ROWS_MAX = 1024, FORMATS_MAX = 250, TEXT_MAX = 4096, TOKENS_MAX = 20000, ROW_TOKENS_MAX = 64 };

/* The instruction table and the tables derived from it. */
struct table {
    struct row row[ROWS_MAX]; /* the rows of later.def follow the others */
    size_t row_count, later_count;
    struct format format[FORMATS_MAX];
    size_t format_count;
    char text[TEXT_MAX]; /* literals of the patterns, each with its NUL */
    size_t text_size;
    struct token token[TOKENS_MAX];
    size_t token_count;
    uint16_t row_tokens[ROWS_MAX];    /* index of the row's first token */
    uint16_t row_tokens_65[ROWS_MAX]; /* of its text in the dialect of CUDA 6.5; may be the same token */
    size_t also_count;                /* texts of also.def */
    uint16_t also_row[ALSO_MAX], also_tokens[ALSO_MAX];
};

static inline const struct format *format_of(const struct table *t, size_t row) {
    return &t->format[t->row[row].format];
}

/* Reports an error in a .def file and ends the generator. */
void gen_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

void make_rows(struct table *t);
void make_tokens(struct table *t);

/* Each function writes its arrays to stdout. */
void write_table(const struct table *t);
void write_bits(const struct table *t);
void write_tokens(const struct table *t);
void write_tree(const struct table *t);
void write_derived(void);

/* gen_lists.c: the lists that the machine, its model and its host share. */
void write_lists_pkg(void);
void write_board_pkg(void);
void write_host_page(void);

/* gen_machine.c: the machine's parameters for the RTL, by default those of the machine `usual`; and the name of the
 * machine with the given values ("CORES=8" each). */
void write_machine_pkg(const char *usual);
void write_machine_name(char **values);

/* Fails, with the right spelling, unless it is the one name of a machine that machine_name gives it. */
void check_machine_name(const char *name);

/* gen_pins.c: the top of this name, whose pins pins.def lists. Returns false if it has none. */
bool write_top(const char *name);

/* gen_control.c: the control signals of decode, for the RTL and for proofs. */
void write_control_pkg(void);
void write_control_wires(void);

#endif
