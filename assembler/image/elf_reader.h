/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files of either class through libelf, for the image reader (image_elf.c) and the cubin reader (cubin_elf.c).
 * Every offset and size in the file is checked against the file here, once.
 *
 *     struct elf_reader r; struct elf_section s;
 *     if (!elf_reader_open(&r, path, text, size, &d)) return STATUS_BAD_INPUT;
 *     for (Elf_Scn *scn = NULL; elf_reader_next(&r, &scn, &s);) ... s.name, s.bytes ...
 *     elf_reader_close(&r);
 */
#ifndef WARPSTEP_ELF_READER_H
#define WARPSTEP_ELF_READER_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/diag.h"
#include "../base/word_at.h"

#ifndef EM_CUDA
#define EM_CUDA 190
#endif

struct elf_reader {
    const char *path;
    struct diag *diag;
    const uint8_t *file;
    size_t file_size;
    Elf *elf;
    size_t names;        /* index of the section of section names */
    uint32_t flags;      /* e_flags */
    Elf_Data *symbols;   /* the symbol table, or NULL */
    size_t symbol_names; /* index of its string table */
};

struct elf_section {
    const char *name;
    size_t index;
    uint32_t type, info, link;
    uint64_t flags, align;
    uint64_t size;        /* size in the header; either all its bytes are available, or none */
    const uint8_t *bytes; /* NULL if the file has none (SHT_NOBITS) */
    bool damaged;         /* its bytes would extend beyond the end of the file */
};

/* Refuses everything but a little-endian ELF file for CUDA. text is only read, but libelf requires it writable. */
bool elf_reader_open(struct elf_reader *r, const char *path, char *text, size_t size, struct diag *d);
void elf_reader_close(struct elf_reader *r);

/* Walks the sections, starting with *scn NULL; false at the end. */
bool elf_reader_next(const struct elf_reader *r, Elf_Scn **scn, struct elf_section *s);

/* The section with that index or name, false if none exists. */
bool elf_reader_at(const struct elf_reader *r, size_t index, struct elf_section *s);
bool elf_reader_find(const struct elf_reader *r, const char *name, struct elf_section *s);

/* A symbol by its index; false if none exists. Its name may be empty. */
bool elf_reader_symbol(const struct elf_reader *r, size_t index, GElf_Sym *symbol, const char **name);

/* Fill the diag: "section NAME is damaged", "out of memory". */
enum status elf_damaged(const struct elf_reader *r, const char *section);
enum status elf_no_memory(const struct elf_reader *r);

/* True if the last error of libelf was out of memory. */
bool elf_is_out_of_memory(void);

#endif
