/* SPDX-License-Identifier: Apache-2.0 */
/* Reads cubins. docs/inputs.md describes both forms. */
#ifndef WARPSTEP_CUBIN_H
#define WARPSTEP_CUBIN_H

#include "../image/image.h"

struct elf_reader;

/* A cubin of CUDA 3 and later into *img, which must be empty. */
enum status cubin_from_elf(const struct elf_reader *r, const struct image_choice *choice, struct image *img);

/* A cubin of CUDA 1 and 2; `text` ends in a NUL after its `size` bytes, path is for messages. On failure *img is
 * unchanged and *d is filled. */
enum status image_from_text_cubin(const char *path, const char *text, size_t size, const struct image_choice *choice,
                                  struct image **img, struct diag *d);

/* True if the text begins like a text cubin: comments, then a name and '{'. */
bool image_is_text_cubin(const char *text, size_t size);

#endif
