/* SPDX-License-Identifier: Apache-2.0 */
/* Cubins of nvcc 3 and later. Sections, after docs/inputs.md; N is a bank, NAME the kernel:
 *
 *     .text.NAME                            code; registers in bits 31..24 of sh_info, barriers in bits 26..20 of
 *                                           sh_flags, as on sm_20; if they are 0 the code decides
 *     .nv.constantN, .nv.constantN.NAME     constants of the file, and of the kernel on top of them
 *     .nv.shared.NAME, .nv.local.NAME       only their sizes count
 *     .nv.global, .nv.global.init           variables, see cubin_link.c
 *     .nv.info, .nv.info.NAME               attributes, see cubin_info.c
 */
#include "cubin_elf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../spec/memory.h"
#include "../image/kernel_choice.h"
#include "../isa/isa.h"
#include "cubin.h"

enum {
    PARAMS_BYTES_MAX = 256, /* of a kernel of sm_1x */
    SHARED_BYTES = 16384,   /* of an sm */
    STO_ENTRY = 0x10,       /* st_other of a kernel; other functions lack it */
    SECTIONS_MAX = 8192,
};

static const char TEXT[] = ".text.";

static bool is_text(const struct elf_section *s) { return strncmp(s->name, TEXT, sizeof TEXT - 1) == 0; }

/* choice of the kernel */

static void find_entries(struct cubin_elf *c) {
    GElf_Sym symbol;
    const char *name;
    for (size_t i = 0; elf_reader_symbol(c->reader, i, &symbol, &name); i++) {
        if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || (symbol.st_other & STO_ENTRY) == 0) continue;
        c->has_entries = true;
        if (symbol.st_shndx < c->section_count) c->section[symbol.st_shndx].is_entry = true;
    }
}

/* The kernel to read. A function that is no kernel is a subroutine, or can be chosen by name. */
static enum status choose(const struct cubin_elf *c, const struct image_choice *choice, struct elf_section *chosen) {
    const struct elf_reader *r = c->reader;
    struct kernel_choice k = {.by = choice};
    struct elf_section s;
    for (Elf_Scn *scn = NULL; elf_reader_next(r, &scn, &s);) {
        if (!is_text(&s)) continue;
        const char *name = s.name + sizeof TEXT - 1;
        const bool by_name = choice->kernel != NULL && strcmp(name, choice->kernel) == 0;
        if (c->has_entries && !c->section[s.index].is_entry && !by_name) continue;
        if (kernel_choice_offer(&k, name)) *chosen = s;
    }
    c->img->kernels = k.count;
    return kernel_choice_finish(&k, r->path, r->diag);
}

/* The low byte of the flags is the architecture, 10 for sm_10; old or foreign tools leave it 0. */
static enum status check_arch(const struct elf_reader *r, struct image *img) {
    const unsigned arch = r->flags & 0xff;
    if (arch != 0 && (arch < 10 || arch > 13))
        return diag_set(r->diag, STATUS_BAD_INPUT, r->path, 0, 0,
                        "cubin is for sm_%u; only sm_10, sm_11, sm_12 and sm_13 can be read", arch);
    img->arch = arch;
    return STATUS_OK;
}

/* ---- sections ---- */

static enum status read_code(struct cubin_elf *c, const struct elf_section *s) {
    if (s->damaged || s->bytes == NULL || s->size % 4 != 0 || !image_is_name(c->name, strlen(c->name)))
        return elf_damaged(c->reader, s->name);
    if (s->size == 0)
        return diag_set(c->reader->diag, STATUS_BAD_INPUT, c->reader->path, 0, 0, "kernel '%.60s' has no code",
                        c->name);
    if (image_set_name(c->img, c->name, strlen(c->name)) != STATUS_OK) return elf_no_memory(c->reader);
    for (size_t i = 0; i < s->size; i += 4)
        if (image_add_code(c->img, word_at(s->bytes + i)) != STATUS_OK) return elf_no_memory(c->reader);
    const unsigned regs = s->info >> 24, barriers = (unsigned)(s->flags >> 20) & 0x7f;
    if (regs <= ISA_REGS) c->img->regs = regs;
    if (barriers != 0 && image_add_note(c->img, "barriers: %u", barriers) != STATUS_OK) return elf_no_memory(c->reader);
    return STATUS_OK;
}

/* Constant sections: those of the file (own false), or those of the kernel. */
static enum status read_constant(const struct cubin_elf *c, const struct elf_section *s, bool own) {
    static const char prefix[] = ".nv.constant";
    const char *at = s->name + sizeof prefix - 1;
    unsigned bank = 0, digits = 0;
    if (strncmp(s->name, prefix, sizeof prefix - 1) != 0) return STATUS_OK;
    for (; *at >= '0' && *at <= '9' && digits < 3; at++, digits++) bank = bank * 10 + (unsigned)(*at - '0');
    if (own ? *at != '.' || strcmp(at + 1, c->name) != 0 : *at == '.') return STATUS_OK;
    if (digits == 0 || bank >= IMAGE_CONST_BANKS || (!own && *at != '\0') || s->damaged || s->size > IMAGE_BANK_BYTES)
        return elf_damaged(c->reader, s->name);
    static const uint8_t zeros[IMAGE_BANK_BYTES];
    const uint8_t *bytes = s->bytes != NULL ? s->bytes : zeros;
    if (image_set_const(c->img, bank, 0, bytes, (size_t)s->size) != STATUS_OK) return elf_no_memory(c->reader);
    return STATUS_OK;
}

static enum status read_sections(struct cubin_elf *c) {
    struct elf_section s;
    for (Elf_Scn *scn = NULL; elf_reader_next(c->reader, &scn, &s);) {
        enum status status = read_constant(c, &s, false);
        if (status != STATUS_OK) return status;
    }
    for (Elf_Scn *scn = NULL; elf_reader_next(c->reader, &scn, &s);) {
        enum status status = read_constant(c, &s, true);
        const bool shared = cubin_section_is_ours(c, s.name, ".nv.shared.");
        const bool local = cubin_section_is_ours(c, s.name, ".nv.local.");
        if ((shared || local) && s.size > UINT32_MAX / 4) status = elf_damaged(c->reader, s.name);
        if (status != STATUS_OK) return status;
        if (shared) c->statics = (uint32_t)s.size;
        if (shared && s.align <= 256) c->statics_align = (uint32_t)s.align;
        if (local && c->img->local_bytes < s.size) c->img->local_bytes = (unsigned)s.size;
    }
    return STATUS_OK;
}

/* Shared memory of a block: header, parameters, the kernel's own variables. If no attribute gives the size of the
 * parameters, there is room for the maximum of a kernel, but the block still fits the machine if it can. */
static void set_shared(struct cubin_elf *c) {
    const uint32_t align = c->statics_align > 1 ? c->statics_align : 4;
    if (c->statics == 0 && !c->params_known) return;
    uint32_t before = HEADER_BYTES + (c->params_known ? c->param_bytes : PARAMS_BYTES_MAX);
    if (c->statics > 0) before = (before + align - 1) / align * align;
    c->img->shared_bytes = before + c->statics;
    const bool too_large = c->img->shared_bytes > SHARED_BYTES && !c->params_known;
    if (too_large) c->img->shared_bytes = c->statics > SHARED_BYTES ? c->statics : SHARED_BYTES;
}

static enum status read_kernel(struct cubin_elf *c, const struct elf_section *code) {
    enum status status = read_code(c, code);
    if (status == STATUS_OK) status = read_sections(c);
    if (status == STATUS_OK) status = cubin_read_info(c);
    if (status == STATUS_OK) status = cubin_link(c);
    if (status != STATUS_OK) return status;
    set_shared(c);
    const unsigned used = image_regs_used(c->img);
    if (c->img->regs != 0 && c->img->regs < used) c->img->regs = used;
    return STATUS_OK;
}

static enum status choose_and_read(struct cubin_elf *c, const struct image_choice *choice) {
    struct elf_section code = {.name = ""};
    find_entries(c);
    const enum status status = choose(c, choice, &code);
    if (status != STATUS_OK) return status;
    c->name = code.name + sizeof TEXT - 1;
    c->code = code.index;
    return read_kernel(c, &code);
}

enum status cubin_from_elf(const struct elf_reader *r, const struct image_choice *choice, struct image *img) {
    struct cubin_elf c = {.reader = r, .img = img, .name = "", .base = choice->variables};
    const enum status status = check_arch(r, img);
    if (status != STATUS_OK) return status;
    if (elf_getshdrnum(r->elf, &c.section_count) != 0 || c.section_count > SECTIONS_MAX)
        return diag_set(r->diag, STATUS_BAD_INPUT, r->path, 0, 0, "ELF file has more than %d sections", SECTIONS_MAX);
    c.section = calloc(c.section_count + 1, sizeof *c.section);
    if (c.section == NULL) return elf_no_memory(r);
    const enum status result = choose_and_read(&c, choice);
    free(c.section);
    return result;
}
