/* SPDX-License-Identifier: Apache-2.0 */
/* .hex files: code words as text. */
#include <stdbool.h>
#include <string.h>

#include "image_hex.h"

static int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* The word of one line, without its comment. False if it is not a word of up to 8 digits. */
static bool read_word(const char *s, size_t length, uint32_t *word) {
    if (length > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) s += 2, length -= 2;
    if (length == 0 || length > 8) return false;
    *word = 0;
    for (size_t i = 0; i < length; i++) {
        int digit = digit_value(s[i]);
        if (digit < 0) return false;
        *word = *word << 4 | (uint32_t)digit;
    }
    return true;
}

enum status image_from_hex(const char *path, const char *text, size_t size, struct image **img, struct diag *d) {
    struct image *result = image_create();
    enum status status = result != NULL && image_set_name(result, "kernel", 6) == STATUS_OK &&
                                 image_add_file(result, path, strlen(path)) == STATUS_OK
                             ? STATUS_OK
                             : STATUS_NO_MEMORY;
    unsigned line = 0;
    for (size_t at = 0; at < size && status == STATUS_OK;) {
        const char *s = text + at, *newline = memchr(s, '\n', size - at);
        size_t length = newline != NULL ? (size_t)(newline - s) : size - at;
        at += length + 1;
        line++;
        const char *comment = memchr(s, '#', length);
        if (comment != NULL) length = (size_t)(comment - s);
        unsigned column = 1;
        for (; length > 0 && (*s == ' ' || *s == '\t'); length--, column++) s++;
        while (length > 0 && strchr(" \t\r", s[length - 1]) != NULL) length--;
        uint32_t word, pc = (uint32_t)result->code_words * 4;
        if (length == 0) continue;
        if (!read_word(s, length, &word))
            status = diag_set(d, STATUS_BAD_INPUT, path, line, column, "expected one 32-bit word in hexadecimal");
        else if (image_add_code(result, word) != STATUS_OK || image_add_line(result, pc, line, 0) != STATUS_OK)
            status = STATUS_NO_MEMORY;
    }
    if (status == STATUS_OK && result->code_words == 0)
        status = diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "file has no code");
    if (status == STATUS_NO_MEMORY) diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    if (status == STATUS_OK)
        *img = result;
    else
        image_destroy(result);
    return status;
}

enum status image_from_bytes(const char *path, const uint8_t *bytes, size_t size, struct image **img, struct diag *d) {
    *img = NULL;
    if (size == 0) return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "file has no code");
    if (size % 4 != 0)
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "%zu bytes are no whole number of 32-bit words", size);
    struct image *result = image_create();
    enum status status = result != NULL ? image_set_name(result, "kernel", 6) : STATUS_NO_MEMORY;
    for (size_t i = 0; i < size && status == STATUS_OK; i += 4) {
        uint32_t word = 0;
        for (unsigned k = 0; k < 4; k++) word |= (uint32_t)bytes[i + k] << 8 * k;
        status = image_add_code(result, word);
    }
    if (status == STATUS_OK)
        *img = result;
    else
        image_destroy(result);
    return status == STATUS_OK ? STATUS_OK : diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
}
