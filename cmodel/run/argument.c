/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes and numbers of the command line, see argument.h. */
#include "argument.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES_MAX = 1 << 28 }; /* of a .hex or .mif file */

/* A growing array of bytes, of at most `limit`; `full`: more were to be stored. */
struct bytes {
    uint8_t *data;
    size_t size, capacity, limit;
    bool full;
};

/* False: beyond the limit, or memory is out (see no_room). */
static bool bytes_resize(struct bytes *b, size_t size) {
    if (size > b->limit) {
        b->full = true;
        return false;
    }
    if (size > b->capacity) {
        const size_t capacity = size < 64 ? 64 : 2 * size;
        uint8_t *data = realloc(b->data, capacity);
        if (data == NULL) return false;
        memset(data + b->capacity, 0, capacity - b->capacity);
        b->data = data;
        b->capacity = capacity;
    }
    b->size = size > b->size ? size : b->size;
    return true;
}

/* Stores `count` bytes of value, least significant first. */
static bool bytes_put(struct bytes *b, size_t offset, uint64_t value, unsigned count) {
    if (!bytes_resize(b, offset + count)) return false;
    for (unsigned i = 0; i < count; i++) b->data[offset + i] = (uint8_t)(value >> 8 * i);
    return true;
}

static unsigned digit_value(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
    return 16;
}

/* Digits of `radix` up to the first other character; false: none, or more than max. */
static bool read_digits(const char **text, unsigned radix, uint64_t max, uint64_t *value) {
    const char *p = *text;
    *value = 0;
    for (; digit_value(*p) < radix; p++) {
        const unsigned digit = digit_value(*p);
        if (digit > max || *value > (max - digit) / radix) return false;
        *value = *value * radix + digit;
    }
    const bool any = p != *text;
    *text = p;
    return any;
}

bool argument_number(const char *text, uint64_t max, uint64_t *value, const char **end) {
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *p = hex ? text + 2 : text;
    if (!read_digits(&p, hex ? 16 : 10, max, value)) return false;
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

/* Why bytes could not be stored. */
static enum status no_room(const struct bytes *b, const char *path, struct diag *d) {
    return b->full
               ? diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "more than %zu bytes, all that there is room for", b->limit)
               : diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
}

static enum status read_hex_digits(const char *text, struct bytes *b, struct diag *d) {
    const char *p = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? text + 2 : text;
    const size_t length = strlen(p);
    if (strchr(p, ',') != NULL)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0,
                        "'%.40s': expected hex bytes, as they lie in memory: 01000000 is a word of 1; or @FILE", text);
    if (length % 2 != 0)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "'%.40s': odd number of hex digits, bytes need two each", text);
    for (size_t i = 0; i < length; i += 2) {
        const unsigned high = digit_value(p[i]);
        const unsigned low = digit_value(p[i + 1]);
        if (high > 15 || low > 15)
            return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "'%.40s': expected hex bytes or @FILE", text);
        if (!bytes_put(b, i / 2, high << 4 | low, 1)) return no_room(b, "", d);
    }
    return STATUS_OK;
}

static enum status read_file(const char *path, struct bytes *b, struct diag *d) {
    enum { CHUNK = 4096 };
    FILE *file = fopen(path, "rb");
    if (file == NULL) return diag_errno(d, path, "");
    enum status status = STATUS_OK;
    uint8_t chunk[CHUNK];
    for (size_t count; status == STATUS_OK && (count = fread(chunk, 1, CHUNK, file)) > 0;) {
        const size_t at = b->size;
        if (!bytes_resize(b, at + count))
            status = no_room(b, path, d);
        else
            memcpy(b->data + at, chunk, count);
    }
    if (status == STATUS_OK && ferror(file) != 0) status = diag_errno(d, path, "");
    fclose(file);
    return status;
}

/* ---------------------------------------------------------------------------- .hex: words in order */

static enum status parse_hex_words(const char *path, char *text, struct bytes *b, struct diag *d) {
    unsigned number = 0;
    for (char *line = text; line != NULL;) {
        char *next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        number++;
        line[strcspn(line, "#")] = '\0';
        for (char *save = NULL, *word = strtok_r(line, " \t\r", &save); word != NULL;
             word = strtok_r(NULL, " \t\r", &save)) {
            const char *p = strncmp(word, "0x", 2) == 0 || strncmp(word, "0X", 2) == 0 ? word + 2 : word;
            uint64_t value;
            if (!read_digits(&p, 16, UINT32_MAX, &value) || *p != '\0') {
                return diag_set(d, STATUS_BAD_INPUT, path, number, (unsigned)(word - line) + 1,
                                "expected a 32-bit word in hex, found '%.20s'", word);
            }
            if (!bytes_put(b, b->size, value, 4)) return no_room(b, path, d);
        }
        line = next;
    }
    return STATUS_OK;
}

/* ---------------------------------------------------------------------------- .mif */

/* A memory initialisation file: WIDTH bits a word, DEPTH words, "address : data ;" or "[from..to] : data ... ;". */
struct mif {
    const char *path;
    const char *p;
    unsigned line;
    uint64_t width, depth;
    unsigned address_radix, data_radix;
    struct diag *d;
};

static enum status mif_error(struct mif *m, const char *what) {
    return diag_set(m->d, STATUS_BAD_INPUT, m->path, m->line, 0, "%s", what);
}

/* Skips blanks and comments: -- to the end of the line, % ... %. */
static void mif_skip(struct mif *m) {
    for (;;) {
        if (*m->p == '\n') m->line++;
        if (isspace((unsigned char)*m->p)) {
            m->p++;
        } else if (m->p[0] == '-' && m->p[1] == '-') {
            m->p += strcspn(m->p, "\n");
        } else if (*m->p == '%') {
            const char *end = strchr(m->p + 1, '%');
            for (; m->p != end && *m->p != '\0'; m->p++)
                if (*m->p == '\n') m->line++;
            m->p += *m->p == '%';
        } else {
            return;
        }
    }
}

static bool mif_accept(struct mif *m, const char *word) {
    mif_skip(m);
    if (strncasecmp(m->p, word, strlen(word)) != 0) return false;
    m->p += strlen(word);
    return true;
}

static bool mif_radix(struct mif *m, unsigned *radix) {
    static const struct {
        const char *name;
        unsigned radix;
    } NAMES[] = {
        {"HEX", 16},
        {"DEC", 10},
        {"UNS", 10},
        {"BIN", 2 },
        {"OCT", 8 }
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (mif_accept(m, NAMES[i].name)) {
            *radix = NAMES[i].radix;
            return true;
        }
    }
    return false;
}

static bool mif_value(struct mif *m, unsigned radix, uint64_t *value) {
    mif_skip(m);
    return read_digits(&m->p, radix, UINT64_MAX, value);
}

static enum status mif_header(struct mif *m) {
    while (!mif_accept(m, "CONTENT")) {
        bool ok;
        if (mif_accept(m, "WIDTH"))
            ok = mif_accept(m, "=") && mif_value(m, 10, &m->width);
        else if (mif_accept(m, "DEPTH"))
            ok = mif_accept(m, "=") && mif_value(m, 10, &m->depth);
        else if (mif_accept(m, "ADDRESS_RADIX"))
            ok = mif_accept(m, "=") && mif_radix(m, &m->address_radix);
        else if (mif_accept(m, "DATA_RADIX"))
            ok = mif_accept(m, "=") && mif_radix(m, &m->data_radix);
        else
            return mif_error(m, "expected WIDTH, DEPTH, ADDRESS_RADIX, DATA_RADIX or CONTENT");
        if (!ok || !mif_accept(m, ";")) return mif_error(m, "expected '= value;'");
    }
    const bool whole_bytes = m->width == 8 || m->width == 16 || m->width == 32 || m->width == 64;
    if (!whole_bytes || m->depth == 0 || m->depth > UINT32_MAX / 8)
        return mif_error(m, "WIDTH must be 8, 16, 32 or 64, and DEPTH a number of words");
    return mif_accept(m, "BEGIN") ? STATUS_OK : mif_error(m, "expected BEGIN");
}

/* One "address : data ;" entry into b. */
static enum status mif_entry(struct mif *m, struct bytes *b) {
    const unsigned bytes = (unsigned)m->width / 8;
    uint64_t from, to, value;
    const bool range = mif_accept(m, "[");
    bool ok = mif_value(m, m->address_radix, &from);
    to = from;
    if (range) ok = ok && mif_accept(m, "..") && mif_value(m, m->address_radix, &to) && mif_accept(m, "]");
    if (!ok || !mif_accept(m, ":")) return mif_error(m, "expected 'address : data;'");
    if (to >= m->depth || from > to) return mif_error(m, "address beyond DEPTH");
    uint64_t at = from;
    do {
        if (!mif_value(m, m->data_radix, &value) || (m->width < 64 && value >> m->width != 0) || at >= m->depth)
            return mif_error(m, "expected data that fits WIDTH and DEPTH");
        do {
            if (!bytes_put(b, (size_t)at * bytes, value, bytes)) return no_room(b, m->path, m->d);
            at++;
        } while (range && at <= to);
    } while (!range && !mif_accept(m, ";"));
    return !range || mif_accept(m, ";") ? STATUS_OK : mif_error(m, "expected ';'");
}

static enum status parse_mif(const char *path, const char *text, struct bytes *b, struct diag *d) {
    struct mif m = {.path = path, .p = text, .line = 1, .address_radix = 16, .data_radix = 16, .d = d};
    enum status status = mif_header(&m);
    while (status == STATUS_OK && !mif_accept(&m, "END"))
        status = *m.p == '\0' ? mif_error(&m, "expected END;") : mif_entry(&m, b);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static bool has_suffix(const char *path, const char *suffix) {
    const size_t length = strlen(path);
    return length >= strlen(suffix) && strcasecmp(path + length - strlen(suffix), suffix) == 0;
}

static enum status read_named_file(const char *path, struct bytes *b, struct diag *d) {
    if (!has_suffix(path, ".hex") && !has_suffix(path, ".mif")) return read_file(path, b, d);
    struct bytes text = {.limit = TEXT_BYTES_MAX};
    enum status status = read_file(path, &text, d);
    if (status == STATUS_OK && !bytes_put(&text, text.size, 0, 1)) status = no_room(&text, path, d);
    if (status == STATUS_OK) {
        status = has_suffix(path, ".hex") ? parse_hex_words(path, (char *)text.data, b, d)
                                          : parse_mif(path, (const char *)text.data, b, d);
    }
    free(text.data);
    return status;
}

enum status argument_bytes(const char *text, size_t limit, uint8_t **bytes, size_t *size, struct diag *d) {
    struct bytes b = {.limit = limit};
    enum status status = text[0] == '@' ? read_named_file(text + 1, &b, d) : read_hex_digits(text, &b, d);
    if (status == STATUS_OK && b.size == 0)
        status = diag_set(d, STATUS_BAD_INPUT, text[0] == '@' ? text + 1 : "", 0, 0, "no bytes in '%.40s'", text);
    if (status != STATUS_OK) {
        free(b.data);
        b = (struct bytes){0};
    }
    *bytes = b.data;
    *size = b.size;
    return status;
}
