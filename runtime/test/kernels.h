/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels in SASS, as images, for the tests of engines. */
#ifndef WARPSTEP_TEST_KERNELS_H
#define WARPSTEP_TEST_KERNELS_H

#include "../engine.h"

/* Assembles the text to an image, which the caller destroys; the test fails on an error. */
struct image *kernel_image(const char *text);

/* Replace its shape and its parameters. */
void kernel_shape(struct image *image, unsigned groups, unsigned threads);
void kernel_params(struct image *image, const uint32_t *words, size_t count);

/* Parameters a, b, c, n: c[i] = a[i] + b[i] of words, one thread each. */
extern const char KERNEL_ADD[];
/* Parameter a: a[i] += 1 of words, one per thread. */
extern const char KERNEL_COUNT[];
extern const char KERNEL_MISALIGNED[]; /* stores at the parameter + 1 */
extern const char KERNEL_ENDLESS[];    /* increments a word of memory for ever; its address is the parameter */
extern const char KERNEL_SPIN[];       /* BRA to itself */
extern const char KERNEL_LOCAL[];      /* parameter a: a[i] = i, through local memory */

#endif
