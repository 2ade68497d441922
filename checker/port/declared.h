/* SPDX-License-Identifier: Apache-2.0 */
/* What an RTL has, as a small text file states it (docs/bring-your-own-rtl.md): sizes, instructions that it lacks. What
 * goes beyond it is refused before anything runs.
 *
 *     struct declared machine;
 *     if (declared_read_file("mine.machine", &machine, &d) != STATUS_OK) return ...;      // "mine.machine:3:9: ..."
 *     if (declared_check(&machine, &run, &d) != STATUS_OK) return ...;                     // "cannot run this: ..."
 */
#ifndef WARPSTEP_LOCKSTEP_DECLARED_H
#define WARPSTEP_LOCKSTEP_DECLARED_H

#include "../../cmodel/run/launch.h"

enum { DECLARED_ROWS = 2048 };

struct declared {
    struct machine machine;    /* sizes of the whole; what the file does not say is that of MACHINE_DEFAULT */
    unsigned registers;        /* of a thread, at most */
    uint32_t local_bytes;      /* of a thread, at most */
    bool whole_warps;          /* blocks must be multiples of 32 threads */
    bool no_traps;             /* nothing traps: random kernels must not */
    uint16_t banks;            /* constant banks that there are, by bit */
    bool lacks[DECLARED_ROWS]; /* row of the instruction table: the RTL does not execute it */
};

/* Everything that our own machine has. */
void declared_default(struct declared *m);

enum status declared_read_file(const char *path, struct declared *m, struct diag *d);

/* `path` names the text in messages. */
enum status declared_read_text(const char *path, const char *text, struct declared *m, struct diag *d);

/* launch_check for this machine, and what that does not know: "cannot run this: ..." in *d. */
enum status declared_check(const struct declared *m, struct launch *run, struct diag *d);

/* True when some instruction of that mnemonic is executed. */
bool declared_has(const struct declared *m, const char *mnemonic);

/* The mnemonic of the first instruction in the code that the machine lacks, and where it is; NULL: it has all of them.
 * Words that are no instruction are none that it lacks. */
const char *declared_find_lacking(const struct declared *m, const uint32_t *words, size_t count, uint32_t *pc);

/* True with the first constant bank that the code names and the machine has not. */
bool declared_find_bank(const struct declared *m, const uint32_t *words, size_t count, uint32_t *pc, unsigned *bank);

#endif
