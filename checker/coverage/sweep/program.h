/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel under construction: its text goes to a file line by line while its words are counted, so that flow can name
 * addresses; its constants are written at the end.
 *
 *     struct program p;
 *     program_open(&p, directory, "options-0", &(struct shape){.threads = 40, .blocks = 1, .registers = 120});
 *     program_text(&p, "MOV R1, R2");            // a long instruction
 *     sweep_program_word(&p, lo, hi);
 *     if (!program_close(&p)) ...
 */
#ifndef WARPSTEP_SWEEP_PROGRAM_H
#define WARPSTEP_SWEEP_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SWEEP_BANKS = 16, SWEEP_BANK_WORDS = 128, SWEEP_LONG = 8 };

struct shape {
    unsigned threads, blocks, registers;
};

struct program {
    FILE *out;
    uint32_t pc;     /* of the next instruction */
    uint64_t random; /* state of program_random */
    uint32_t bank[SWEEP_BANKS][SWEEP_BANK_WORDS];
    unsigned used[SWEEP_BANKS]; /* words at the end of a bank that program_slot returned */
};

/* False if the file cannot be written. Banks are full of corner values. */
bool program_open(struct program *p, const char *directory, const char *name, const struct shape *shape);
bool program_close(struct program *p);

void program_comment(struct program *p, const char *text);
void program_text(struct program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void program_label(struct program *p, char letter, unsigned number);
void sweep_program_word(struct program *p, uint32_t lo, uint32_t hi); /* hi is omitted for a half word */
uint32_t program_random(struct program *p);
uint32_t program_corner(struct program *p, bool few); /* usually a corner value, rarely a random one */

/* The number of a free word of a constant bank, from its end. */
unsigned program_slot(struct program *p, unsigned bank);

/* The state before all instructions: see program.c. */
void program_prologue(struct program *p);
void program_load_registers(struct program *p); /* R1..R15 again; afterwards A1 is 4 times the lane */
void program_restore_flags(struct program *p);
void program_restore_areg(struct program *p, unsigned areg);

#endif
