/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program twice: clang compiles it for this machine, warp-cc for ours. The outputs must be equal. */
#ifndef WARPSTEP_RANDOM_C_TRIAL_H
#define WARPSTEP_RANDOM_C_TRIAL_H

#include "program.h"

enum c_verdict {
    C_SAME,
    C_DIFFERS,   /* in memory */
    C_UNDEFINED, /* on this machine it does not compile, or is undefined: a fault of the generator */
    C_REFUSED,   /* by warp-cc */
    C_STOPPED,   /* traps, reads undefined values, or races */
    C_LOCKSTEP,  /* RTL and model differ */
    C_ENDLESS,   /* a command takes too long */
    C_BROKEN     /* a tool or a file is missing */
};

enum { C_PATH = 512, C_SAID = 400, CELL_BYTES = ATOMICS * 4 };

struct c_tools {
    char bin[C_PATH];    /* folder of warp-cc, warp-run, ... */
    char folder[C_PATH]; /* for files; has host.o, opencl.h */
    const char *clang;
    bool races;            /* are errors */
    const char *sim;       /* --sim; NULL: no lockstep */
    unsigned cores, level; /* level: -O, unless 9 */
};

struct c_outcome {
    enum c_verdict verdict;
    char said[C_SAID]; /* first line of a tool */
};

/* Prepares an existing folder. False: `said` has the reason; is_absent: clang is missing. */
bool c_tools_open(struct c_tools *t, char said[C_SAID], bool *is_absent);

/* Files are NAME.cl, .in, .cells, .img, ...: the tools' output stays there. */
void c_trial(const struct c_tools *t, const struct program *p, const char *name, struct c_outcome *outcome);

/* Commands that repeat it, and the places where memories differ. */
void c_trial_explain(const struct c_tools *t, const struct program *p, const char *name,
                     const struct c_outcome *outcome, FILE *to);

/* Removes the files of a name. */
void c_trial_clean(const struct c_tools *t, const char *name);

const char *c_verdict_name(enum c_verdict verdict);

/* host_text.c, made of host/: lines, up to NULL. */
extern const char *const c_host_launch[];
extern const char *const c_host_opencl[];

#endif
