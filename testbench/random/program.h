/* SPDX-License-Identifier: Apache-2.0 */
/* The code of a kernel while it is made: instructions, some with a label as their target, and its text.
 *
 *     size_t join = program_new_label(p);
 *     program_add_text(p, "SSY", join);
 *     ...
 *     program_place_label(p, join);
 *     program_print(p, stdout); */
#ifndef WARPSTEP_RANDOM_PROGRAM_H
#define WARPSTEP_RANDOM_PROGRAM_H

#include <stdio.h>

#include "assembler/isa/isa.h"

enum {
    PROGRAM_LINES_MAX = 8192,
    PROGRAM_LABELS_MAX = 1024,
    PROGRAM_TARGETS_MAX = 64,
    NO_LABEL = -1,
};

struct program_line {
    uint32_t lo, hi;
    int label; /* target of a flow instruction, or NO_LABEL */
};

struct program {
    struct program_line line[PROGRAM_LINES_MAX];
    size_t line_count;
    size_t label_line[PROGRAM_LABELS_MAX]; /* the line that each label stands before */
    int label_count;
    int target[PROGRAM_TARGETS_MAX]; /* labels whose addresses are constants, for BRX */
    unsigned target_count;
};

void program_add_word(struct program *p, uint32_t lo, uint32_t hi, int label);

/* Adds one instruction, given as text for isa_parse; a target in it is replaced by the label, if there is one. */
void program_add(struct program *p, int label, const char *format, ...) __attribute__((format(printf, 3, 4)));

int program_new_label(struct program *p);
void program_place_label(struct program *p, int label);

/* Makes the label's address a constant; returns its number. There is room for PROGRAM_TARGETS_MAX. */
unsigned program_add_target(struct program *p, int label);

/* Byte address of a label, once everything is placed. */
uint32_t program_label_address(const struct program *p, int label);

/* Writes the instructions as source text; what has no text (or whose text means another word) as .word. */
void program_print(const struct program *p, FILE *out);

#endif
