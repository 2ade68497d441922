/* SPDX-License-Identifier: Apache-2.0 */
/* The image in memory. image_elf.c writes and reads its file, image_load.c reads the other formats. */
#include "image.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../isa/isa.h"

enum { NOTE_MAX = 256 };

struct image *image_create(void) {
    return calloc(1, sizeof(struct image));
}

static void free_pieces(struct image_piece *pieces, size_t count) {
    for (size_t i = 0; i < count; i++) free(pieces[i].bytes);
    free(pieces);
}

void image_destroy(struct image *img) {
    if (img == NULL) return;
    free(img->name);
    free(img->linkage);
    free(img->signature);
    for (size_t i = 0; i < img->variable_count; i++) free(img->variables[i].name);
    free(img->variables);
    free(img->code);
    free(img->params);
    for (size_t i = 0; i < IMAGE_CONST_BANKS; i++) free(img->bank[i].bytes);
    free_pieces(img->global, img->global_count);
    free_pieces(img->expect, img->expect_count);
    free(img->lines);
    for (size_t i = 0; i < img->file_count; i++) free(img->files[i]);
    free(img->files);
    for (size_t i = 0; i < img->note_count; i++) free(img->notes[i]);
    free(img->notes);
    free(img->unwritten);
    free(img);
}

/* Makes room for one more element in an array of `count` elements, growing at powers of two. NULL if out of memory. */
static void *grow(void *array, size_t count, size_t element_bytes) {
    if (count >= 4 && (count & (count - 1)) != 0) return array;
    if (count > 0 && count < 4) return array;
    size_t capacity = count < 4 ? 4 : count * 2;
    if (capacity > SIZE_MAX / element_bytes) return NULL;
    return realloc(array, capacity * element_bytes);
}

static enum status add_word(uint32_t **words, size_t *count, uint32_t word) {
    uint32_t *grown = grow(*words, *count, sizeof **words);
    if (grown == NULL) return STATUS_NO_MEMORY;
    *words = grown;
    (*words)[(*count)++] = word;
    return STATUS_OK;
}

enum status image_add_code(struct image *img, uint32_t word) { return add_word(&img->code, &img->code_words, word); }

enum status image_add_param(struct image *img, uint32_t word) {
    return add_word(&img->params, &img->param_count, word);
}

static enum status add_piece(struct image_piece **pieces, size_t *count, uint32_t addr, const uint8_t *bytes,
                             size_t size) {
    struct image_piece *grown = grow(*pieces, *count, sizeof **pieces);
    if (grown == NULL) return STATUS_NO_MEMORY;
    *pieces = grown;
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) return STATUS_NO_MEMORY;
    if (size > 0) memcpy(copy, bytes, size);
    struct image_piece *piece = &grown[(*count)++];
    piece->addr = addr;
    piece->size = size;
    piece->bytes = copy;
    return STATUS_OK;
}

enum status image_add_global(struct image *img, uint32_t addr, const uint8_t *bytes, size_t size) {
    return add_piece(&img->global, &img->global_count, addr, bytes, size);
}

enum status image_add_expect(struct image *img, uint32_t addr, const uint8_t *bytes, size_t size) {
    return add_piece(&img->expect, &img->expect_count, addr, bytes, size);
}

enum status image_set_const(struct image *img, unsigned bank, size_t offset, const uint8_t *bytes, size_t size) {
    if (size == 0) return STATUS_OK;
    if (bank >= IMAGE_CONST_BANKS || offset > SIZE_MAX - size) return STATUS_BAD_INPUT;
    size_t end = offset + size, old = img->bank[bank].size;
    if (end > old) {
        uint8_t *grown = realloc(img->bank[bank].bytes, end);
        if (grown == NULL) return STATUS_NO_MEMORY;
        memset(grown + old, 0, end - old);
        img->bank[bank].bytes = grown;
        img->bank[bank].size = end;
    }
    memcpy(img->bank[bank].bytes + offset, bytes, size);
    return STATUS_OK;
}

enum status image_add_line(struct image *img, uint32_t pc, uint32_t line, uint32_t file) {
    struct image_line *grown = grow(img->lines, img->line_count, sizeof *img->lines);
    if (grown == NULL) return STATUS_NO_MEMORY;
    img->lines = grown;
    img->lines[img->line_count++] = (struct image_line){pc, line, file};
    return STATUS_OK;
}

static enum status add_string(char ***strings, size_t *count, const char *string, size_t length) {
    char **grown = grow(*strings, *count, sizeof **strings);
    if (grown == NULL) return STATUS_NO_MEMORY;
    *strings = grown;
    char *copy = strndup(string, length);
    if (copy == NULL) return STATUS_NO_MEMORY;
    grown[(*count)++] = copy;
    return STATUS_OK;
}

enum status image_add_file(struct image *img, const char *name, size_t length) {
    return add_string(&img->files, &img->file_count, name, length);
}

enum status image_add_note(struct image *img, const char *format, ...) {
    char text[NOTE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = '?'; /* names of a damaged file; a note is one line */
    return add_string(&img->notes, &img->note_count, text, strlen(text));
}

static enum status set_string(char **string, const char *value, size_t length) {
    char *copy = strndup(value, length);
    if (copy == NULL) return STATUS_NO_MEMORY;
    free(*string);
    *string = copy;
    return STATUS_OK;
}

enum status image_set_name(struct image *img, const char *name, size_t length) {
    return set_string(&img->name, name, length);
}

enum status image_set_linkage(struct image *img, const char *name, size_t length) {
    return set_string(&img->linkage, name, length);
}

enum status image_add_parameter(struct image *img, const struct image_parameter *parameter) {
    struct image_parameter *grown = grow(img->signature, img->signature_count, sizeof *grown);
    if (grown == NULL) return STATUS_NO_MEMORY;
    img->signature = grown;
    grown[img->signature_count++] = *parameter;
    img->has_signature = true;
    return STATUS_OK;
}

const char *image_space_name(enum image_space space) {
    static const char *const NAMES[] = {"value", "global", "constant", "local", "unused"};
    return NAMES[space];
}

enum status image_add_variable(struct image *img, const struct image_variable *variable) {
    struct image_variable *grown = grow(img->variables, img->variable_count, sizeof *grown);
    if (grown == NULL) return STATUS_NO_MEMORY;
    img->variables = grown;
    char *name = strdup(variable->name);
    if (name == NULL) return STATUS_NO_MEMORY;
    grown[img->variable_count] = *variable;
    grown[img->variable_count++].name = name;
    return STATUS_OK;
}

const struct image_variable *image_find_variable(const struct image *img, const char *name, size_t length) {
    for (size_t i = 0; i < img->variable_count; i++) {
        const struct image_variable *v = &img->variables[i];
        if (strlen(v->name) == length && memcmp(v->name, name, length) == 0) return v;
    }
    return NULL;
}

/* Number of elements of an array passed by value, 1 for a single value. */
static unsigned elements(const struct image_parameter *p) {
    const unsigned bytes = (unsigned)strtoul(p->type + 1, NULL, 10) / 8;
    return bytes > 0 ? p->size / bytes : 1;
}

void image_print_signature(const struct image *img, char *text, size_t size) {
    static const char *const BUFFERS[] = {"", "global buffer", "constant buffer", "local", "unused"};
    size_t at = (size_t)snprintf(text, size, "%s(", img->name != NULL ? img->name : "");
    for (size_t i = 0; i < img->signature_count && at < size; i++) {
        const struct image_parameter *p = &img->signature[i];
        const char *name = p->space == IMAGE_VALUE ? p->type : BUFFERS[p->space];
        at += (size_t)snprintf(text + at, size - at, "%s%s", i > 0 ? ", " : "", name);
        if (p->space == IMAGE_VALUE && elements(p) > 1 && at < size)
            at += (size_t)snprintf(text + at, size - at, "[%u]", elements(p));
    }
    if (at < size) snprintf(text + at, size - at, ")");
}

/* ---- a copy ---- */

static enum status copy_pieces(const struct image *from, struct image *to) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < from->global_count && status == STATUS_OK; i++)
        status = image_add_global(to, from->global[i].addr, from->global[i].bytes, from->global[i].size);
    for (size_t i = 0; i < from->expect_count && status == STATUS_OK; i++)
        status = image_add_expect(to, from->expect[i].addr, from->expect[i].bytes, from->expect[i].size);
    for (unsigned i = 0; i < IMAGE_CONST_BANKS && status == STATUS_OK; i++)
        if (from->bank[i].size > 0) status = image_set_const(to, i, 0, from->bank[i].bytes, from->bank[i].size);
    return status;
}

static enum status copy_texts(const struct image *from, struct image *to) {
    enum status status = STATUS_OK;
    if (from->name != NULL) status = image_set_name(to, from->name, strlen(from->name));
    if (from->linkage != NULL && status == STATUS_OK)
        status = image_set_linkage(to, from->linkage, strlen(from->linkage));
    for (size_t i = 0; i < from->file_count && status == STATUS_OK; i++)
        status = image_add_file(to, from->files[i], strlen(from->files[i]));
    for (size_t i = 0; i < from->note_count && status == STATUS_OK; i++)
        status = add_string(&to->notes, &to->note_count, from->notes[i], strlen(from->notes[i]));
    if (from->unwritten != NULL && status == STATUS_OK)
        status = set_string(&to->unwritten, from->unwritten, strlen(from->unwritten));
    return status;
}

static enum status copy_signature(const struct image *from, struct image *to) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < from->signature_count && status == STATUS_OK; i++)
        status = image_add_parameter(to, &from->signature[i]);
    for (size_t i = 0; i < from->variable_count && status == STATUS_OK; i++)
        status = image_add_variable(to, &from->variables[i]);
    to->has_signature = from->has_signature;
    return status;
}

static enum status copy_code(const struct image *from, struct image *to) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < from->code_words && status == STATUS_OK; i++) status = image_add_code(to, from->code[i]);
    for (size_t i = 0; i < from->param_count && status == STATUS_OK; i++) status = image_add_param(to, from->params[i]);
    for (size_t i = 0; i < from->line_count && status == STATUS_OK; i++)
        status = image_add_line(to, from->lines[i].pc, from->lines[i].line, from->lines[i].file);
    return status;
}

struct image *image_copy(const struct image *img) {
    struct image *copy = image_create();
    if (copy == NULL) return NULL;
    copy->kernels = img->kernels;
    copy->arch = img->arch;
    copy->regs = img->regs;
    copy->shared_bytes = img->shared_bytes;
    copy->local_bytes = img->local_bytes;
    memcpy(copy->grid, img->grid, sizeof copy->grid);
    memcpy(copy->block, img->block, sizeof copy->block);
    if (copy_code(img, copy) == STATUS_OK && copy_pieces(img, copy) == STATUS_OK &&
        copy_texts(img, copy) == STATUS_OK && copy_signature(img, copy) == STATUS_OK)
        return copy;
    image_destroy(copy);
    return NULL;
}

/* queries */

static const struct {
    unsigned arch;
    const char *name;
} ARCHITECTURES[] = {
    {10,             "sm_10" },
    {11,             "sm_11" },
    {12,             "sm_12" },
    {13,             "sm_13" },
    {IMAGE_ARCH_10X, "sm_10x"}
};

unsigned image_arch(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof ARCHITECTURES / sizeof *ARCHITECTURES; i++) {
        const char *known = ARCHITECTURES[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) return ARCHITECTURES[i].arch;
    }
    return 0;
}

const char *image_arch_name(unsigned arch) {
    size_t i = sizeof ARCHITECTURES / sizeof *ARCHITECTURES - 1;
    while (i > 0 && ARCHITECTURES[i].arch != arch) i--;
    return ARCHITECTURES[i].name;
}

/* 1 plus the highest 32-bit register of the operand. R124 reads zero and does not count as a register of the kernel. */
static unsigned operand_regs(const struct isa_operand *o) {
    switch (o->kind) {
    case ISA_REG32:
        if (o->reg == ISA_REG_ZERO) return 0;
        return o->reg + (o->bytes > 4 ? o->bytes / 4u : 1u);
    case ISA_REG16: return o->reg / 2u + 1;
    case ISA_GLOBAL: return o->reg == ISA_REG_ZERO ? 0 : o->reg + 1u;
    default: return 0;
    }
}

bool image_is_name(const char *name, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (name[i] <= ' ' || name[i] > '~' || strchr("{}=#,;/\"", name[i]) != NULL) return false;
    return length > 0;
}

unsigned image_regs_used(const struct image *img) {
    unsigned used = 0;
    for (size_t i = 0; i < img->code_words;) {
        uint32_t lo = img->code[i], hi = i + 1 < img->code_words ? img->code[i + 1] : 0;
        struct isa_insn insn;
        if (isa_decode(lo, hi, &insn) == ISA_OK) {
            const struct isa_operand *operands[4] = {&insn.dst, &insn.src[0], &insn.src[1], &insn.src[2]};
            for (size_t k = 0; k < 4; k++)
                if (operand_regs(operands[k]) > used) used = operand_regs(operands[k]);
        }
        i += isa_is_long(lo) ? 2 : 1;
    }
    return used < 128 ? used : 128;
}

void image_set_shape(struct image *img) {
    for (unsigned i = 0; i < 2; i++) img->grid[i] = img->grid[i] != 0 ? img->grid[i] : 1;
    for (unsigned i = 0; i < 3; i++) img->block[i] = img->block[i] != 0 ? img->block[i] : 1;
}

const char *image_find_line(const struct image *img, uint32_t pc, unsigned *line) {
    size_t low = 0, high = img->line_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (img->lines[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    *line = 0;
    if (low == img->line_count || img->lines[low].pc != pc || img->lines[low].file >= img->file_count) return NULL;
    *line = img->lines[low].line;
    return img->files[img->lines[low].file];
}
