/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a cubin of CUDA 1 and 2 with any number of kernels. Its contents survive a round trip word for word: name,
 * code, registers, shared and local bytes, constants. Parts that the format lacks (launch shape, parameters, global
 * memory, expectations, lines) are omitted; cubin_text_omits lists them.
 *
 *     const struct image *kernels[] = {img};
 *     if (cubin_text_write(kernels, 1, "k.cubin", &d) != STATUS_OK) return diag_report(stderr, &d);
 */
#ifndef WARPSTEP_CUBIN_TEXT_WRITE_H
#define WARPSTEP_CUBIN_TEXT_WRITE_H

#include "../image/image.h"

/* Writes the file completely or not at all. If the image has no register count, that of the code is written. */
enum status cubin_text_write(const struct image *const *kernels, size_t count, const char *path, struct diag *d);

/* The parts of the image that a text cubin cannot hold, as a list for a message; empty if there are none. */
void cubin_text_omits(const struct image *img, char *text, size_t size);

#endif
