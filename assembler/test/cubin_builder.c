/* SPDX-License-Identifier: Apache-2.0 */
/* ELF cubins for tests, see cubin_builder.h. */
#include "cubin_builder.h"

#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t add_name(struct cubin_builder *b, const char *name) {
    const size_t at = b->names_size, length = strlen(name) + 1;
    if (length > BUILDER_NAMES - at) abort();
    memcpy(b->names + at, name, length);
    b->names_size += length;
    return at;
}

struct cubin_builder *cubin_builder_create(int elf_class, unsigned arch) {
    struct cubin_builder *b = calloc(1, sizeof *b);
    if (b == NULL) abort();
    b->elf_class = elf_class;
    b->arch = arch;
    b->symbol_count = 1;
    add_name(b, "");
    return b;
}

size_t cubin_builder_section(struct cubin_builder *b, const char *name, uint32_t type, const void *bytes, size_t size) {
    if (b->section_count + 1 >= BUILDER_SECTIONS) abort();
    struct builder_section *s = &b->section[++b->section_count];
    *s = (struct builder_section){.name = add_name(b, name), .type = type, .align = 4, .size = size};
    if (bytes == NULL) return b->section_count;
    s->bytes = malloc(size + 1);
    if (s->bytes == NULL) abort();
    memcpy(s->bytes, bytes, size);
    return b->section_count;
}

size_t cubin_builder_symbol(struct cubin_builder *b, const char *name, unsigned type, unsigned other, size_t section,
                            uint64_t value, uint64_t size) {
    if (b->symbol_count == BUILDER_SYMBOLS) abort();
    b->symbol[b->symbol_count] = (GElf_Sym){.st_name = (GElf_Word)add_name(b, name),
                                            .st_info = (unsigned char)GELF_ST_INFO(STB_GLOBAL, type),
                                            .st_other = (unsigned char)other,
                                            .st_shndx = (GElf_Section)section,
                                            .st_value = value,
                                            .st_size = size};
    return b->symbol_count++;
}

/* Relocations and symbols are stored in the layout of the class; both machines are little-endian. */
void cubin_builder_relocation(struct cubin_builder *b, const char *name, uint32_t table, uint64_t offset, unsigned type,
                              size_t symbol, int64_t addend) {
    const Elf64_Rela wide = {offset, ELF64_R_INFO((uint64_t)symbol, type), addend};
    const Elf32_Rela narrow = {(Elf32_Addr)offset, (Elf32_Word)ELF32_R_INFO((uint32_t)symbol, type),
                               (Elf32_Sword)addend};
    const bool is_wide = b->elf_class == ELFCLASS64;
    const size_t addend_size = table == SHT_RELA ? 0 : is_wide ? sizeof wide.r_addend : sizeof narrow.r_addend;
    const size_t size = (is_wide ? sizeof wide : sizeof narrow) - addend_size;
    cubin_builder_section(b, name, table, is_wide ? (const void *)&wide : (const void *)&narrow, size);
}

size_t cubin_builder_attribute(uint8_t *bytes, size_t size, unsigned id, const uint32_t *values, size_t count) {
    const uint8_t head[4] = {4, (uint8_t)id, (uint8_t)(4 * count), (uint8_t)(4 * count >> 8)};
    memcpy(bytes + size, head, sizeof head);
    for (size_t i = 0; i < 4 * count; i++) bytes[size + 4 + i] = (uint8_t)(values[i / 4] >> 8 * (i % 4));
    return size + 4 + 4 * count;
}

/* ---- the file ---- */

static void add_data(Elf *elf, const struct builder_section *s, Elf_Type type, void *bytes) {
    Elf_Scn *scn = elf_newscn(elf);
    GElf_Shdr header;
    Elf_Data *data = elf_newdata(scn);
    if (data == NULL || gelf_getshdr(scn, &header) == NULL) abort();
    header.sh_name = (GElf_Word)s->name;
    header.sh_type = s->type;
    header.sh_flags = s->flags;
    header.sh_addralign = s->align;
    header.sh_info = s->info;
    header.sh_link = s->link;
    if (type == ELF_T_SYM) header.sh_entsize = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
    if (type == ELF_T_REL) header.sh_entsize = gelf_fsize(elf, ELF_T_REL, 1, EV_CURRENT);
    if (type == ELF_T_RELA) header.sh_entsize = gelf_fsize(elf, ELF_T_RELA, 1, EV_CURRENT);
    *data = (Elf_Data){.d_buf = bytes, .d_type = type, .d_size = s->size, .d_align = s->align, .d_version = EV_CURRENT};
    gelf_update_shdr(scn, &header);
}

/* The symbol table in the layout of the class. */
static void *pack_symbols(const struct cubin_builder *b, size_t *size) {
    const size_t each = b->elf_class == ELFCLASS64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    uint8_t *packed = calloc(b->symbol_count, each);
    if (packed == NULL) abort();
    for (size_t i = 0; i < b->symbol_count; i++) {
        const GElf_Sym *s = &b->symbol[i];
        const Elf32_Sym narrow = {s->st_name, (Elf32_Addr)s->st_value, (Elf32_Word)s->st_size, s->st_info, s->st_other,
                                  s->st_shndx};
        memcpy(packed + i * each, b->elf_class == ELFCLASS64 ? (const void *)s : (const void *)&narrow, each);
    }
    *size = b->symbol_count * each;
    return packed;
}

/* The symbols and the names follow the builder's sections. */
static void add_sections(struct cubin_builder *b, Elf *elf, void *symbols, size_t symbols_size) {
    const uint32_t symtab = (uint32_t)b->section_count + 1, strtab = symtab + 1;
    const struct builder_section table = {.name = add_name(b, ".symtab"),
                                          .type = SHT_SYMTAB,
                                          .link = strtab,
                                          .info = 1,
                                          .align = 8,
                                          .size = symbols_size};
    struct builder_section names = {.name = add_name(b, ".shstrtab"), .type = SHT_STRTAB, .align = 1};
    names.size = b->names_size;
    for (size_t i = 1; i <= b->section_count; i++) {
        struct builder_section *s = &b->section[i];
        const bool rel = s->type == SHT_REL || s->type == SHT_RELA;
        if (rel) s->link = symtab;
        add_data(elf, s, s->type == SHT_REL ? ELF_T_REL : rel ? ELF_T_RELA : ELF_T_BYTE, s->bytes);
    }
    add_data(elf, &table, ELF_T_SYM, symbols);
    add_data(elf, &names, ELF_T_BYTE, b->names);
}

static void fill_header(const struct cubin_builder *b, Elf *elf) {
    GElf_Ehdr header;
    if (gelf_newehdr(elf, b->elf_class) == NULL || gelf_getehdr(elf, &header) == NULL) abort();
    header.e_ident[EI_DATA] = b->big_endian ? ELFDATA2MSB : ELFDATA2LSB;
    header.e_type = ET_EXEC;
    header.e_machine = 190;
    header.e_version = EV_CURRENT;
    header.e_flags = b->arch | b->arch << 16;
    header.e_shstrndx = (GElf_Half)(b->section_count + 2);
    gelf_update_ehdr(elf, &header);
}

int cubin_builder_write(struct cubin_builder *b, const char *path) {
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
    size_t size = 0;
    void *symbols = pack_symbols(b, &size);
    if (fd < 0 || elf == NULL) abort();
    fill_header(b, elf);
    add_sections(b, elf, symbols, size);
    const int result = elf_update(elf, ELF_C_WRITE) > 0 ? 0 : -1;
    elf_end(elf);
    close(fd);
    free(symbols);
    for (size_t i = 1; i <= b->section_count; i++) free(b->section[i].bytes);
    free(b);
    return result;
}
