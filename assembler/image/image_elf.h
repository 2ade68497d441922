/* SPDX-License-Identifier: Apache-2.0 */
/* What the image reader and writer (image_elf.c) agree on, and the reader of nvcc's cubins, which takes any other ELF
 * file. */
#ifndef WARPSTEP_IMAGE_ELF_H
#define WARPSTEP_IMAGE_ELF_H

#include "elf_reader.h"
#include "image.h"

#define IMAGE_NOTE_NAME "Warpstep" /* with its NUL 9 bytes, padded to 12 in the note */
enum { IMAGE_NOTE_TYPE = 1, IMAGE_VERSION = 1, IMAGE_LAUNCH_WORDS = 9 };

/* A cubin of nvcc 3 and later into *img, which is empty. Source: docs/inputs.md. */
enum status cubin_from_elf(const struct elf_reader *r, const struct image_choice *choice, struct image *img);

#endif
