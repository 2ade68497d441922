/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a kernel on the model alone: is it what it claims to be? */
#ifndef WARPSTEP_RANDOM_JUDGE_H
#define WARPSTEP_RANDOM_JUDGE_H

#include "../../cmodel/run/launch.h"
#include "kernel.h"

enum judgement {
    JUDGED_LEGAL,
    JUDGED_LONG,   /* it ends too late, or never, or exceeds the declared machine */
    JUDGED_UNTRUE, /* it does not trap as intended, or with another trap */
    JUDGED_WRONG,  /* invalid text, an unintended trap, a hang, an undefined read, or out of memory */
};

enum {
    JUDGE_STEPS = 6000, /* warp instructions, the usual limit */
    JUDGE_WHY = 256,    /* size of the message about a kernel that is not legal */
};

/* Assembles the kernel's text and checks its launch; release it in any case. False: `why`, JUDGE_WHY bytes, has the
 * reason. */
bool judge_launch(const struct kernel *k, struct launch *run, char *why);

/* The machine that a kernel is made for. */
struct machine judge_machine(const struct kernel *k);

/* `steps`: the limit of warp instructions for a legal kernel. `why` has JUDGE_WHY bytes. */
enum judgement judge_kernel(const struct kernel *k, unsigned steps, char *why);

#endif
