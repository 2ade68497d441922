/* SPDX-License-Identifier: Apache-2.0 */
/* An ELF file that holds a kernel, recognised by its content: an image, or a cubin. Separate from image_load.c, so that
 * text readers do not need libelf. */
#ifndef WARPSTEP_ELF_LOAD_H
#define WARPSTEP_ELF_LOAD_H

#include "image/image.h"

/* text is only read, but libelf requires it writable. On failure *img is unchanged and *d is filled. */
enum status elf_load(const char *path, char *text, size_t size, const struct image_choice *choice, struct image **img,
                     struct diag *d);

#endif
