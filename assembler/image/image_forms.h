/* SPDX-License-Identifier: Apache-2.0 */
/* The forms that image_load tells apart, one reader each. `text` is the whole file, with a NUL behind its `size` bytes;
 * path is for messages. On failure *img stays as it was and *d is filled. */
#ifndef WARPSTEP_IMAGE_FORMS_H
#define WARPSTEP_IMAGE_FORMS_H

#include "image.h"

/* One 32-bit word a line in memory order, 0x optional, '#' comments. Source: the contract's .hex form. */
enum status image_from_hex(const char *path, const char *text, size_t size, struct image **img, struct diag *d);

/* An image (it has our note section) or an nvcc cubin of CUDA 3 and later. */
enum status image_from_elf(const char *path, char *text, size_t size, const struct image_choice *choice,
                           struct image **img, struct diag *d);

/* A cubin of CUDA 1 and 2. */
enum status image_from_text_cubin(const char *path, const char *text, size_t size, const struct image_choice *choice,
                                  struct image **img, struct diag *d);

/* True when the text begins as a text cubin does: comments, then a name and '{'. */
bool image_is_text_cubin(const char *text, size_t size);

#endif
