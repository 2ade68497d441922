/* SPDX-License-Identifier: Apache-2.0 */
/* The data of .const, .global and .expect:
 *
 *     = 1, 2, 0x3                  32-bit words          = .fill 64, 0       64 words of 0
 *     = .byte 1, 2                 bytes                 = .byte .fill 3, 7  three bytes of 7
 *     = .half 1, -2                16-bit halfwords      = @picture.bin      a file, relative to the source
 */
#include "data.h"

#include <stdlib.h>
#include <string.h>

#include "../base/file.h"

enum { DATA_BYTES_MAX = 64 << 20 };

struct buffer {
    uint8_t *bytes;
    size_t size, capacity;
};

static bool append(struct assembler *a, struct buffer *b, uint64_t value, unsigned bytes) {
    if (b->size + bytes > b->capacity) {
        size_t capacity = b->capacity > 0 ? b->capacity * 2 : 256;
        uint8_t *grown = realloc(b->bytes, capacity);
        if (grown == NULL) return no_memory(a);
        b->bytes = grown;
        b->capacity = capacity;
    }
    for (unsigned i = 0; i < bytes; i++) b->bytes[b->size++] = (uint8_t)(value >> (8 * i));
    return true;
}

static bool element(struct assembler *a, size_t *at, unsigned bytes, int64_t *value) {
    int64_t half = (int64_t)1 << (8 * bytes - 1);
    return assembler_number(a, at, -half, 2 * half - 1, value);
}

/* ".fill COUNT, VALUE" or values separated by commas */
static bool elements(struct assembler *a, size_t at, struct buffer *b) {
    unsigned bytes = 4;
    const struct lexeme *l = &a->lex[at];
    if (l->kind == LEX_MODIFIER && !lexeme_is(l, ".fill")) {
        bytes = lexeme_is(l, ".byte") ? 1 : lexeme_is(l, ".half") ? 2 : lexeme_is(l, ".word") ? 4 : 0;
        if (bytes == 0)
            return error_at(a, l, "unknown data form '%.*s'; expected .byte, .half, .word, .fill, @file or numbers",
                            (int)l->text_length, l->text);
        at++;
    }
    int64_t count = 1, value;
    if (lexeme_is(&a->lex[at], ".fill")) {
        at++;
        if (!assembler_number(a, &at, 0, DATA_BYTES_MAX / 4, &count)) return false;
        if (!lexeme_is_punct(&a->lex[at], ','))
            return error_at(a, &a->lex[at], "expected ',' and the value to fill with");
        at++;
        if (!element(a, &at, bytes, &value)) return false;
        for (; count > 0; count--)
            if (!append(a, b, (uint64_t)value, bytes)) return false;
        return assembler_end_of_statement(a, at);
    }
    for (;;) {
        if (!element(a, &at, bytes, &value) || !append(a, b, (uint64_t)value, bytes)) return false;
        if (!lexeme_is_punct(&a->lex[at], ',')) return assembler_end_of_statement(a, at);
        at++;
    }
}

static bool file_data(struct assembler *a, size_t offset, size_t length, struct buffer *b) {
    const char *name = a->scan.clean + offset + 1;
    size_t n = length - 1;
    if (n >= 2 && name[0] == '"' && name[n - 1] == '"') name++, n -= 2;
    struct source_place place = sources_locate(&a->messages->sources, offset);
    char *path = file_beside(place.path, name, n), *text = NULL;
    if (path == NULL) return no_memory(a);
    struct diag d;
    enum status status = file_read(path, &text, &b->size, &d);
    if (status == STATUS_NO_MEMORY)
        no_memory(a);
    else if (status != STATUS_OK)
        messages_add(a->messages, offset, length, "%s: %s", path, d.text);
    free(path);
    b->bytes = (uint8_t *)text;
    return status == STATUS_OK;
}

bool assembler_data(struct assembler *a, size_t at, size_t offset, size_t length, uint8_t **bytes, size_t *size) {
    struct buffer b = {0};
    if (!lexeme_is_punct(&a->lex[at], '=')) return error_at(a, &a->lex[at], "expected '='");
    const char *s = a->scan.clean + offset, *file = memchr(s, '@', length);
    bool good;
    if (file == NULL)
        good = elements(a, at + 1, &b);
    else if (a->lex[at + 1].kind != LEX_END)
        good = error_at(a, &a->lex[at + 1], "expected '@' after '='");
    else
        good = file_data(a, (size_t)(file - a->scan.clean), length - (size_t)(file - s), &b);
    *bytes = b.bytes;
    *size = b.size;
    a->data_bytes += b.size;
    if (good && a->data_bytes > DATA_BYTES_MAX)
        good = error_at(a, &a->lex[0], "data of all directives is larger than %d MB", DATA_BYTES_MAX >> 20);
    return good;
}
