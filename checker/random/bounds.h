/* SPDX-License-Identifier: Apache-2.0 */
/* What a declared machine (declared.h) leaves to random kernels. Without one all of this says that everything is there.
 *
 *     bounds_clip_shape(k);
 *     if (bounds_have(k, "PBK")) kernel_add(k, end, "PBK 0x0"); */
#ifndef WARPSTEP_RANDOM_BOUNDS_H
#define WARPSTEP_RANDOM_BOUNDS_H

#include "kernel.h"

/* The mnemonic is executed. */
bool bounds_have(const struct kernel *k, const char *mnemonic);

/* The mnemonic of the words, for messages. */
const char *bounds_name(uint32_t lo, uint32_t hi);

/* The words are none that the machine lacks, and name no constants that it has not. */
bool bounds_allow(const struct kernel *k, uint32_t lo, uint32_t hi);

/* The first mnemonic in the kernel's lines that the machine lacks; NULL: none. */
const char *bounds_find_lacking(const struct kernel *k);

/* Makes the block one that fits: warps, threads, shared memory for them, whole warps. */
void bounds_clip_shape(struct kernel *k);

/* The sizes, with atomics and sm_10x as the kernel wants them. */
struct machine bounds_machine(const struct kernel *k);

#endif
