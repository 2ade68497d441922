/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files, see elf_reader.h. */
#include "elf_reader.h"

#include <string.h>

enum status elf_damaged(const struct elf_reader *r, const char *section) {
    return diag_set(r->diag, STATUS_BAD_INPUT, r->path, 0, 0, "section %.100s is damaged", section);
}

enum status elf_no_memory(const struct elf_reader *r) {
    return diag_set(r->diag, STATUS_NO_MEMORY, r->path, 0, 0, "out of memory");
}

/* libelf has no error codes, but its texts are fixed */
bool elf_is_out_of_memory(void) {
    const char *error = elf_errmsg(-1);
    return error != NULL && strcmp(error, "out of memory") == 0;
}

static void find_symbols(struct elf_reader *r) {
    GElf_Shdr header;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(r->elf, scn)) != NULL;) {
        if (gelf_getshdr(scn, &header) == NULL || header.sh_type != SHT_SYMTAB) continue;
        r->symbols = elf_getdata(scn, NULL); /* libelf checks its size against the file */
        r->symbol_names = header.sh_link;
        return;
    }
}

bool elf_reader_symbol(const struct elf_reader *r, size_t index, GElf_Sym *symbol, const char **name) {
    if (r->symbols == NULL || index > INT32_MAX || gelf_getsym(r->symbols, (int)index, symbol) == NULL) return false;
    const char *text = elf_strptr(r->elf, r->symbol_names, symbol->st_name);
    *name = text != NULL ? text : "";
    return true;
}

/* True if the table of sections is complete. Otherwise libelf finds no sections and reports no error. Linkers write the
 * table last, so that it is missing from a truncated file. */
static bool is_whole(const struct elf_reader *r, const GElf_Ehdr *header) {
    const uint64_t bytes = (uint64_t)header->e_shnum * header->e_shentsize;
    return header->e_shoff <= r->file_size && bytes <= r->file_size - header->e_shoff;
}

bool elf_reader_open(struct elf_reader *r, const char *path, char *text, size_t size, struct diag *d) {
    *r = (struct elf_reader){.path = path, .diag = d, .file = (const uint8_t *)text, .file_size = size};
    GElf_Ehdr header;
    elf_version(EV_CURRENT);
    elf_errno(); /* clears an earlier error */
    r->elf = elf_memory(text, size);
    const bool read = r->elf != NULL && elf_kind(r->elf) == ELF_K_ELF && gelf_getehdr(r->elf, &header) != NULL;
    const bool cut = read && header.e_machine == EM_CUDA && !is_whole(r, &header);
    if (read && !cut && header.e_machine == EM_CUDA && header.e_ident[EI_DATA] == ELFDATA2LSB &&
        elf_getshdrstrndx(r->elf, &r->names) == 0) {
        r->flags = header.e_flags;
        find_symbols(r);
        return true;
    }
    if (elf_is_out_of_memory())
        elf_no_memory(r);
    else if (cut)
        diag_set(d, STATUS_BAD_INPUT, path, 0, 0,
                 "ELF file is cut off: its table of sections is not within its %zu bytes", size);
    else
        diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "%s",
                 read && header.e_machine != EM_CUDA ? "ELF file is not for CUDA" : "ELF file is damaged");
    elf_end(r->elf);
    return false;
}

void elf_reader_close(struct elf_reader *r) {
    elf_end(r->elf);
    r->elf = NULL;
}

static bool describe(const struct elf_reader *r, Elf_Scn *scn, struct elf_section *s) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(scn, &header) != NULL ? elf_strptr(r->elf, r->names, header.sh_name) : NULL;
    if (name == NULL) return false;
    *s = (struct elf_section){.name = name,
                              .index = elf_ndxscn(scn),
                              .type = header.sh_type,
                              .info = header.sh_info,
                              .link = header.sh_link,
                              .flags = header.sh_flags,
                              .align = header.sh_addralign,
                              .size = header.sh_size};
    if (header.sh_type == SHT_NOBITS) return true;
    if (header.sh_offset > r->file_size || header.sh_size > r->file_size - header.sh_offset) {
        s->damaged = true;
        s->size = 0;
    } else {
        s->bytes = r->file + header.sh_offset;
    }
    return true;
}

bool elf_reader_next(const struct elf_reader *r, Elf_Scn **scn, struct elf_section *s) {
    while ((*scn = elf_nextscn(r->elf, *scn)) != NULL)
        if (describe(r, *scn, s)) return true;
    return false;
}

bool elf_reader_at(const struct elf_reader *r, size_t index, struct elf_section *s) {
    Elf_Scn *scn = index != 0 ? elf_getscn(r->elf, index) : NULL;
    return scn != NULL && describe(r, scn, s);
}

bool elf_reader_find(const struct elf_reader *r, const char *name, struct elf_section *s) {
    for (Elf_Scn *scn = NULL; elf_reader_next(r, &scn, s);)
        if (strcmp(s->name, name) == 0) return true;
    return false;
}
