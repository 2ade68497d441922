/* SPDX-License-Identifier: Apache-2.0 */
/* The restrictions of a declared machine (declared.h) on random kernels. Without one nothing is restricted.
 *
 *     bounds_clip_shape(k);
 *     if (bounds_have(k, "PBK")) kernel_add(k, end, "PBK 0x0"); */
#ifndef WARPSTEP_RANDOM_BOUNDS_H
#define WARPSTEP_RANDOM_BOUNDS_H

#include "kernel.h"

/* True if the mnemonic is executed. */
bool bounds_have(const struct kernel *k, const char *mnemonic);

/* The mnemonic of the words, for messages. */
const char *bounds_name(uint32_t lo, uint32_t hi);

/* True if the machine executes the words and has the constants that they name. */
bool bounds_allow(const struct kernel *k, uint32_t lo, uint32_t hi);

/* The first mnemonic in the kernel's lines that the machine lacks; NULL: none. */
const char *bounds_find_lacking(const struct kernel *k);

/* Reduces the block to one that fits: warps, threads, shared memory, whole warps. */
void bounds_clip_shape(struct kernel *k);

/* The sizes, with atomics and sm_10x as the kernel needs them. */
struct machine bounds_machine(const struct kernel *k);

#endif
