/* SPDX-License-Identifier: Apache-2.0 */
/* Cubins of CUDA 1 and 2: nested blocks of "name = value" and words. A kernel is a code block:
 *
 *     code { name = k  lmem = 0  smem = 24  reg = 5  bar = 0
 *            const { segname = const  segnum = 1  offset = 0  bytes = 4  mem { 0x000003ff } }
 *            bincode { 0x10004205 0x0023c780 ... } }
 *
 * Constants outside of code blocks belong to all kernels of the file. A zero word is written 0000000000, without 0x. */
#include <stdbool.h>
#include <string.h>

#include "image_forms.h"

enum { DEPTH_MAX = 16 };

enum token { TOKEN_EOF, TOKEN_WORD, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_EQUALS };

/* Attributes of the constant block at hand. */
struct segment {
    uint32_t bank, offset;
};

struct cubin {
    const char *path;
    struct diag *diag;
    const char *at, *end;
    unsigned line, depth;
    const char *word; /* the last TOKEN_WORD */
    size_t word_length;
    struct image *file;    /* constants of the file */
    struct image *current; /* the code block at hand, or NULL */
    struct image *chosen;
    const char *kernel;
    char names[200];
    size_t matches;
};

static enum status fail(const struct cubin *c, const char *text) {
    return diag_set(c->diag, STATUS_BAD_INPUT, c->path, c->line, 0, "%s", text);
}

static enum status out_of_memory(const struct cubin *c) {
    return diag_set(c->diag, STATUS_NO_MEMORY, c->path, 0, 0, "out of memory");
}

static bool is_special(char c) {
    return c == '{' || c == '}' || c == '=' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static enum token next(struct cubin *c) {
    while (c->at < c->end && strchr(" \t\r\n", *c->at) != NULL) {
        if (*c->at == '\n') c->line++;
        c->at++;
    }
    if (c->at >= c->end) return TOKEN_EOF;
    c->word = c->at++;
    if (*c->word == '{') return TOKEN_OPEN;
    if (*c->word == '}') return TOKEN_CLOSE;
    if (*c->word == '=') return TOKEN_EQUALS;
    while (c->at < c->end && !is_special(*c->at)) c->at++;
    c->word_length = (size_t)(c->at - c->word);
    return TOKEN_WORD;
}

/* Numbers of attributes are decimal or 0x, words are hexadecimal either way. */
static bool word_value(const struct cubin *c, unsigned base, uint32_t *value) {
    const char *s = c->word, *end = c->word + c->word_length;
    if (c->word_length > 2 && s[0] == '0' && (s[1] | 32) == 'x') s += 2, base = 16;
    uint64_t v = 0;
    for (; s < end; s++) {
        char l = (char)(*s | 32);
        unsigned digit = *s >= '0' && *s <= '9' ? (unsigned)(*s - '0')
                         : l >= 'a' && l <= 'f' ? (unsigned)(l - 'a') + 10
                                                : 16;
        if (digit >= base) return false;
        v = v * base + digit;
        if (v > UINT32_MAX) return false;
    }
    *value = (uint32_t)v;
    return c->word_length > 0;
}

/* { word word ... } */
static enum status read_words(struct cubin *c, enum status (*add)(struct cubin *, void *, uint32_t), void *state) {
    enum token t;
    while ((t = next(c)) == TOKEN_WORD) {
        uint32_t value;
        if (!word_value(c, 16, &value)) return fail(c, "expected a 32-bit word in hexadecimal");
        enum status status = add(c, state, value);
        if (status != STATUS_OK) return status;
    }
    return t == TOKEN_CLOSE ? STATUS_OK : fail(c, "expected '}'");
}

static enum status add_code(struct cubin *c, void *state, uint32_t value) {
    (void)state;
    return image_add_code(c->current, value) == STATUS_OK ? STATUS_OK : out_of_memory(c);
}

static enum status add_constant(struct cubin *c, void *state, uint32_t value) {
    struct segment *segment = state;
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    if (segment->bank >= IMAGE_CONST_BANKS || segment->offset > 65536 - 4) return fail(c, "constant is out of range");
    struct image *img = c->current != NULL ? c->current : c->file;
    if (image_set_const(img, segment->bank, segment->offset, bytes, 4) != STATUS_OK) return out_of_memory(c);
    segment->offset += 4;
    return STATUS_OK;
}

static enum status read_attribute(struct cubin *c, const char *name, size_t length, struct segment *segment) {
    static const char *const names[] = {"lmem", "smem", "reg", "segnum", "offset"};
    if (next(c) != TOKEN_WORD) return fail(c, "expected a value after '='");
    if (length == 4 && memcmp(name, "name", 4) == 0 && c->current != NULL && segment == NULL)
        return image_set_name(c->current, c->word, c->word_length) == STATUS_OK ? STATUS_OK : out_of_memory(c);
    unsigned *to[] = {c->current != NULL ? &c->current->local_bytes : NULL,
                      c->current != NULL ? &c->current->shared_bytes : NULL,
                      c->current != NULL ? &c->current->regs : NULL, segment != NULL ? &segment->bank : NULL,
                      segment != NULL ? &segment->offset : NULL};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (to[i] == NULL || strlen(names[i]) != length || memcmp(names[i], name, length) != 0) continue;
        uint32_t value;
        if (!word_value(c, 10, &value)) return fail(c, "expected a number");
        *to[i] = value;
    }
    return STATUS_OK;
}

static enum status read_block(struct cubin *c, struct segment *segment, bool outermost);

static void finish_kernel(struct cubin *c) {
    const char *name = c->current->name != NULL ? c->current->name : "";
    size_t used = strlen(c->names);
    snprintf(c->names + used, sizeof c->names - used, "%s%.100s", used > 0 ? ", " : "", name);
    if (c->kernel == NULL || strcmp(c->kernel, name) == 0) {
        c->matches++;
        image_destroy(c->chosen);
        c->chosen = c->current;
    } else {
        image_destroy(c->current);
    }
    c->current = NULL;
}

static enum status read_code(struct cubin *c) {
    if (c->current != NULL) return fail(c, "a code block cannot hold another one");
    c->current = image_create();
    if (c->current == NULL) return out_of_memory(c);
    enum status status = read_block(c, NULL, false);
    if (status == STATUS_OK) finish_kernel(c);
    return status;
}

/* The block whose name was read and whose '{' was, too. */
static enum status read_named(struct cubin *c, const char *name, size_t length, struct segment *segment) {
    struct segment fresh = {0, 0};
    if (length == 4 && memcmp(name, "code", 4) == 0) return read_code(c);
    if (length == 7 && memcmp(name, "bincode", 7) == 0 && c->current != NULL) return read_words(c, add_code, NULL);
    if (length == 3 && memcmp(name, "mem", 3) == 0 && segment != NULL) return read_words(c, add_constant, segment);
    bool constant = (length == 5 && memcmp(name, "const", 5) == 0) || (length == 6 && memcmp(name, "consts", 6) == 0);
    return read_block(c, constant ? &fresh : segment, false);
}

static enum status read_block(struct cubin *c, struct segment *segment, bool outermost) {
    if (++c->depth > DEPTH_MAX) return fail(c, "blocks are nested too deeply");
    for (;;) {
        enum token t = next(c);
        enum status status = STATUS_OK;
        const char *name = c->word;
        size_t length = t == TOKEN_WORD ? c->word_length : 0;
        if (t == TOKEN_EOF || t == TOKEN_CLOSE) {
            c->depth--;
            return (t == TOKEN_EOF) == outermost ? STATUS_OK : fail(c, outermost ? "unexpected '}'" : "expected '}'");
        }
        if (t == TOKEN_OPEN) {
            status = read_block(c, segment, false);
        } else if (t == TOKEN_WORD) {
            const char *mark = c->at;
            unsigned line = c->line;
            t = next(c);
            if (t == TOKEN_OPEN) {
                status = read_named(c, name, length, segment);
            } else if (t == TOKEN_EQUALS) {
                status = read_attribute(c, name, length, segment);
            } else { /* a word of a block that means nothing to us */
                c->at = mark;
                c->line = line;
            }
        }
        if (status != STATUS_OK) return status;
    }
}

/* The file's constants fill what the kernel's own banks leave open. */
static enum status add_file_constants(struct cubin *c) {
    for (unsigned bank = 0; bank < IMAGE_CONST_BANKS; bank++) {
        if (c->chosen->bank[bank].size != 0) continue;
        if (image_set_const(c->chosen, bank, 0, c->file->bank[bank].bytes, c->file->bank[bank].size) != STATUS_OK)
            return out_of_memory(c);
    }
    return STATUS_OK;
}

static enum status read_cubin(struct cubin *c) {
    enum status status = read_block(c, NULL, true);
    if (status != STATUS_OK) return status;
    c->line = 0;
    if (c->names[0] == '\0') return fail(c, "cubin has no kernel");
    if (c->matches == 0)
        return diag_set(c->diag, STATUS_BAD_INPUT, c->path, 0, 0, "there is no kernel '%s'; the file has %s", c->kernel,
                        c->names);
    if (c->matches > 1)
        return diag_set(c->diag, STATUS_BAD_INPUT, c->path, 0, 0,
                        "file has several kernels (%s); choose one with --kernel", c->names);
    if (c->chosen->code_words == 0) return fail(c, "kernel has no code");
    return add_file_constants(c);
}

enum status image_from_text_cubin(const char *path, const char *text, size_t size, const char *kernel,
                                  struct image **img, struct diag *d) {
    struct cubin c = {.path = path, .diag = d, .at = text, .end = text + size, .line = 1, .kernel = kernel};
    c.file = image_create();
    enum status status = c.file != NULL ? read_cubin(&c) : out_of_memory(&c);
    image_destroy(c.file);
    image_destroy(c.current);
    if (status == STATUS_OK)
        *img = c.chosen;
    else
        image_destroy(c.chosen);
    return status;
}
