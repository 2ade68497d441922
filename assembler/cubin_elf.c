/* SPDX-License-Identifier: Apache-2.0 */
/* Cubins of nvcc 3 and later, as far as they are documented: code, constant banks, sizes of shared and local memory.
 * Where an sm_1x cubin keeps its register count is not known, so the highest register that the code touches decides. */
#include <stdlib.h>
#include <string.h>

#include "image_elf.h"

static const char TEXT[] = ".text.", CONSTANT[] = ".nv.constant", SHARED[] = ".nv.shared.", LOCAL[] = ".nv.local.";

static enum status fail(const struct elf_reader *r, enum status status, const char *text) {
    return diag_set(r->diag, status, r->path, 0, 0, "%s", status == STATUS_NO_MEMORY ? "out of memory" : text);
}

static bool is_text(const struct elf_section *s) { return strncmp(s->name, TEXT, sizeof TEXT - 1) == 0; }

/* The only kernel, or the one called `kernel`. */
static enum status choose(const struct elf_reader *r, const char *kernel, struct elf_section *chosen) {
    struct elf_section s;
    size_t count = 0;
    char names[200] = "";
    for (Elf_Scn *scn = NULL; elf_reader_next(r, &scn, &s);) {
        if (!is_text(&s)) continue;
        const char *name = s.name + sizeof TEXT - 1;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%.100s", used > 0 ? ", " : "", name);
        if (kernel != NULL && strcmp(name, kernel) != 0) continue;
        *chosen = s;
        count++;
    }
    if (count == 1) return STATUS_OK;
    if (names[0] == '\0') return fail(r, STATUS_BAD_INPUT, "ELF file has no kernel");
    return diag_set(r->diag, STATUS_BAD_INPUT, r->path, 0, 0,
                    count == 0 ? "there is no such kernel; the file has %s"
                               : "file has several kernels (%s); choose one with --kernel",
                    names);
}

/* ".nv.constantN" is the file's, ".nv.constantN.NAME" the kernel's. */
static enum status read_constant(const struct elf_reader *r, const struct elf_section *s, const char *name,
                                 struct image *img) {
    char *rest;
    unsigned long bank = strtoul(s->name + sizeof CONSTANT - 1, &rest, 10);
    if (*rest == '.' && strcmp(rest + 1, name) != 0) return STATUS_OK;
    if (bank >= IMAGE_CONST_BANKS || (*rest != '.' && *rest != '\0') || s->size > 65536 || s->damaged)
        return diag_set(r->diag, STATUS_BAD_INPUT, r->path, 0, 0, "section %s is damaged", s->name);
    if (image_set_const(img, (unsigned)bank, 0, s->bytes, s->size) == STATUS_OK) return STATUS_OK;
    return fail(r, STATUS_NO_MEMORY, "");
}

static enum status read_other(const struct elf_reader *r, const struct elf_section *s, const char *name,
                              struct image *img) {
    if (strncmp(s->name, CONSTANT, sizeof CONSTANT - 1) == 0) return read_constant(r, s, name, img);
    if (strncmp(s->name, SHARED, sizeof SHARED - 1) == 0 && strcmp(s->name + sizeof SHARED - 1, name) == 0)
        img->shared_bytes = s->header->sh_size;
    if (strncmp(s->name, LOCAL, sizeof LOCAL - 1) == 0 && strcmp(s->name + sizeof LOCAL - 1, name) == 0)
        img->local_bytes = s->header->sh_size;
    return STATUS_OK;
}

enum status cubin_from_elf(const struct elf_reader *r, const char *kernel, struct image *img) {
    struct elf_section code = {0}, s;
    enum status status = choose(r, kernel, &code);
    if (status != STATUS_OK || code.name == NULL) return status;
    const char *name = code.name + sizeof TEXT - 1;
    if (code.damaged || code.size % 4 != 0)
        return diag_set(r->diag, STATUS_BAD_INPUT, r->path, 0, 0, "section %s is damaged", code.name);
    if (image_set_name(img, name, strlen(name)) != STATUS_OK) return fail(r, STATUS_NO_MEMORY, "");
    for (size_t i = 0; i < code.size; i += 4) {
        const uint8_t *p = code.bytes + i;
        uint32_t word = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        if (image_add_code(img, word) != STATUS_OK) return fail(r, STATUS_NO_MEMORY, "");
    }
    for (Elf_Scn *scn = NULL; elf_reader_next(r, &scn, &s);) {
        status = read_other(r, &s, name, img);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}
