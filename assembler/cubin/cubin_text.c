/* SPDX-License-Identifier: Apache-2.0 */
/* Cubins of CUDA 1 and 2: nested blocks of "name = value" and words, in any order. A kernel is a code block:
 *
 *     code { name = k  lmem = 0  smem = 24  reg = 5  bar = 0
 *            const { segname = const  segnum = 1  offset = 0  bytes = 4  mem { 0x000003ff } }
 *            bincode { 0x10004205 0x0023c780 ... } }
 *
 * Constants outside of code blocks belong to all kernels of the file. A zero word is written 0000000000, without 0x.
 * Source: docs/inputs.md, also for open questions (addresses of variables, contents of a reloc block). */
#include "cubin_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../image/kernel_choice.h"
#include "../isa/isa.h"
#include "cubin.h"

enum { NUMBER_MAX = 1 << 24, BARRIERS_MAX = 16, SEGMENT_BYTES_MAX = 1 << 24, ADDRESS_BANK = 14, BLOCKS_MAX = 8192 };

/* ---- values ---- */

/* The value after '='. An empty name has no value: then the next line begins with another "x =" or "x {", or the block
 * ends. */
static struct cubin_token read_value(struct cubin_scan *s, const struct cubin_token *name) {
    struct cubin_scan ahead = *s;
    struct cubin_token value = cubin_next(&ahead), none = {.text = ""};
    if (value.kind != CUBIN_WORD) return none;
    struct cubin_scan after = ahead;
    struct cubin_token next = cubin_next(&after);
    if (value.line != name->line && (next.kind == CUBIN_EQUALS || next.kind == CUBIN_OPEN)) return none;
    *s = ahead;
    return value;
}

static enum status read_number(struct cubin_scan *s, const struct cubin_token *name, uint32_t max, uint32_t *number) {
    struct cubin_token value = read_value(s, name);
    uint32_t given = 0;
    if (value.kind != CUBIN_WORD || !cubin_number(&value, 10, &given))
        return cubin_fail(s, value.kind == CUBIN_WORD ? &value : name, "expected a number after '%.*s ='",
                          (int)name->length, name->text);
    if (given > max)
        return cubin_fail(s, &value, "%.*s = %" PRIu32 " is too large, it goes up to %" PRIu32, (int)name->length,
                          name->text, given, max);
    *number = given;
    return STATUS_OK;
}

/* The next item of a block: CUBIN_CLOSE at its end; CUBIN_OPEN for "*name {" (the brace is read), CUBIN_EQUALS for
 * "*name =". Anything else is an error, and *item is CUBIN_EOF. */
static enum status read_item(struct cubin_scan *s, const struct cubin_token *block, struct cubin_token *name,
                             enum cubin_kind *item) {
    *name = cubin_next(s);
    *item = name->kind;
    if (name->kind == CUBIN_CLOSE && block != NULL) return STATUS_OK;
    if (name->kind == CUBIN_EOF && block == NULL) return STATUS_OK;
    if (name->kind == CUBIN_EOF)
        return cubin_fail(s, block, "block '%.*s' is never closed", (int)block->length, block->text);
    if (name->kind != CUBIN_WORD) return cubin_fail(s, name, "unexpected '%c'", *name->text);
    struct cubin_token next = cubin_next(s);
    *item = next.kind;
    if (next.kind == CUBIN_OPEN || next.kind == CUBIN_EQUALS) return STATUS_OK;
    return cubin_fail(s, name, "expected '{' or '=' after '%.*s'", (int)name->length, name->text);
}

/* Skips an unknown block. */
static enum status skip_block(struct cubin_scan *s, const struct cubin_token *block) {
    for (size_t depth = 1; depth > 0;) {
        struct cubin_token t = cubin_next(s);
        if (t.kind == CUBIN_EOF)
            return cubin_fail(s, block, "block '%.*s' is never closed", (int)block->length, block->text);
        depth += t.kind == CUBIN_OPEN ? 1u : 0u;
        depth -= t.kind == CUBIN_CLOSE ? 1u : 0u;
    }
    return STATUS_OK;
}

/* { word word ... } */
static enum status read_words(struct cubin_scan *s, const struct cubin_token *block,
                              enum status (*add)(void *, uint32_t), void *state) {
    for (;;) {
        struct cubin_token t = cubin_next(s);
        uint32_t word;
        if (t.kind == CUBIN_CLOSE) return STATUS_OK;
        if (t.kind == CUBIN_EOF)
            return cubin_fail(s, block, "block '%.*s' is never closed", (int)block->length, block->text);
        if (!cubin_number(&t, 16, &word)) return cubin_fail(s, &t, "expected a 32-bit word in hexadecimal");
        if (add(state, word) != STATUS_OK) return cubin_no_memory(s);
    }
}

/* ---- constants, variables, relocations ---- */

static enum status add_data(void *state, uint32_t word) {
    struct cubin_segment *g = state;
    if (g->word_count == g->word_capacity) {
        size_t capacity = g->word_capacity > 0 ? g->word_capacity * 2 : 16;
        uint32_t *grown = realloc(g->words, capacity * sizeof *grown);
        if (grown == NULL) return STATUS_NO_MEMORY;
        g->words = grown;
        g->word_capacity = capacity;
    }
    g->words[g->word_count++] = word;
    return STATUS_OK;
}

static enum status read_segment_value(struct cubin_scan *s, const struct cubin_token *name, struct cubin_segment *g) {
    if (cubin_is(name, "segnum")) {
        g->has_bank = true;
        return read_number(s, name, NUMBER_MAX, &g->bank);
    }
    if (cubin_is(name, "offset")) return read_number(s, name, NUMBER_MAX, &g->offset);
    if (cubin_is(name, "bytes")) {
        g->has_size = true;
        return read_number(s, name, SEGMENT_BYTES_MAX, &g->size);
    }
    struct cubin_token value = read_value(s, name);
    if (cubin_is(name, "name")) g->name = value;
    if (cubin_is(name, "segname") && g->what == CUBIN_CONSTANT && cubin_is(&value, "global")) g->what = CUBIN_VARIABLE;
    return STATUS_OK;
}

/* Checks the numbers of the whole block. */
static enum status check_segment(const struct cubin_scan *s, struct cubin_segment *g) {
    if (!g->has_bank) g->bank = g->what == CUBIN_RELOC ? ADDRESS_BANK : g->owner != CUBIN_OF_FILE ? 1 : 0;
    size_t held = g->word_count * 4;
    if (!g->has_size) g->size = (uint32_t)(held < SEGMENT_BYTES_MAX ? held : SEGMENT_BYTES_MAX);
    if (held > ((size_t)g->size + 3) / 4 * 4)
        return cubin_fail(s, &g->place, "bytes = %" PRIu32 ", but mem has %zu", g->size, held);
    if (g->what == CUBIN_VARIABLE) return STATUS_OK;
    if (g->bank >= IMAGE_CONST_BANKS)
        return cubin_fail(s, &g->place, "segnum = %" PRIu32 ": there are constant banks 0 to %d", g->bank,
                          IMAGE_CONST_BANKS - 1);
    const uint64_t end = (uint64_t)g->offset + (g->what == CUBIN_RELOC ? 4 : g->size);
    if (end > IMAGE_BANK_BYTES)
        return cubin_fail(s, &g->place, "constants go to byte %" PRIu64 ", a bank has at most %d", end,
                          IMAGE_BANK_BYTES);
    return STATUS_OK;
}

/* The contents of a block that describes a piece of memory. */
static enum status read_segment(struct cubin_text *c, const struct cubin_token *block, struct cubin_segment *g) {
    for (;;) {
        struct cubin_token name;
        enum cubin_kind item;
        enum status status = read_item(&c->scan, block, &name, &item);
        if (status == STATUS_OK && item == CUBIN_CLOSE) return check_segment(&c->scan, g);
        if (status == STATUS_OK && item == CUBIN_EQUALS)
            status = read_segment_value(&c->scan, &name, g);
        else if (status == STATUS_OK && cubin_is(&name, "mem"))
            status = read_words(&c->scan, &name, add_data, g);
        else if (status == STATUS_OK)
            status = skip_block(&c->scan, &name);
        if (status != STATUS_OK) return status;
    }
}

static enum status add_segment(struct cubin_text *c, enum cubin_block what, const struct cubin_token *block,
                               size_t owner) {
    if (c->segment_count == BLOCKS_MAX)
        return cubin_fail(&c->scan, block, "cubin has more than %d blocks of constants and variables", BLOCKS_MAX);
    struct cubin_segment *grown = realloc(c->segments, (c->segment_count + 1) * sizeof *grown);
    if (grown == NULL) return cubin_no_memory(&c->scan);
    c->segments = grown;
    struct cubin_segment *g = &c->segments[c->segment_count++];
    *g = (struct cubin_segment){.what = what, .owner = owner, .name.text = "", .place = *block};
    return read_segment(c, block, g);
}

/* True if the block describes memory, with its kind. */
static bool is_segment(const struct cubin_token *name, enum cubin_block *what) {
    *what = cubin_is(name, "reloc") ? CUBIN_RELOC : cubin_is(name, "global") ? CUBIN_VARIABLE : CUBIN_CONSTANT;
    return *what != CUBIN_CONSTANT || cubin_is(name, "const") || cubin_is(name, "consts");
}

/* ---- kernels ---- */

static enum status add_code(void *state, uint32_t word) { return image_add_code(state, word); }

static enum status set_name(struct cubin_text *c, const struct cubin_token *name, struct image *img) {
    struct cubin_token value = read_value(&c->scan, name);
    if (value.kind != CUBIN_WORD || !image_is_name(value.text, value.length))
        return cubin_fail(&c->scan, value.kind == CUBIN_WORD ? &value : name, "expected a kernel name");
    for (size_t i = 0; i < c->kernel_count; i++)
        if (c->kernels[i]->name != NULL && cubin_is(&value, c->kernels[i]->name))
            return cubin_fail(&c->scan, &value, "kernel '%s' is defined twice", c->kernels[i]->name);
    return image_set_name(img, value.text, value.length) == STATUS_OK ? STATUS_OK : cubin_no_memory(&c->scan);
}

static enum status read_kernel_value(struct cubin_text *c, const struct cubin_token *name, struct image *img) {
    struct cubin_scan *s = &c->scan;
    if (cubin_is(name, "name")) return set_name(c, name, img);
    if (cubin_is(name, "lmem")) return read_number(s, name, NUMBER_MAX, &img->local_bytes);
    if (cubin_is(name, "smem")) return read_number(s, name, NUMBER_MAX, &img->shared_bytes);
    if (cubin_is(name, "reg")) return read_number(s, name, ISA_REGS, &img->regs);
    if (!cubin_is(name, "bar")) {
        read_value(s, name);
        return STATUS_OK;
    }
    uint32_t barriers = 0;
    enum status status = read_number(s, name, BARRIERS_MAX, &barriers);
    if (status == STATUS_OK && image_add_note(img, "bar = %" PRIu32, barriers) != STATUS_OK) return cubin_no_memory(s);
    return status;
}

static enum status read_kernel_items(struct cubin_text *c, const struct cubin_token *block, struct image *img) {
    for (;;) {
        struct cubin_token name;
        enum cubin_kind item;
        enum cubin_block what;
        enum status status = read_item(&c->scan, block, &name, &item);
        if (status != STATUS_OK || item == CUBIN_CLOSE) return status;
        if (item == CUBIN_EQUALS)
            status = read_kernel_value(c, &name, img);
        else if (cubin_is(&name, "bincode"))
            status = read_words(&c->scan, &name, add_code, img);
        else if (is_segment(&name, &what))
            status = add_segment(c, what, &name, c->kernel_count - 1);
        else
            status = skip_block(&c->scan, &name);
        if (status != STATUS_OK) return status;
    }
}

static enum status read_kernel(struct cubin_text *c, const struct cubin_token *block) {
    if (c->kernel_count == BLOCKS_MAX) return cubin_fail(&c->scan, block, "cubin has more than %d kernels", BLOCKS_MAX);
    const size_t each = sizeof(struct image *); // NOLINT(bugprone-sizeof-expression): an array of pointers is meant
    struct image **grown = realloc(c->kernels, (c->kernel_count + 1) * each);
    if (grown == NULL) return cubin_no_memory(&c->scan);
    c->kernels = grown;
    struct image *img = image_create();
    if (img == NULL) return cubin_no_memory(&c->scan);
    c->kernels[c->kernel_count++] = img;
    enum status status = read_kernel_items(c, block, img);
    if (status != STATUS_OK) return status;
    if (img->name == NULL) return cubin_fail(&c->scan, block, "kernel has no name");
    if (img->code_words == 0) return cubin_fail(&c->scan, block, "kernel '%.100s' has no code", img->name);
    return STATUS_OK;
}

/* ---- the file ---- */

/* architecture {sm_10} */
static enum status read_architecture(struct cubin_text *c, const struct cubin_token *block) {
    struct cubin_token t = cubin_next(&c->scan);
    c->arch = t.kind == CUBIN_WORD ? image_arch(t.text, t.length) : 0;
    if (c->arch == 0)
        return cubin_fail(&c->scan, t.kind == CUBIN_WORD ? &t : block,
                          "cubin is for architecture '%.*s'; expected " IMAGE_ARCH_NAMES,
                          (int)(t.length < 40 ? t.length : 40), t.kind == CUBIN_WORD ? t.text : "");
    return skip_block(&c->scan, block);
}

static enum status read_file(struct cubin_text *c) {
    for (;;) {
        struct cubin_token name;
        enum cubin_kind item;
        enum cubin_block what;
        enum status status = read_item(&c->scan, NULL, &name, &item);
        if (status != STATUS_OK || item == CUBIN_EOF) return status;
        if (item == CUBIN_EQUALS)
            read_value(&c->scan, &name);
        else if (cubin_is(&name, "code"))
            status = read_kernel(c, &name);
        else if (cubin_is(&name, "architecture"))
            status = read_architecture(c, &name);
        else if (is_segment(&name, &what))
            status = add_segment(c, what, &name, CUBIN_OF_FILE);
        else
            status = skip_block(&c->scan, &name);
        if (status != STATUS_OK) return status;
    }
}

static enum status choose(const struct cubin_text *c, const struct image_choice *choice, size_t *chosen) {
    struct kernel_choice k = {.by = choice};
    for (size_t i = 0; i < c->kernel_count; i++)
        if (kernel_choice_offer(&k, c->kernels[i]->name)) *chosen = i;
    return kernel_choice_finish(&k, c->scan.path, c->scan.diag);
}

bool image_is_text_cubin(const char *text, size_t size) {
    struct cubin_scan s = {.path = "", .at = text, .end = text + size, .line_start = text, .line = 1};
    struct cubin_token name = cubin_next(&s);
    for (size_t i = 0; i < name.length; i++)
        if ((name.text[i] | 32) < 'a' || (name.text[i] | 32) > 'z') return false;
    return name.kind == CUBIN_WORD && cubin_next(&s).kind == CUBIN_OPEN;
}

enum status image_from_text_cubin(const char *path, const char *text, size_t size, const struct image_choice *choice,
                                  struct image **img, struct diag *d) {
    struct cubin_text c = {
        .scan = {path, d, text, text + size, text, 1}
    };
    size_t chosen = 0;
    enum status status = read_file(&c);
    if (status == STATUS_OK) status = choose(&c, choice, &chosen);
    if (status == STATUS_OK) status = cubin_text_link(&c, chosen, choice->variables);
    if (status == STATUS_OK) {
        *img = c.kernels[chosen];
        (*img)->kernels = c.kernel_count;
        c.kernels[chosen] = NULL;
    }
    for (size_t i = 0; i < c.kernel_count; i++) image_destroy(c.kernels[i]);
    for (size_t i = 0; i < c.segment_count; i++) free(c.segments[i].words);
    free(c.kernels);
    free(c.segments);
    return status;
}
