/* SPDX-License-Identifier: Apache-2.0 */
#include "memory_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../base/file.h"

bool memory_bytes_resize(struct memory_bytes *b, size_t size) {
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

bool memory_bytes_put(struct memory_bytes *b, size_t offset, uint64_t value, unsigned count) {
    if (!memory_bytes_resize(b, offset + count)) return false;
    for (unsigned i = 0; i < count; i++) b->data[offset + i] = (uint8_t)(value >> 8 * i);
    return true;
}

unsigned memory_digit(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
    return 16;
}

bool memory_digits(const char **text, unsigned radix, uint64_t max, uint64_t *value) {
    const char *p = *text;
    *value = 0;
    for (; memory_digit(*p) < radix; p++) {
        const unsigned digit = memory_digit(*p);
        if (digit > max || *value > (max - digit) / radix) return false;
        *value = *value * radix + digit;
    }
    const bool any = p != *text;
    *text = p;
    return any;
}

enum status memory_bytes_failed(const struct memory_bytes *b, const char *path, struct diag *d) {
    return b->full
               ? diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "more than %zu bytes, all that there is room for", b->limit)
               : diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
}

/* ---------------------------------------------------------------------------- .hex: words in order */

static enum status parse_hex_words(const char *path, char *text, struct memory_bytes *b, struct diag *d) {
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
            if (!memory_digits(&p, 16, UINT32_MAX, &value) || *p != '\0') {
                return diag_set(d, STATUS_BAD_INPUT, path, number, (unsigned)(word - line) + 1,
                                "expected a 32-bit word in hex, found '%.20s'", word);
            }
            if (!memory_bytes_put(b, b->size, value, 4)) return memory_bytes_failed(b, path, d);
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
    return memory_digits(&m->p, radix, UINT64_MAX, value);
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
static enum status mif_entry(struct mif *m, struct memory_bytes *b) {
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
            if (!memory_bytes_put(b, (size_t)at * bytes, value, bytes)) return memory_bytes_failed(b, m->path, m->d);
            at++;
        } while (range && at <= to);
    } while (!range && !mif_accept(m, ";"));
    return !range || mif_accept(m, ";") ? STATUS_OK : mif_error(m, "expected ';'");
}

static enum status parse_mif(const char *path, const char *text, struct memory_bytes *b, struct diag *d) {
    struct mif m = {.path = path, .p = text, .line = 1, .address_radix = 16, .data_radix = 16, .d = d};
    enum status status = mif_header(&m);
    b->width = (unsigned)m.width / 8;
    while (status == STATUS_OK && !mif_accept(&m, "END"))
        status = *m.p == '\0' ? mif_error(&m, "expected END;") : mif_entry(&m, b);
    return status;
}

/* ----------------------------------------------------------------------- .coe, .mem: width of the words as written */

struct word_list {
    const char *path;
    const char *p;
    unsigned line, radix;
    struct memory_bytes *b;
    struct diag *d;
    bool measuring; /* find the widest word, store nothing */
};

static enum status list_error(const struct word_list *l, const char *what) {
    return diag_set(l->d, STATUS_BAD_INPUT, l->path, l->line, 0, "%s", what);
}

/* Bytes of a word with this number of digits. */
static unsigned bytes_of(size_t digits, unsigned radix) {
    const size_t bits = radix == 2 ? digits : radix == 16 ? 4 * digits : 32;
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

/* A word; _ may separate its digits. */
static enum status take_word(struct word_list *l, size_t *at) {
    uint64_t value = 0;
    size_t digits = 0;
    for (; isalnum((unsigned char)*l->p) || *l->p == '_'; l->p++) {
        if (*l->p == '_') continue;
        const unsigned digit = memory_digit(*l->p);
        if (digit >= l->radix || value > (UINT64_MAX - digit) / l->radix)
            return list_error(l, "expected words of up to 64 bits in the radix of the file");
        value = value * l->radix + digit;
        digits++;
    }
    if (digits == 0) return list_error(l, "expected a word");
    const unsigned bytes = bytes_of(digits, l->radix);
    if (l->measuring && bytes > l->b->width) l->b->width = bytes;
    if (!l->measuring && l->b->width == 4 && value > UINT32_MAX) return list_error(l, "a word has more than 32 bits");
    if (!l->measuring && !memory_bytes_put(l->b, *at * l->b->width, value, l->b->width))
        return memory_bytes_failed(l->b, l->path, l->d);
    ++*at;
    return STATUS_OK;
}

/* Length of the C++ comment that begins at s; 0: none. */
static size_t comment_length(const char *s) {
    if (s[0] != '/' || (s[1] != '/' && s[1] != '*')) return 0;
    if (s[1] == '/') return strcspn(s, "\n");
    const char *end = strstr(s + 2, "*/");
    return end != NULL ? (size_t)(end - s) + 2 : strlen(s);
}

/* Blanks, commas and comments. */
static void skip_between(struct word_list *l) {
    for (;;) {
        const size_t comment = comment_length(l->p);
        const bool blank = *l->p == ',' || isspace((unsigned char)*l->p);
        if (comment == 0 && !blank) return;
        for (const char *end = l->p + (comment > 0 ? comment : 1); l->p < end; l->p++) l->line += *l->p == '\n';
    }
}

/* Words, and "@1f" for the address of the next one. */
static enum status read_memory_words(struct word_list *l) {
    size_t at = 0;
    enum status status = STATUS_OK;
    for (skip_between(l); *l->p != '\0' && status == STATUS_OK; skip_between(l)) {
        uint64_t address;
        if (*l->p != '@') {
            status = take_word(l, &at);
            continue;
        }
        l->p++;
        if (!memory_digits(&l->p, 16, UINT32_MAX, &address)) return list_error(l, "expected an address behind @");
        at = (size_t)address;
    }
    return status;
}

static bool take_name(struct word_list *l, const char *name) {
    skip_between(l);
    const size_t length = strlen(name);
    if (strncasecmp(l->p, name, length) != 0) return false;
    l->p += length;
    skip_between(l);
    if (*l->p != '=') return false;
    l->p++;
    skip_between(l);
    return true;
}

/* A line that begins with ; is a comment; any other ; ends the data. */
static void leave_out_coe_comments(char *text) {
    for (char *s = text; *s != '\0';) {
        char *first = s + strspn(s, " \t\r");
        char *end = s + strcspn(s, "\n");
        if (*first == ';')
            for (; first < end; first++) *first = ' ';
        s = *end != '\0' ? end + 1 : end;
    }
}

static enum status read_coe_words(struct word_list *l) {
    uint64_t radix;
    size_t at = 0;
    if (!take_name(l, "memory_initialization_radix") || !memory_digits(&l->p, 10, 16, &radix) ||
        (radix != 2 && radix != 10 && radix != 16))
        return list_error(l, "expected 'memory_initialization_radix = 16;' (2, 10 or 16)");
    l->radix = (unsigned)radix;
    skip_between(l);
    if (*l->p++ != ';' || !take_name(l, "memory_initialization_vector"))
        return list_error(l, "expected 'memory_initialization_vector ='");
    enum status status = STATUS_OK;
    for (skip_between(l); *l->p != '\0' && *l->p != ';' && status == STATUS_OK; skip_between(l))
        status = take_word(l, &at);
    return status;
}

/* Two passes: for the width, and for the words. */
static enum status read_word_list(const char *path, char *text, struct memory_bytes *b, struct diag *d) {
    const bool coe = file_has_suffix(path, ".coe");
    enum status status = STATUS_OK;
    if (coe) leave_out_coe_comments(text);
    b->width = 1;
    for (unsigned pass = 0; pass < 2 && status == STATUS_OK; pass++) {
        struct word_list l = {.path = path, .p = text, .line = 1, .radix = 16, .b = b, .d = d, .measuring = pass == 0};
        status = coe ? read_coe_words(&l) : read_memory_words(&l);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------------ */

bool memory_file_is(const char *path) {
    return file_has_suffix(path, ".hex") || file_has_suffix(path, ".mif") || file_has_suffix(path, ".coe") ||
           file_has_suffix(path, ".mem") || file_has_suffix(path, ".vmem");
}

enum status memory_file_read(const char *path, char *text, struct memory_bytes *b, struct diag *d) {
    if (file_has_suffix(path, ".hex")) return parse_hex_words(path, text, b, d);
    if (file_has_suffix(path, ".mif")) return parse_mif(path, text, b, d);
    return read_word_list(path, text, b, d);
}
