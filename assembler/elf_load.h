/* SPDX-License-Identifier: Apache-2.0 */
/* An ELF file that holds a kernel, told apart by its content: an image, or a cubin. Apart from image_load.c, as what
 * reads text needs no libelf. */
#ifndef WARPSTEP_ELF_LOAD_H
#define WARPSTEP_ELF_LOAD_H

#include "image/image.h"

/* text is only read, but libelf wants it writable. On failure *img stays as it was and *d is filled. */
enum status elf_load(const char *path, char *text, size_t size, const struct image_choice *choice, struct image **img,
                     struct diag *d);

#endif
