/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files through libelf, shared by the image reader (image_elf.c) and the cubin reader (cubin_elf.c). */
#ifndef WARPSTEP_IMAGE_ELF_H
#define WARPSTEP_IMAGE_ELF_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>

#include "image.h"

#ifndef EM_CUDA
#define EM_CUDA 190
#endif

#define IMAGE_NOTE_NAME "Warpstep" /* with its NUL 9 bytes, padded to 12 in the note */
enum { IMAGE_NOTE_TYPE = 1, IMAGE_VERSION = 1, IMAGE_LAUNCH_WORDS = 9 };

struct elf_reader {
    const char *path;
    struct diag *diag;
    const uint8_t *file;
    size_t file_size;
    Elf *elf;
    size_t names; /* index of the section of section names */
};

struct elf_section {
    const char *name;
    size_t index;
    const Elf32_Shdr *header;
    const uint8_t *bytes; /* NULL when it has none in the file */
    size_t size;
    bool damaged; /* it claims bytes beyond the end of the file */
};

/* text is only read, but libelf wants it writable. */
bool elf_reader_open(struct elf_reader *r, const char *path, char *text, size_t size, struct diag *d);

/* Walks the sections, starting with *scn NULL; false at the end. */
bool elf_reader_next(const struct elf_reader *r, Elf_Scn **scn, struct elf_section *s);

/* A cubin of nvcc 3 and later into *img. Source: ISA text 11.5. */
enum status cubin_from_elf(const struct elf_reader *r, const char *kernel, struct image *img);

#endif
