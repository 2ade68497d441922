/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels in SASS, as images, for the tests of engines. */
#ifndef WARPSTEP_TEST_KERNELS_H
#define WARPSTEP_TEST_KERNELS_H

#include "../engine.h"

/* The text as an image; the test fails where it is none. image_destroy releases it. */
struct image *kernel_image(const char *text);

/* Its shape and its parameters, in place of those that it has. */
void kernel_shape(struct image *image, unsigned groups, unsigned threads);
void kernel_params(struct image *image, const uint32_t *words, size_t count);

/* Parameters a, b, c, n: c[i] = a[i] + b[i] of words, one thread each. */
extern const char KERNEL_ADD[];
/* Parameter a: a[i] += 1 of words, by as many threads as there are. */
extern const char KERNEL_COUNT[];
extern const char KERNEL_MISALIGNED[]; /* stores at the parameter + 1 */
extern const char KERNEL_ENDLESS[]; /* a loop that counts a word of memory up for ever; its address is the parameter */
extern const char KERNEL_SPIN[];    /* BRA to itself */
extern const char KERNEL_LOCAL[];   /* parameter a: a[i] = i, by way of local memory */

#endif
