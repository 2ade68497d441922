/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an image file; image_write_file (image.h) writes it. */
#ifndef WARPSTEP_IMAGE_ELF_H
#define WARPSTEP_IMAGE_ELF_H

#include "elf_reader.h"
#include "image.h"

/* 1 for an image of ours, 0 for another ELF file, -1 for an image of an unknown version. */
int image_elf_version(const struct elf_reader *r);

/* The chosen kernel of an image of ours into *img, which must be empty. */
enum status image_elf_read(const struct elf_reader *r, const struct image_choice *choice, struct image *img);

#endif
