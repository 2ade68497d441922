/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a cubin of CUDA 1 and 2 with any number of kernels. What it holds of a kernel comes back word for word: name,
 * code, registers, shared and local bytes, constants. What it cannot hold (launch shape, parameters, global memory,
 * expectations, lines) is left out; cubin_text_omits tells what that is.
 *
 *     const struct image *kernels[] = {img};
 *     if (cubin_text_write(kernels, 1, "k.cubin", &d) != STATUS_OK) return diag_report(stderr, &d);
 */
#ifndef WARPSTEP_CUBIN_TEXT_WRITE_H
#define WARPSTEP_CUBIN_TEXT_WRITE_H

#include "../image/image.h"

/* Whole or not at all. Registers that the image does not give are those that the code uses. */
enum status cubin_text_write(const struct image *const *kernels, size_t count, const char *path, struct diag *d);

/* The parts of the image that a text cubin cannot hold, as a list for a message; empty when there are none. */
void cubin_text_omits(const struct image *img, char *text, size_t size);

#endif
