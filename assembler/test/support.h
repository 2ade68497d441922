/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers of the assembler's tests: tables of tab-separated values, normalised spaces, random numbers. */
#ifndef WARPSTEP_ASSEMBLER_TEST_SUPPORT_H
#define WARPSTEP_ASSEMBLER_TEST_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../check/warn.h"
#include "../source/assemble.h"

enum { TSV_COLUMNS_MAX = 10 };

/* Reads the next line that is not a comment and cuts it at tabs; the columns point into `line`. False at the end. */
bool tsv_next(FILE *f, char *line, size_t size, char **column, size_t *count);

/* Removes the space before '[', in which the dialects differ. */
void normalize_spaces(char *text);

/* The words of "LLLLLLLL HHHHHHHH" or "LLLLLLLL"; hi is 0 for a half instruction. */
void parse_words(const char *text, uint32_t *lo, uint32_t *hi);

/* xorshift; the seed is SEED from the environment or a fixed one, printed once by random_seed. */
uint64_t random_seed(void);
uint32_t random_next(uint64_t *state);

/* Assembles a correct text; fails the test and prints the messages on an error. */
void assemble_good(const char *text, struct assembly *a);

/* Assembles a correct text; returns its number of warnings of one kind, or of any kind with WARN_COUNT. */
size_t count_warnings(const char *text, enum warning kind);

/* Assembles a wrong text; returns its first message. */
void assemble_bad(const char *text, struct diag *d);

#endif
