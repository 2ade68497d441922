/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel on the model alone: does it do what it says of itself? */
#ifndef WARPSTEP_RANDOM_JUDGE_H
#define WARPSTEP_RANDOM_JUDGE_H

#include "../../cmodel/run/launch.h"
#include "kernel.h"

enum judgement {
    JUDGED_LEGAL,
    JUDGED_LONG,   /* it ends too late, or never, or is more than the declared machine has */
    JUDGED_UNTRUE, /* it was to trap and does not, or traps in another way */
    JUDGED_WRONG,  /* the text is no program, or it traps, waits for ever, reads what it has not written; no memory */
};

enum {
    JUDGE_STEPS = 6000, /* warp instructions, the usual limit */
    JUDGE_WHY = 256,    /* bytes of what is said of a kernel that is not legal */
};

/* Assembles the kernel's text and checks its launch; release it in any case. False: see `why`, JUDGE_WHY bytes. */
bool judge_launch(const struct kernel *k, struct launch *run, char *why);

/* The machine that a kernel is made for. */
struct machine judge_machine(const struct kernel *k);

/* `steps`: the most warp instructions of a legal kernel. `why` has JUDGE_WHY bytes. */
enum judgement judge_kernel(const struct kernel *k, unsigned steps, char *why);

#endif
