/* SPDX-License-Identifier: Apache-2.0 */
/* The image file: an ELF object for EM_CUDA. Sections, all numbers little-endian:
 *
 *     .note.warpstep           "Warpstep", type 1: a 32-bit version of this layout
 *     .text.NAME               code; this section and the following ones exist for each kernel
 *     .nv.constantN.NAME       constant bank N
 *     .warpstep.launch         regs, shared, local, grid x y, block x y z, arch: 32 bits each
 *     .warpstep.param          parameter words
 *     .warpstep.global         pieces: address, size, bytes (padded to 4)
 *     .warpstep.expect         likewise
 *     .warpstep.lines          pc, line, file: 32 bits each
 *     .warpstep.files          names, each with its NUL
 *     .warpstep.linkage        the kernel's name for linkers, if different
 *     .warpstep.signature      of a compiled kernel: for each parameter size, align, offset, space, 8 bytes of type
 *     .warpstep.variables      of its file: address, size, space, 8 bytes of type, the name with its NUL, padded to 4
 */
#include "image_elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../base/grow.h"
#include "../base/outfile.h"
#include "kernel_choice.h"

/* A growing array of bytes. */
struct bytes {
    uint8_t *data;
    size_t size, capacity;
    bool failed;
};

static void put_bytes(struct bytes *b, const void *data, size_t size) {
    if (b->failed) return;
    if (b->size + size > b->capacity) {
        size_t capacity = (b->size + size) * 2;
        uint8_t *grown = realloc(b->data, capacity);
        if (grown == NULL) {
            b->failed = true;
            return;
        }
        b->data = grown;
        b->capacity = capacity;
    }
    if (size > 0) memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void put_word(struct bytes *b, uint32_t v) {
    uint8_t le[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
    put_bytes(b, le, sizeof le);
}

static void put_words(struct bytes *b, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) put_word(b, words[i]);
}

static void put_pieces(struct bytes *b, const struct image_piece *pieces, size_t count) {
    static const uint8_t zero[4] = {0};
    for (size_t i = 0; i < count; i++) {
        put_word(b, pieces[i].addr);
        put_word(b, (uint32_t)pieces[i].size);
        put_bytes(b, pieces[i].bytes, pieces[i].size);
        put_bytes(b, zero, (4 - pieces[i].size % 4) % 4);
    }
}

#define TEXT            ".text."
#define IMAGE_NOTE_NAME "Warpstep" /* 9 bytes with its NUL, padded to 12 in the note */
enum { IMAGE_NOTE_TYPE = 1, IMAGE_VERSION = 1, IMAGE_LAUNCH_WORDS = 9, PARAMETER_WORDS = 4, VARIABLE_WORDS = 3 };

/* ---- writing ---- */

struct writer {
    Elf *elf;
    struct bytes names;    /* section names */
    struct bytes *content; /* kept until the file is written */
    size_t count, capacity;
    bool failed;
};

/* Out of memory, elf_newscn of elfutils 0.188 returns a section without a header, and elf32_getshdr crashes. */
static Elf_Scn *new_section(struct writer *w) {
    struct bytes *grown = w->failed ? NULL : grow_array(w->content, w->count, &w->capacity, sizeof *grown);
    if (grown == NULL) return NULL;
    w->content = grown;
    elf_errno(); /* clears an earlier error */
    Elf_Scn *section = elf_newscn(w->elf);
    return elf_errno() == 0 ? section : NULL;
}

/* `name` is an offset in w->names; takes ownership of the content. */
static void add_named(struct writer *w, size_t name, uint32_t type, uint32_t flags, struct bytes content) {
    Elf_Scn *section = new_section(w);
    Elf32_Shdr *header = section != NULL ? elf32_getshdr(section) : NULL;
    Elf_Data *data = section != NULL ? elf_newdata(section) : NULL;
    if (header == NULL || data == NULL || content.failed) {
        free(content.data);
        w->failed = true;
        return;
    }
    w->content[w->count++] = content;
    header->sh_name = (Elf32_Word)name;
    header->sh_type = type;
    header->sh_flags = flags;
    header->sh_addralign = 4;
    data->d_buf = content.data;
    data->d_size = content.size;
    data->d_type = ELF_T_BYTE;
    data->d_align = 4;
    data->d_version = EV_CURRENT;
}

static void add_section(struct writer *w, const char *name, const char *suffix, uint32_t type, uint32_t flags,
                        struct bytes content) {
    size_t at = w->names.size;
    put_bytes(&w->names, name, strlen(name));
    put_bytes(&w->names, suffix, strlen(suffix) + 1);
    add_named(w, at, type, flags, content);
}

/* The section of section names, with its own name; it comes last. */
static void add_names(struct writer *w) {
    size_t at = w->names.size;
    put_bytes(&w->names, ".shstrtab", sizeof ".shstrtab");
    struct bytes names = w->names;
    w->names = (struct bytes){0};
    add_named(w, at, SHT_STRTAB, 0, names);
    Elf32_Ehdr *header = elf32_getehdr(w->elf);
    if (header != NULL) header->e_shstrndx = (Elf32_Half)w->count;
}

static void add_note(struct writer *w) {
    struct bytes b = {0};
    put_word(&b, sizeof IMAGE_NOTE_NAME);
    put_word(&b, 4);
    put_word(&b, IMAGE_NOTE_TYPE);
    put_bytes(&b, IMAGE_NOTE_NAME "\0\0\0", 12);
    put_word(&b, IMAGE_VERSION);
    add_section(w, ".note.warpstep", "", SHT_NOTE, 0, b);
}

static void add_launch(struct writer *w, const struct image *img) {
    struct bytes b = {0};
    const uint32_t launch[IMAGE_LAUNCH_WORDS] = {img->regs,     img->shared_bytes, img->local_bytes,
                                                 img->grid[0],  img->grid[1],      img->block[0],
                                                 img->block[1], img->block[2],     img->arch};
    put_words(&b, launch, IMAGE_LAUNCH_WORDS);
    add_section(w, ".warpstep.launch", "", SHT_PROGBITS, 0, b);
}

static void add_banks(struct writer *w, const struct image *img) {
    for (unsigned bank = 0; bank < IMAGE_CONST_BANKS; bank++) {
        if (img->bank[bank].size == 0) continue;
        char name[32];
        struct bytes b = {0};
        snprintf(name, sizeof name, ".nv.constant%u.", bank);
        put_bytes(&b, img->bank[bank].bytes, img->bank[bank].size);
        add_section(w, name, img->name, SHT_PROGBITS, SHF_ALLOC, b);
    }
}

static void add_signature(struct writer *w, const struct image *img) {
    struct bytes linkage = {0}, signature = {0};
    if (img->linkage != NULL) {
        put_bytes(&linkage, img->linkage, strlen(img->linkage) + 1);
        add_section(w, ".warpstep.linkage", "", SHT_PROGBITS, 0, linkage);
    }
    if (!img->has_signature) return;
    for (size_t i = 0; i < img->signature_count; i++) {
        const struct image_parameter *p = &img->signature[i];
        const uint32_t words[PARAMETER_WORDS] = {p->size, p->align, p->offset, p->space};
        put_words(&signature, words, PARAMETER_WORDS);
        put_bytes(&signature, p->type, sizeof p->type);
    }
    add_section(w, ".warpstep.signature", "", SHT_PROGBITS, 0, signature);
}

static void add_variables(struct writer *w, const struct image *img) {
    static const uint8_t zero[4] = {0};
    struct bytes b = {0};
    if (img->variable_count == 0) return;
    for (size_t i = 0; i < img->variable_count; i++) {
        const struct image_variable *v = &img->variables[i];
        const uint32_t words[VARIABLE_WORDS] = {v->addr, v->size, v->space};
        const size_t size = strlen(v->name) + 1;
        put_words(&b, words, VARIABLE_WORDS);
        put_bytes(&b, v->type, sizeof v->type);
        put_bytes(&b, v->name, size);
        put_bytes(&b, zero, (4 - size % 4) % 4);
    }
    add_section(w, ".warpstep.variables", "", SHT_PROGBITS, 0, b);
}

static void add_kernel(struct writer *w, const struct image *img) {
    struct bytes code = {0}, params = {0}, global = {0}, expect = {0}, lines = {0}, files = {0};
    put_words(&code, img->code, img->code_words);
    add_section(w, ".text.", img->name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code);
    add_banks(w, img);
    add_launch(w, img);
    put_words(&params, img->params, img->param_count);
    add_section(w, ".warpstep.param", "", SHT_PROGBITS, 0, params);
    put_pieces(&global, img->global, img->global_count);
    add_section(w, ".warpstep.global", "", SHT_PROGBITS, 0, global);
    put_pieces(&expect, img->expect, img->expect_count);
    add_section(w, ".warpstep.expect", "", SHT_PROGBITS, 0, expect);
    for (size_t i = 0; i < img->line_count; i++) {
        const uint32_t line[3] = {img->lines[i].pc, img->lines[i].line, img->lines[i].file};
        put_words(&lines, line, 3);
    }
    add_section(w, ".warpstep.lines", "", SHT_PROGBITS, 0, lines);
    for (size_t i = 0; i < img->file_count; i++) put_bytes(&files, img->files[i], strlen(img->files[i]) + 1);
    add_section(w, ".warpstep.files", "", SHT_PROGBITS, 0, files);
    add_signature(w, img);
    add_variables(w, img);
}

static void add_sections(struct writer *w, const struct image *const *images, size_t count) {
    put_bytes(&w->names, "", 1);
    add_note(w);
    for (size_t i = 0; i < count; i++) add_kernel(w, images[i]);
    add_names(w);
}

static enum status write_elf(const struct image *const *images, size_t count, const char *path, int fd,
                             struct diag *d) {
    struct writer w = {0};
    elf_version(EV_CURRENT);
    w.elf = elf_begin(fd, ELF_C_WRITE, NULL);
    Elf32_Ehdr *header = w.elf != NULL ? elf32_newehdr(w.elf) : NULL;
    if (header != NULL) {
        header->e_ident[EI_DATA] = ELFDATA2LSB;
        header->e_type = ET_EXEC;
        header->e_machine = EM_CUDA;
        header->e_version = EV_CURRENT;
        add_sections(&w, images, count);
    }
    const bool good = header != NULL && !w.failed && elf_update(w.elf, ELF_C_WRITE) > 0;
    const char *why = good ? "" : elf_errmsg(-1);
    const bool no_memory = w.failed || elf_is_out_of_memory();
    elf_end(w.elf);
    for (size_t i = 0; i < w.count; i++) free(w.content[i].data);
    free(w.content);
    free(w.names.data);
    if (good) return STATUS_OK;
    return no_memory ? diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory")
                     : diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "cannot write: %s", why);
}

/* libelf writes only to files, and the path may be a pipe or a device: libelf writes a scratch file. */
enum status image_write_files(const struct image *const *images, size_t count, const char *path, struct diag *d) {
    FILE *scratch = tmpfile();
    if (scratch == NULL) return diag_errno(d, path, "cannot write");
    enum status status = write_elf(images, count, path, fileno(scratch), d);
    if (status == STATUS_OK) status = outfile_copy(scratch, path, d);
    fclose(scratch);
    return status;
}

/* The whole file, with a NUL after it. */
static enum status read_back(int fd, const char *name, uint8_t **bytes, size_t *size, struct diag *d) {
    const off_t end = lseek(fd, 0, SEEK_END);
    uint8_t *all = end < 0 ? NULL : malloc((size_t)end + 1);
    if (all == NULL) return diag_set(d, STATUS_NO_MEMORY, name, 0, 0, "out of memory");
    if (pread(fd, all, (size_t)end, 0) != (ssize_t)end) {
        free(all);
        return diag_errno(d, name, "cannot read");
    }
    all[end] = '\0';
    *bytes = all;
    *size = (size_t)end;
    return STATUS_OK;
}

enum status image_write_memory(const struct image *const *images, size_t count, uint8_t **bytes, size_t *size,
                               struct diag *d) {
    static const char NAME[] = "image";
    *bytes = NULL;
    *size = 0;
    const int fd = memfd_create(NAME, MFD_CLOEXEC);
    if (fd < 0) return diag_errno(d, NAME, "cannot write");
    enum status status = write_elf(images, count, NAME, fd, d);
    if (status == STATUS_OK) status = read_back(fd, NAME, bytes, size, d);
    close(fd);
    return status;
}

enum status image_write_file(const struct image *img, const char *path, struct diag *d) {
    return image_write_files(&img, 1, path, d);
}

/* ---- reading ---- */

static enum status read_words(const struct elf_reader *r, const struct elf_section *s, struct image *img,
                              enum status (*add)(struct image *, uint32_t)) {
    if (s->size % 4 != 0) return elf_damaged(r, s->name);
    for (size_t i = 0; i < s->size; i += 4)
        if (add(img, word_at(s->bytes + i)) != STATUS_OK) return elf_no_memory(r);
    return STATUS_OK;
}

static enum status read_pieces(const struct elf_reader *r, const struct elf_section *s, struct image *img,
                               enum status (*add)(struct image *, uint32_t, const uint8_t *, size_t)) {
    for (size_t at = 0; at < s->size;) {
        if (s->size - at < 8) return elf_damaged(r, s->name);
        uint32_t addr = word_at(s->bytes + at), size = word_at(s->bytes + at + 4);
        at += 8;
        if (size > s->size - at) return elf_damaged(r, s->name);
        if ((uint64_t)addr + size > (uint64_t)UINT32_MAX + 1) return elf_damaged(r, s->name);
        if (add(img, addr, s->bytes + at, size) != STATUS_OK) return elf_no_memory(r);
        at += ((size_t)size + 3) & ~(size_t)3;
    }
    return STATUS_OK;
}

static enum status read_launch(const struct elf_reader *r, const struct elf_section *s, struct image *img) {
    bool has_arch = s->size == IMAGE_LAUNCH_WORDS * 4; /* the first images of version 1 lack it */
    if (!has_arch && s->size != (IMAGE_LAUNCH_WORDS - 1) * 4) return elf_damaged(r, s->name);
    img->regs = word_at(s->bytes);
    img->shared_bytes = word_at(s->bytes + 4);
    img->local_bytes = word_at(s->bytes + 8);
    for (size_t i = 0; i < 2; i++) img->grid[i] = word_at(s->bytes + 12 + 4 * i);
    for (size_t i = 0; i < 3; i++) img->block[i] = word_at(s->bytes + 20 + 4 * i);
    if (has_arch) img->arch = word_at(s->bytes + 32);
    if (img->arch > IMAGE_ARCH_10X && (img->arch < 10 || img->arch > 13)) return elf_damaged(r, s->name);
    return STATUS_OK;
}

static enum status read_lines(const struct elf_reader *r, const struct elf_section *s, struct image *img) {
    if (s->size % 12 != 0) return elf_damaged(r, s->name);
    for (size_t i = 0; i < s->size; i += 12) {
        const uint8_t *p = s->bytes + i;
        if (image_add_line(img, word_at(p), word_at(p + 4), word_at(p + 8)) != STATUS_OK) return elf_no_memory(r);
    }
    return STATUS_OK;
}

static enum status read_files(const struct elf_reader *r, const struct elf_section *s, struct image *img) {
    for (size_t at = 0; at < s->size;) {
        const uint8_t *end = memchr(s->bytes + at, '\0', s->size - at);
        if (end == NULL) return elf_damaged(r, s->name);
        size_t length = (size_t)(end - s->bytes) - at;
        if (image_add_file(img, (const char *)s->bytes + at, length) != STATUS_OK) return elf_no_memory(r);
        at += length + 1;
    }
    return STATUS_OK;
}

static enum status read_bank(const struct elf_reader *r, const struct elf_section *s, struct image *img) {
    char *rest;
    unsigned long bank = strtoul(s->name + strlen(".nv.constant"), &rest, 10);
    if (bank >= IMAGE_CONST_BANKS || *rest != '.' || s->size > 65536) return elf_damaged(r, s->name);
    return image_set_const(img, (unsigned)bank, 0, s->bytes, s->size) == STATUS_OK ? STATUS_OK : elf_no_memory(r);
}

static enum status read_signature(const struct elf_reader *r, const struct elf_section *s, struct image *img) {
    struct image_parameter p;
    const size_t each = 4 * PARAMETER_WORDS + sizeof p.type;
    if (s->size % each != 0) return elf_damaged(r, s->name);
    img->has_signature = true;
    for (size_t i = 0; i < s->size; i += each) {
        const uint8_t *at = s->bytes + i;
        const uint32_t space = word_at(at + 12);
        if (space > IMAGE_UNUSED || at[each - 1] != '\0' || at[4 * PARAMETER_WORDS] == '\0')
            return elf_damaged(r, s->name);
        p = (struct image_parameter){
            .size = word_at(at), .align = word_at(at + 4), .offset = word_at(at + 8), .space = (enum image_space)space};
        memcpy(p.type, at + 4 * PARAMETER_WORDS, sizeof p.type);
        if (p.offset > IMAGE_PARAMETERS_MAX || p.size > IMAGE_PARAMETERS_MAX - p.offset || p.align == 0)
            return elf_damaged(r, s->name);
        if (image_add_parameter(img, &p) != STATUS_OK) return elf_no_memory(r);
    }
    return STATUS_OK;
}

static enum status read_variables(const struct elf_reader *r, const struct elf_section *s, struct image *img) {
    struct image_variable v;
    const size_t head = 4 * VARIABLE_WORDS + sizeof v.type;
    for (size_t at = 0; at < s->size;) {
        const uint8_t *p = s->bytes + at;
        if (s->size - at <= head || p[head - 1] != '\0') return elf_damaged(r, s->name);
        const uint8_t *end = memchr(p + head, '\0', s->size - at - head);
        const uint32_t space = word_at(p + 8);
        if (end == NULL || !image_is_name((const char *)p + head, (size_t)(end - p) - head) ||
            (space != IMAGE_GLOBAL && space != IMAGE_CONSTANT))
            return elf_damaged(r, s->name);
        v = (struct image_variable){.addr = word_at(p), .size = word_at(p + 4), .space = (enum image_space)space};
        const uint64_t limit = space == IMAGE_CONSTANT ? IMAGE_BANK_BYTES_MAX : (uint64_t)UINT32_MAX + 1;
        if ((uint64_t)v.addr + v.size > limit) return elf_damaged(r, s->name);
        memcpy(v.type, p + 4 * VARIABLE_WORDS, sizeof v.type);
        v.name = strdup((const char *)p + head);
        const enum status added = v.name != NULL ? image_add_variable(img, &v) : STATUS_NO_MEMORY;
        free(v.name);
        if (added != STATUS_OK) return elf_no_memory(r);
        at += ((size_t)(end - p) + 1 + 3) & ~(size_t)3;
    }
    return STATUS_OK;
}

/* The bytes up to the NUL, which must exist. */
static const char *text_of(const struct elf_section *s) {
    return s->bytes != NULL && memchr(s->bytes, '\0', s->size) != NULL ? (const char *)s->bytes : NULL;
}

static enum status read_linkage(const struct elf_reader *r, const struct elf_section *s, struct image *img) {
    const char *name = text_of(s);
    if (name == NULL) return elf_damaged(r, s->name);
    return image_set_linkage(img, name, strlen(name)) == STATUS_OK ? STATUS_OK : elf_no_memory(r);
}

static bool is_code(const struct elf_section *s) { return strncmp(s->name, TEXT, sizeof TEXT - 1) == 0; }

static enum status read_section(const struct elf_reader *r, const struct elf_section *s, struct image *img) {
    if (s->damaged || (s->bytes == NULL && s->size != 0)) return elf_damaged(r, s->name);
    if (is_code(s)) {
        const char *name = s->name + sizeof TEXT - 1;
        if (image_set_name(img, name, strlen(name)) != STATUS_OK) return elf_no_memory(r);
        return read_words(r, s, img, image_add_code);
    }
    if (strncmp(s->name, ".nv.constant", 12) == 0) return read_bank(r, s, img);
    if (strcmp(s->name, ".warpstep.launch") == 0) return read_launch(r, s, img);
    if (strcmp(s->name, ".warpstep.param") == 0) return read_words(r, s, img, image_add_param);
    if (strcmp(s->name, ".warpstep.global") == 0) return read_pieces(r, s, img, image_add_global);
    if (strcmp(s->name, ".warpstep.expect") == 0) return read_pieces(r, s, img, image_add_expect);
    if (strcmp(s->name, ".warpstep.lines") == 0) return read_lines(r, s, img);
    if (strcmp(s->name, ".warpstep.files") == 0) return read_files(r, s, img);
    if (strcmp(s->name, ".warpstep.linkage") == 0) return read_linkage(r, s, img);
    if (strcmp(s->name, ".warpstep.signature") == 0) return read_signature(r, s, img);
    if (strcmp(s->name, ".warpstep.variables") == 0) return read_variables(r, s, img);
    return STATUS_OK;
}

int image_elf_version(const struct elf_reader *r) {
    struct elf_section s;
    for (Elf_Scn *scn = NULL; elf_reader_next(r, &scn, &s);) {
        if (strcmp(s.name, ".note.warpstep") != 0) continue;
        bool known = s.size == 28 && s.bytes != NULL &&
                     memcmp(s.bytes + 12, IMAGE_NOTE_NAME, sizeof IMAGE_NOTE_NAME) == 0 &&
                     word_at(s.bytes + 24) == IMAGE_VERSION;
        return known ? 1 : -1;
    }
    return 0;
}

/* The code section of the chosen kernel, by its index. */
static enum status choose(const struct elf_reader *r, const struct image_choice *choice, size_t *chosen,
                          size_t *kernels) {
    struct kernel_choice k = {.by = choice};
    struct elf_section s, code = {0};
    const char *linkage = NULL;
    Elf_Scn *scn = NULL;
    for (bool more = true; more;) {
        more = elf_reader_next(r, &scn, &s);
        if (code.name != NULL && (!more || is_code(&s)) &&
            kernel_choice_offer_linked(&k, code.name + sizeof TEXT - 1, linkage))
            *chosen = code.index;
        if (more && is_code(&s)) {
            code = s;
            linkage = NULL;
        } else if (more && strcmp(s.name, ".warpstep.linkage") == 0) {
            linkage = text_of(&s);
        }
    }
    *kernels = k.count;
    if (k.count == 0) return diag_set(r->diag, STATUS_BAD_INPUT, r->path, 0, 0, "image has no code section");
    return kernel_choice_finish(&k, r->path, r->diag);
}

enum status image_elf_read(const struct elf_reader *r, const struct image_choice *choice, struct image *img) {
    struct elf_section s;
    size_t chosen = 0;
    bool inside = false;
    enum status status = choose(r, choice, &chosen, &img->kernels);
    for (Elf_Scn *scn = NULL; status == STATUS_OK && elf_reader_next(r, &scn, &s);) {
        if (is_code(&s)) inside = s.index == chosen;
        if (inside) status = read_section(r, &s, img);
    }
    return status;
}
