/* SPDX-License-Identifier: Apache-2.0 */
/* A random kernel while it is made and shrunk: its launch, its data, and its code as lines of 8 bytes, each a long
 * instruction or a pair of half ones. Lines belong to parts (a loop's own lines, an access with the instructions that
 * make its address), parts to enclosing parts, so that whole constructs can be removed.
 *
 *     const unsigned part = kernel_open_part(k);
 *     const int join = kernel_new_label(k);
 *     kernel_add(k, join, "SSY 0x0");
 *     ...
 *     kernel_place_label(k, join);
 *     kernel_close_part(k, part);
 *     kernel_print(k, stdout); */
#ifndef WARPSTEP_RANDOM_KERNEL_H
#define WARPSTEP_RANDOM_KERNEL_H

#include <stdio.h>

#include "../../assembler/isa/isa.h"
#include "../../cmodel/retire.h"
#include "../port/declared.h"

enum {
    KERNEL_LINES_MAX = 4096,
    KERNEL_LABELS_MAX = 1024,
    KERNEL_PARTS_MAX = 4096,
    KERNEL_TARGETS_MAX = 64,
    KERNEL_CONSTANTS_END = 128, /* words that any instruction reaches */
    KERNEL_PARAMS_MAX = 4,
    KERNEL_BANKS = 3,
    KERNEL_BANK_WORDS = 192,
    KERNEL_DATA_WORDS = 256,
    KERNEL_TEXT_MAX = 1 << 21, /* size of any kernel's text: two instructions a line, of some 210 bytes each */
    KERNEL_WHOLE = 0,          /* the part that encloses all others */
    NO_LABEL = -1,
};

struct kernel_line {
    uint32_t lo, hi; /* a long instruction, or two half ones */
    int16_t label;   /* target of a flow instruction, or NO_LABEL */
    uint16_t part;   /* the innermost one */
};

struct kernel_bank {
    uint8_t number;
    unsigned words;
    uint32_t word[KERNEL_BANK_WORDS];
};

struct kernel {
    const struct declared *declared; /* the declared machine; NULL: ours */
    uint64_t seed;
    uint32_t grid[2], block[3];
    unsigned regs;
    uint32_t shared_bytes, local_bytes, global_bytes; /* of a block, of a thread, of all accesses */
    bool atomics;                                     /* for sm_11 */
    unsigned wide, dividers;                          /* the machine's units of sm_10x, see cmodel/machine.h */
    bool undefined;                                   /* it may read values that it has not written */
    bool clocked;        /* its results depend on time: on the clock, on the placement of blocks, on races */
    bool wild;           /* it may trap */
    bool brief;          /* one warp, straight code, as few registers and as little local memory as possible */
    enum trap trap;      /* it must end in this trap; TRAP_NONE: it must not trap */
    const char *lacking; /* a mnemonic that was to be added and that the declared machine lacks; NULL: none, see
                          * kernel_mark */
    unsigned constants;  /* words of bank[1] that kernel_constant has used, from the end of those that any instruction
                    * reaches */
    unsigned param_count;
    uint32_t param[KERNEL_PARAMS_MAX];
    struct kernel_bank bank[KERNEL_BANKS]; /* bank[1] has the addresses of `target` after its words */
    unsigned data_words;                   /* at global address 0 */
    uint32_t data[KERNEL_DATA_WORDS];

    size_t line_count;
    struct kernel_line line[KERNEL_LINES_MAX];
    unsigned label_count;
    size_t label_line[KERNEL_LABELS_MAX]; /* the line after each label */
    unsigned target_count;
    int16_t target[KERNEL_TARGETS_MAX]; /* labels whose addresses are constants, for BRX */
    unsigned part_count, part;          /* the part that receives new lines */
    uint16_t part_around[KERNEL_PARTS_MAX];
};

/* Adds a long instruction, or two half ones. */
void kernel_add_words(struct kernel *k, uint32_t lo, uint32_t hi, int label);

/* Adds one long instruction, given as text for isa_parse; the label, if any, replaces its target. An instruction that
 * the declared machine lacks is not added, and k->lacking names it. */
void kernel_add(struct kernel *k, int label, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Several instructions that are added together or not at all: if one was lacking, kernel_keep removes the instructions
 * since the mark, and returns false. */
struct kernel_mark {
    const char *lacking;
    size_t lines;
    unsigned labels, targets, parts, part;
};
struct kernel_mark kernel_begin(struct kernel *k);
bool kernel_keep(struct kernel *k, const struct kernel_mark *mark);

/* The index of a word of bank[1] with the value; false if there is no room. */
bool kernel_constant(struct kernel *k, uint32_t value, unsigned *word);

int kernel_new_label(struct kernel *k);
void kernel_place_label(struct kernel *k, int label);

/* Makes the label's address a constant; returns its word in c[1]. There is room for KERNEL_TARGETS_MAX. */
unsigned kernel_add_target(struct kernel *k, int label);

/* Lines added between these two calls belong to a new part. */
unsigned kernel_open_part(struct kernel *k);
void kernel_close_part(struct kernel *k, unsigned part);

/* True if `part` is `around`, or within it. */
bool kernel_part_is_in(const struct kernel *k, unsigned part, unsigned around);

/* Removes lines; their labels move to the following line. */
void kernel_remove(struct kernel *k, const bool gone[KERNEL_LINES_MAX]);

unsigned kernel_threads(const struct kernel *k); /* of a block */
unsigned kernel_warps(const struct kernel *k);   /* of a block */

/* kernel_print.c: the source text, launch included. */
void kernel_print(const struct kernel *k, FILE *out);

#endif
