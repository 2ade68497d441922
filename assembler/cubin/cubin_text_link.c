/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel of a text cubin with its data: constants of the file and its own, variables in global memory, and their
 * addresses in the constants. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cubin_text.h"

enum { VARIABLE_ALIGN = 16, VARIABLES_MAX = 1 << 24 };

struct link {
    struct cubin_text *text;
    struct image *img;
    size_t kernel;
    uint32_t base; /* address of the first variable */
    uint64_t next; /* next free address after the variables */
};

static bool concerns(const struct link *l, const struct cubin_segment *g) {
    return g->owner == CUBIN_OF_FILE || g->owner == l->kernel;
}

/* The words as bytes, padded with zeros to the block's size. NULL if out of memory. */
static uint8_t *bytes_of(const struct cubin_segment *g) {
    uint8_t *bytes = calloc((size_t)g->size + 4, 1);
    if (bytes == NULL) return NULL;
    for (size_t i = 0; i < g->word_count; i++)
        for (unsigned k = 0; k < 4; k++) bytes[4 * i + k] = (uint8_t)(g->words[i] >> 8 * k);
    return bytes;
}

static enum status put_constants(const struct link *l, size_t owner) {
    const struct cubin_text *c = l->text;
    for (size_t i = 0; i < c->segment_count; i++) {
        const struct cubin_segment *g = &c->segments[i];
        if (g->what != CUBIN_CONSTANT || g->owner != owner || g->size == 0) continue;
        uint8_t *bytes = bytes_of(g);
        enum status status =
            bytes != NULL ? image_set_const(l->img, g->bank, g->offset, bytes, g->size) : STATUS_NO_MEMORY;
        free(bytes);
        if (status == STATUS_OK && g->name.length > 0)
            status = image_add_note(l->img, "%.*s: c [0x%" PRIx32 "], byte 0x%" PRIx32 ", %" PRIu32 " bytes",
                                    (int)g->name.length, g->name.text, g->bank, g->offset, g->size);
        if (status != STATUS_OK) return cubin_no_memory(&c->scan);
    }
    return STATUS_OK;
}

static const struct cubin_segment *find_variable(const struct link *l, const struct cubin_token *name) {
    for (size_t i = 0; i < l->text->segment_count; i++) {
        const struct cubin_segment *g = &l->text->segments[i];
        if (g->placed && g->name.length == name->length && memcmp(g->name.text, name->text, name->length) == 0)
            return g;
    }
    return NULL;
}

/* Adds a variable under the name that options use. */
static enum status add_variable(struct link *l, const struct cubin_segment *g, uint32_t size) {
    char *name = strndup(g->name.text, g->name.length);
    const struct image_variable v = {name, "b8", IMAGE_GLOBAL, g->address, size};
    enum status status = name == NULL ? STATUS_NO_MEMORY : STATUS_OK;
    if (status == STATUS_OK && image_is_name(name, strlen(name))) status = image_add_variable(l->img, &v);
    free(name);
    return status;
}

/* Gives the variable its address, and the image its initial value: zero if the file has none. */
static enum status place(struct link *l, struct cubin_segment *g, uint32_t size) {
    const struct cubin_scan *s = &l->text->scan;
    const uint64_t address = (l->next + VARIABLE_ALIGN - 1) / VARIABLE_ALIGN * VARIABLE_ALIGN;
    l->next = address + size;
    if (l->next > (uint64_t)l->base + VARIABLES_MAX)
        return cubin_fail(s, &g->place, "variables take more than %d bytes", VARIABLES_MAX);
    if (l->next > UINT32_MAX) return cubin_fail(s, &g->place, "variables reach beyond the last address");
    g->address = (uint32_t)address;
    g->placed = true;
    uint8_t *bytes = g->what == CUBIN_VARIABLE ? bytes_of(g) : calloc(size, 1);
    enum status status = bytes != NULL ? image_add_global(l->img, g->address, bytes, size) : STATUS_NO_MEMORY;
    free(bytes);
    if (status == STATUS_OK)
        status = image_add_note(l->img, "%.*s: global 0x%" PRIx32 ", %" PRIu32 " bytes", (int)g->name.length,
                                g->name.text, g->address, size);
    if (status == STATUS_OK) status = add_variable(l, g, size);
    return status == STATUS_OK ? STATUS_OK : cubin_no_memory(s);
}

/* Places the variables that a block declares, then those that only a reloc block names. */
static enum status place_variables(struct link *l) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < l->text->segment_count && status == STATUS_OK; i++) {
        struct cubin_segment *g = &l->text->segments[i];
        if (g->what == CUBIN_VARIABLE && concerns(l, g)) status = place(l, g, g->size);
    }
    for (size_t i = 0; i < l->text->segment_count && status == STATUS_OK; i++) {
        struct cubin_segment *g = &l->text->segments[i];
        if (g->what == CUBIN_RELOC && concerns(l, g) && find_variable(l, &g->name) == NULL)
            status = place(l, g, g->size > 4 ? g->size : 4);
    }
    return status;
}

/* A reloc block: adds the address of the variable that it names to the constant word at its place. */
static enum status relocate(const struct link *l, const struct cubin_segment *g) {
    const struct cubin_segment *variable = find_variable(l, &g->name);
    uint32_t value = variable != NULL ? variable->address : 0;
    for (unsigned k = 0; k < 4; k++)
        if (g->offset + k < l->img->bank[g->bank].size)
            value += (uint32_t)l->img->bank[g->bank].bytes[g->offset + k] << 8 * k;
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    if (image_set_const(l->img, g->bank, g->offset, bytes, 4) != STATUS_OK ||
        image_add_note(l->img, "c [0x%" PRIx32 "], byte 0x%" PRIx32 ": address of %.*s, 0x%" PRIx32, g->bank, g->offset,
                       (int)g->name.length, g->name.text, value) != STATUS_OK)
        return cubin_no_memory(&l->text->scan);
    return STATUS_OK;
}

enum status cubin_text_link(struct cubin_text *c, size_t kernel, uint32_t variables) {
    struct link l = {.text = c, .img = c->kernels[kernel], .kernel = kernel, .base = variables, .next = variables};
    l.img->arch = c->arch;
    const unsigned used = image_regs_used(l.img);
    if (l.img->regs != 0 && l.img->regs < used) l.img->regs = used;
    enum status status = put_constants(&l, CUBIN_OF_FILE);
    if (status == STATUS_OK) status = put_constants(&l, kernel);
    if (status == STATUS_OK) status = place_variables(&l);
    for (size_t i = 0; i < c->segment_count && status == STATUS_OK; i++)
        if (c->segments[i].what == CUBIN_RELOC && concerns(&l, &c->segments[i])) status = relocate(&l, &c->segments[i]);
    return status;
}
