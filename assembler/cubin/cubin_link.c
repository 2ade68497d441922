/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of an ELF cubin and their addresses. The sections .nv.global.init and .nv.global (and any with such a
 * prefix) are placed in global memory one after the other, from the chosen address on; the relocations of
 * .rel.nv.constantN (and .rela) then add addresses to the words that they name. A relocation's symbol lies at its value
 * in its section; types 2 and 4 are 64 bits wide, 0 is none, all others 32. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cubin_elf.h"

enum { ALIGN_MIN = 4, ALIGN_MAX = 4096, VARIABLES_MAX = 1 << 24 };
enum { RELOC_NONE = 0, RELOC_64 = 2, RELOC_GLOBAL_64 = 4 };

struct relocation {
    uint64_t offset, type, symbol;
    bool has_addend;
    uint64_t addend; /* modulo 2^64: it may be negative */
};

static bool is_variables(const struct elf_section *s) {
    static const char prefix[] = ".nv.global";
    const size_t n = sizeof prefix - 1;
    return strncmp(s->name, prefix, n) == 0 && (s->name[n] == '\0' || s->name[n] == '.');
}

/* The address of the variable section with that index; false if it is none. */
static bool section_address(const struct cubin_elf *c, size_t index, uint64_t *address) {
    if (index >= c->section_count || !c->section[index].is_placed) return false;
    *address = c->section[index].address;
    return true;
}

/* Places a section of variables at the first suitable address from *next on; *next becomes the address after it. */
static enum status place(const struct cubin_elf *c, const struct elf_section *s, uint64_t *next) {
    const uint64_t align = s->align > ALIGN_MIN && s->align <= ALIGN_MAX ? s->align : ALIGN_MIN;
    const uint64_t address = (*next + align - 1) / align * align;
    if (s->damaged || s->size > VARIABLES_MAX || address + s->size > c->base + (uint64_t)VARIABLES_MAX ||
        address + s->size > UINT32_MAX)
        return diag_set(c->reader->diag, STATUS_BAD_INPUT, c->reader->path, 0, 0,
                        "section %.60s is damaged, or its variables take more than %d bytes", s->name, VARIABLES_MAX);
    c->section[s->index] = (struct cubin_section){.is_placed = true, .address = address};
    *next = address + s->size;
    if (s->size == 0) return STATUS_OK;
    uint8_t *zeros = s->bytes == NULL ? calloc((size_t)s->size, 1) : NULL;
    const uint8_t *bytes = s->bytes != NULL ? s->bytes : zeros;
    const enum status status =
        bytes != NULL ? image_add_global(c->img, (uint32_t)address, bytes, (size_t)s->size) : STATUS_NO_MEMORY;
    free(zeros);
    return status == STATUS_OK ? STATUS_OK : elf_no_memory(c->reader);
}

static enum status place_variables(const struct cubin_elf *c) {
    struct elf_section s;
    uint64_t next = c->base;
    for (Elf_Scn *scn = NULL; elf_reader_next(c->reader, &scn, &s);) {
        const enum status status = is_variables(&s) ? place(c, &s, &next) : STATUS_OK;
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

/* Adds a variable under the name that options use. */
static bool add_variable(const struct cubin_elf *c, const char *name, uint64_t address, uint64_t size) {
    char *copy = strdup(name);
    const struct image_variable v = {copy, "b8", IMAGE_GLOBAL, (uint32_t)address, (uint32_t)size};
    const bool wanted = size > 0 && address + size <= UINT32_MAX && image_is_name(name, strlen(name));
    const bool good = copy != NULL && (!wanted || image_add_variable(c->img, &v) == STATUS_OK);
    free(copy);
    return good;
}

static enum status note_variables(const struct cubin_elf *c) {
    GElf_Sym symbol;
    const char *name;
    for (size_t i = 0; elf_reader_symbol(c->reader, i, &symbol, &name); i++) {
        uint64_t address;
        if (GELF_ST_TYPE(symbol.st_info) == STT_SECTION || *name == '\0') continue;
        if (!section_address(c, symbol.st_shndx, &address)) continue;
        if (image_add_note(c->img, "%.60s: global 0x%" PRIx64 ", %" PRIu64 " bytes", name, address + symbol.st_value,
                           (uint64_t)symbol.st_size) != STATUS_OK ||
            !add_variable(c, name, address + symbol.st_value, symbol.st_size))
            return elf_no_memory(c->reader);
    }
    return STATUS_OK;
}

/* ---- relocations ---- */

static enum status bad_relocation(const struct cubin_elf *c, const char *section, const char *why, const char *name) {
    return diag_set(c->reader->diag, STATUS_BAD_INPUT, c->reader->path, 0, 0, "section %.60s: %s%s%.60s%s", section,
                    why, *name != '\0' ? " '" : "", name, *name != '\0' ? "'" : "");
}

/* The address of a symbol: variables in global memory, constants in their bank, code in the kernel. */
static enum status symbol_address(const struct cubin_elf *c, const char *section, uint64_t index, uint64_t *address) {
    GElf_Sym symbol;
    const char *name;
    struct elf_section s;
    if (!elf_reader_symbol(c->reader, (size_t)index, &symbol, &name))
        return bad_relocation(c, section, "relocation against a symbol that does not exist", "");
    if (symbol.st_shndx == SHN_ABS || symbol.st_shndx == c->code) {
        *address = symbol.st_value;
        return STATUS_OK;
    }
    if (section_address(c, symbol.st_shndx, address)) {
        *address += symbol.st_value;
        return STATUS_OK;
    }
    if (elf_reader_at(c->reader, symbol.st_shndx, &s) && strncmp(s.name, ".nv.constant", 12) == 0) {
        *address = symbol.st_value;
        return STATUS_OK;
    }
    return bad_relocation(c, section, "relocation against a symbol without an address:", *name != '\0' ? name : "?");
}

/* Adds the address to the 32 (or 64) bits at the relocation's offset. */
static enum status apply(const struct cubin_elf *c, const char *section, const struct relocation *rel, uint8_t *bytes,
                         size_t size) {
    uint64_t address = 0, value = 0;
    const unsigned width = rel->type == RELOC_64 || rel->type == RELOC_GLOBAL_64 ? 8 : 4;
    if (rel->type == RELOC_NONE) return STATUS_OK;
    if (rel->offset > size || width > size - rel->offset)
        return bad_relocation(c, section, "relocation beyond the end of its section", "");
    const enum status status = symbol_address(c, section, rel->symbol, &address);
    if (status != STATUS_OK) return status;
    uint8_t *at = bytes + rel->offset;
    for (unsigned i = 0; i < width; i++) value |= (uint64_t)at[i] << 8 * i;
    value = (rel->has_addend ? rel->addend : value) + address;
    for (unsigned i = 0; i < width; i++) at[i] = (uint8_t)(value >> 8 * i);
    return STATUS_OK;
}

/* The bytes that relocations of section `target` change: a constant bank or a variable section. NULL: another
 * kernel's. */
static uint8_t *target_bytes(const struct cubin_elf *c, const struct elf_section *target, size_t *size) {
    static const char constant[] = ".nv.constant";
    uint64_t address;
    if (section_address(c, target->index, &address)) {
        for (size_t i = 0; i < c->img->global_count; i++) {
            if (c->img->global[i].addr != address) continue;
            *size = c->img->global[i].size;
            return c->img->global[i].bytes;
        }
        return NULL;
    }
    if (strncmp(target->name, constant, sizeof constant - 1) != 0) return NULL;
    unsigned bank = 0;
    const char *at = target->name + sizeof constant - 1;
    for (; *at >= '0' && *at <= '9' && bank < IMAGE_CONST_BANKS; at++) bank = bank * 10 + (unsigned)(*at - '0');
    const bool ours = *at == '\0' || (*at == '.' && strcmp(at + 1, c->name) == 0);
    if (!ours || bank >= IMAGE_CONST_BANKS) return NULL;
    *size = c->img->bank[bank].size;
    return c->img->bank[bank].bytes;
}

/* One entry of the table; false at its end. */
static bool read_relocation(Elf_Data *data, bool rela, size_t index, struct relocation *rel) {
    GElf_Rel without;
    GElf_Rela with;
    if (index > INT32_MAX) return false;
    if (rela) {
        if (gelf_getrela(data, (int)index, &with) == NULL) return false;
        *rel = (struct relocation){with.r_offset, GELF_R_TYPE(with.r_info), GELF_R_SYM(with.r_info), true,
                                   (uint64_t)with.r_addend};
    } else {
        if (gelf_getrel(data, (int)index, &without) == NULL) return false;
        *rel = (struct relocation){without.r_offset, GELF_R_TYPE(without.r_info), GELF_R_SYM(without.r_info), false, 0};
    }
    return true;
}

static enum status relocate(const struct cubin_elf *c, const struct elf_section *s) {
    const char *name = s->name + (s->type == SHT_RELA ? strlen(".rela") : strlen(".rel"));
    struct elf_section target;
    size_t size = 0;
    if (strncmp(s->name, s->type == SHT_RELA ? ".rela" : ".rel", (size_t)(name - s->name)) != 0 ||
        !elf_reader_find(c->reader, name, &target))
        return STATUS_OK;
    if (target.index == c->code) return bad_relocation(c, s->name, "relocations of code cannot be applied", "");
    uint8_t *bytes = target_bytes(c, &target, &size);
    if (bytes == NULL) return STATUS_OK;
    Elf_Data *data = elf_getdata(elf_getscn(c->reader->elf, s->index), NULL);
    if (s->damaged || data == NULL) return elf_damaged(c->reader, s->name);
    struct relocation rel;
    for (size_t i = 0; read_relocation(data, s->type == SHT_RELA, i, &rel); i++) {
        const enum status status = apply(c, s->name, &rel, bytes, size);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

enum status cubin_link(struct cubin_elf *c) {
    enum status status = place_variables(c);
    if (status == STATUS_OK) status = note_variables(c);
    struct elf_section s;
    for (Elf_Scn *scn = NULL; status == STATUS_OK && elf_reader_next(c->reader, &scn, &s);)
        if (s.type == SHT_REL || s.type == SHT_RELA) status = relocate(c, &s);
    return status;
}
