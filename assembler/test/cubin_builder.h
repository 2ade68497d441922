/* SPDX-License-Identifier: Apache-2.0 */
/* Writes ELF cubins in the layout of nvcc 3 and later (docs/inputs.md), of either class, through libelf: input for
 * tests of the cubin reader, because no nvcc is available.
 *
 *     struct cubin_builder *b = cubin_builder_create(ELFCLASS32, 10);
 *     size_t code = cubin_builder_section(b, ".text.k", SHT_PROGBITS, words, size);
 *     b->section[code].info = 5u << 24;                               // five registers
 *     size_t k = cubin_builder_symbol(b, "k", STT_FUNC, 0x10, code, 0, size);
 *     cubin_builder_write(b, path);                                   // also frees it
 */
#ifndef WARPSTEP_CUBIN_BUILDER_H
#define WARPSTEP_CUBIN_BUILDER_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BUILDER_SECTIONS = 32, BUILDER_SYMBOLS = 32, BUILDER_RELOCATIONS = 16, BUILDER_NAMES = 4096 };

struct builder_section {
    size_t name; /* in names */
    uint32_t type, info, link;
    uint64_t flags, align;
    uint8_t *bytes; /* NULL for SHT_NOBITS */
    size_t size;
};

struct cubin_builder {
    int elf_class;
    bool big_endian;
    uint32_t arch;
    struct builder_section section[BUILDER_SECTIONS]; /* from 1 on, as in the file */
    size_t section_count;
    char names[BUILDER_NAMES]; /* of sections and symbols */
    size_t names_size;
    GElf_Sym symbol[BUILDER_SYMBOLS];
    size_t symbol_count;
};

struct cubin_builder *cubin_builder_create(int elf_class, unsigned arch);

/* Bytes are copied; NULL with a size for SHT_NOBITS. Returns the section's index. */
size_t cubin_builder_section(struct cubin_builder *b, const char *name, uint32_t type, const void *bytes, size_t size);

/* Returns the symbol's index. */
size_t cubin_builder_symbol(struct cubin_builder *b, const char *name, unsigned type, unsigned other, size_t section,
                            uint64_t value, uint64_t size);

/* A section of one relocation: SHT_REL, or SHT_RELA with an addend. */
void cubin_builder_relocation(struct cubin_builder *b, const char *name, uint32_t table, uint64_t offset, unsigned type,
                              size_t symbol, int64_t addend);

/* Appends a record to bytes of attributes (.nv.info): format 4 with its values. Returns the new size. */
size_t cubin_builder_attribute(uint8_t *bytes, size_t size, unsigned id, const uint32_t *values, size_t count);

/* Writes the file and frees the builder; returns 0, or -1 if libelf refuses. */
int cubin_builder_write(struct cubin_builder *b, const char *path);

#endif
