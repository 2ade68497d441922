/* SPDX-License-Identifier: Apache-2.0 */
/* Writes derived.c: the rows of the instruction table, and all tables for decode.c, print.c and parse.c that can be
 * computed ahead. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "gen.h"

void gen_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "gen: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(1);
}

void write_derived(void) {
    struct table *t = calloc(1, sizeof *t);
    if (t == NULL) gen_fail("out of memory");
    make_rows(t);
    make_tokens(t);
    printf("/* Generated from the .def files of assembler/isa by gen_derived.c there. */\n"
           "#include \"spec/table.h\"\n\n");
    write_table(t);
    write_bits(t);
    write_tokens(t);
    write_tree(t);
    free(t);
}
