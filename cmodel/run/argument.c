/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes and numbers of the command line, see argument.h. */
#include "argument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/image/memory_file.h"

enum { TEXT_BYTES_MAX = 1 << 28 }; /* size of a text file with the contents of a memory */

bool argument_number(const char *text, uint64_t max, uint64_t *value, const char **end) {
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *p = hex ? text + 2 : text;
    if (!memory_digits(&p, hex ? 16 : 10, max, value)) return false;
    if (end != NULL) *end = p;
    return end != NULL || *p == '\0';
}

bool argument_word(const char *text, uint32_t *word, const char **end) {
    const bool negative = text[0] == '-';
    uint64_t value;
    if (!argument_number(negative ? text + 1 : text, negative ? (uint64_t)INT32_MAX + 1 : UINT32_MAX, &value, end))
        return false;
    *word = negative ? 0U - (uint32_t)value : (uint32_t)value;
    return true;
}

static enum status read_hex_digits(const char *text, struct memory_bytes *b, struct diag *d) {
    const char *p = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? text + 2 : text;
    const size_t length = strlen(p);
    if (strchr(p, ',') != NULL)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0,
                        "'%.40s': expected hex bytes, as they lie in memory: 01000000 is a word of 1; or @FILE", text);
    if (length % 2 != 0)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "'%.40s': odd number of hex digits, bytes need two each", text);
    for (size_t i = 0; i < length; i += 2) {
        const unsigned high = memory_digit(p[i]);
        const unsigned low = memory_digit(p[i + 1]);
        if (high > 15 || low > 15)
            return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "'%.40s': expected hex bytes or @FILE", text);
        if (!memory_bytes_put(b, i / 2, high << 4 | low, 1)) return memory_bytes_failed(b, "", d);
    }
    return STATUS_OK;
}

static enum status read_file(const char *path, struct memory_bytes *b, struct diag *d) {
    enum { CHUNK = 4096 };
    FILE *file = fopen(path, "rb");
    if (file == NULL) return diag_errno(d, path, "");
    enum status status = STATUS_OK;
    uint8_t chunk[CHUNK];
    for (size_t count; status == STATUS_OK && (count = fread(chunk, 1, CHUNK, file)) > 0;) {
        const size_t at = b->size;
        if (!memory_bytes_resize(b, at + count))
            status = memory_bytes_failed(b, path, d);
        else
            memcpy(b->data + at, chunk, count);
    }
    if (status == STATUS_OK && ferror(file) != 0) status = diag_errno(d, path, "");
    fclose(file);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static enum status read_named_file(const char *path, struct memory_bytes *b, struct diag *d) {
    if (!memory_file_is(path)) return read_file(path, b, d);
    struct memory_bytes text = {.limit = TEXT_BYTES_MAX};
    enum status status = read_file(path, &text, d);
    if (status == STATUS_OK && !memory_bytes_put(&text, text.size, 0, 1)) status = memory_bytes_failed(&text, path, d);
    if (status == STATUS_OK) status = memory_file_read(path, (char *)text.data, b, d);
    free(text.data);
    return status;
}

enum status argument_bytes(const char *text, size_t limit, uint8_t **bytes, size_t *size, struct diag *d) {
    struct memory_bytes b = {.limit = limit};
    enum status status = text[0] == '@' ? read_named_file(text + 1, &b, d) : read_hex_digits(text, &b, d);
    if (status == STATUS_OK && b.size == 0)
        status = diag_set(d, STATUS_BAD_INPUT, text[0] == '@' ? text + 1 : "", 0, 0, "no bytes in '%.40s'", text);
    if (status != STATUS_OK) {
        free(b.data);
        b = (struct memory_bytes){0};
    }
    *bytes = b.data;
    *size = b.size;
    return status;
}
