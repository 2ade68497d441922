/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of an RTL, stated in a small text file (docs/bring-your-own-rtl.md): sizes, absent instructions. A
 * launch that exceeds them is refused before anything runs.
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
    struct machine machine;    /* sizes of the whole machine; MACHINE_DEFAULT for those that the file omits */
    unsigned registers;        /* of a thread, at most */
    uint32_t local_bytes;      /* of a thread, at most */
    bool whole_warps;          /* blocks must be multiples of 32 threads */
    bool no_traps;             /* no instruction traps: random kernels must avoid traps */
    uint16_t banks;            /* existing constant banks, by bit */
    bool lacks[DECLARED_ROWS]; /* row of the instruction table: the RTL does not execute it */
};

/* A machine with everything that our own has. */
void declared_default(struct declared *m);

enum status declared_read_file(const char *path, struct declared *m, struct diag *d);

/* `path` names the text in messages. */
enum status declared_read_text(const char *path, const char *text, struct declared *m, struct diag *d);

/* launch_check for this machine, and checks beyond it: "cannot run this: ..." in *d. */
enum status declared_check(const struct declared *m, struct launch *run, struct diag *d);

/* True if an instruction of that mnemonic is executed. */
bool declared_has(const struct declared *m, const char *mnemonic);

/* The mnemonic and the place of the first instruction in the code that the machine lacks; NULL: none. Words that are no
 * instruction do not count. */
const char *declared_find_lacking(const struct declared *m, const uint32_t *words, size_t count, uint32_t *pc);

/* True with the first constant bank that the code uses and the machine lacks. */
bool declared_find_bank(const struct declared *m, const uint32_t *words, size_t count, uint32_t *pc, unsigned *bank);

#endif
