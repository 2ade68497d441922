/* SPDX-License-Identifier: Apache-2.0 */
/* Records of printf as text, see print.h. */
#include "print.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/memstream.h"
#include "../../assembler/base/word_at.h"
#include "../../assembler/image/printed.h"

enum { WORD = 4, PLACES = 64, CHUNK = 64, LONGEST = 1 << 20, SPEC = 16 };

struct argument {
    const uint8_t *bytes;
    unsigned size;
    bool is_constant;
};

/* A string of global memory. */
struct string {
    uint32_t addr;
    size_t most; /* characters that were wanted of it */
    char *text;
};

struct printer {
    const struct image *image;
    print_read_fn *read;
    void *state;
    FILE *out;
    struct string formats[PLACES], strings[PLACES]; /* read so far, by their addresses; a later one takes the place */
    bool no_memory;
    struct argument *list; /* of the record, behind its format */
    size_t count, capacity, next;
};

enum status print_no_memory(struct diag *d) {
    return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for what printf prints");
}

/* ---- strings ---- */

/* Of `most` characters none need be a terminator. */
static const char *constant_string(const struct image *image, uint32_t addr, size_t most) {
    if (addr >= image->bank[0].size) return NULL;
    const uint8_t *text = image->bank[0].bytes + addr;
    const size_t rest = image->bank[0].size - addr;
    return most <= rest || memchr(text, '\0', rest) != NULL ? (const char *)text : NULL;
}

/* Up to `most` characters, in pieces that end at a multiple of CHUNK, as memory does. */
static char *read_string(struct printer *p, uint32_t addr, size_t most) {
    char *text = NULL;
    size_t size = 0;
    do {
        const size_t rest = most - size, whole = CHUNK - (addr + size) % CHUNK, more = whole < rest ? whole : rest;
        char *grown = realloc(text, size + more + 1);
        p->no_memory |= grown == NULL;
        if (grown == NULL || !p->read(p->state, addr + (uint32_t)size, (uint8_t *)grown + size, more)) {
            free(grown != NULL ? grown : text);
            return NULL;
        }
        text = grown;
        if (memchr(text + size, '\0', more) != NULL) return text;
        size += more;
    } while (size < most);
    text[size] = '\0';
    return text;
}

/* NULL: there is none. It is valid until the next one from the same list: a format outlives its arguments. */
static const char *string_at(struct printer *p, struct string list[PLACES], const struct argument *a, size_t most) {
    const uint32_t addr = word_at(a->bytes);
    if (a->is_constant) return constant_string(p->image, addr, most);
    struct string *s = &list[addr / WORD % PLACES];
    if (s->text != NULL && s->addr == addr && s->most == most) return s->text;
    free(s->text);
    *s = (struct string){addr, most, addr != 0 ? read_string(p, addr, most) : NULL};
    return s->text;
}

/* ---- arguments ---- */

/* The next one; zeros where there are too few. */
static struct argument take(struct printer *p) {
    static const uint8_t zeros[PRINTED_LARGEST];
    if (p->next < p->count) return p->list[p->next++];
    return (struct argument){.bytes = zeros, .size = PRINTED_LARGEST};
}

static uint64_t number_at(const uint8_t *bytes, unsigned size) {
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++) value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static int64_t extended(uint64_t value, unsigned size, bool is_signed) {
    const unsigned bits = 64 - 8 * size;
    return is_signed ? (int64_t)(value << bits) >> bits : (int64_t)(value << bits >> bits);
}

static double half_value(uint64_t half) {
    const int exponent = (int)(half >> 10 & 31);
    const double mantissa = (double)(half & 0x3ff), sign = (half & 0x8000) != 0 ? -1 : 1;
    if (exponent == 31) return mantissa != 0 ? copysign(NAN, sign) : sign * INFINITY;
    return sign * (exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024, exponent - 25));
}

static double real_value(uint64_t value, unsigned size) {
    double number;
    float single;
    const uint32_t bits = (uint32_t)value;
    if (size == 2) return half_value(value);
    if (size == sizeof single) {
        memcpy(&single, &bits, sizeof single);
        return (double)single;
    }
    memcpy(&number, &value, sizeof number);
    return number;
}

/* ---- conversions ---- */

/* "%-*.*lld", with width and precision as arguments. */
static void spell(const struct printed_conversion *c, const char *length, char spec[SPEC]) {
    static const char FLAGS[] = "-+ #0";
    *spec++ = '%';
    for (unsigned i = 0; FLAGS[i] != '\0'; i++)
        if ((c->flags >> i & 1) != 0) *spec++ = FLAGS[i];
    snprintf(spec, SPEC - sizeof FLAGS, "*.*%s%c", length, c->kind);
}

static int width_of(const struct printed_conversion *c) { return c->width == PRINTED_NONE ? 0 : c->width; }

static bool is_one_of(char kind, const char *kinds) { return kind != '\0' && strchr(kinds, kind) != NULL; }

static bool is_real(const struct printed_conversion *c) { return is_one_of(c->kind, "aAeEfFgG"); }

/* A number of `size` bytes, which its type has or the conversion says. */
static void print_number(const struct printer *p, const struct printed_conversion *c, uint64_t value, unsigned size) {
    char spec[SPEC];
    const bool is_signed = is_one_of(c->kind, "di");
    spell(c, is_real(c) ? "" : "ll", spec);
    if (is_real(c))
        fprintf(p->out, spec, width_of(c), c->precision, real_value(value, size));
    else
        fprintf(p->out, spec, width_of(c), c->precision, (long long)extended(value, size, is_signed));
}

static unsigned bytes_of(enum printed_length length, unsigned other) {
    switch (length) {
    case PRINTED_HH: return 1;
    case PRINTED_H: return 2;
    case PRINTED_HL: return WORD;
    case PRINTED_L:
    case PRINTED_LL:
    case PRINTED_J: return 8;
    default: return other;
    }
}

static void print_scalar(struct printer *p, const struct printed_conversion *c) {
    const struct argument a = take(p);
    const unsigned size = a.size < 8 ? a.size : 8, most = c->length >= PRINTED_Z ? 8 : bytes_of(c->length, WORD);
    print_number(p, c, number_at(a.bytes, size), is_real(c) || size < most ? size : most);
}

static void print_vector(struct printer *p, const struct printed_conversion *c) {
    const struct argument a = take(p);
    const unsigned places = c->vector == 3 ? 4 : c->vector;
    const unsigned natural = a.size >= places ? a.size / places : 1, size = bytes_of(c->length, natural);
    for (unsigned i = 0; i < c->vector; i++) {
        const bool is_there = (i + 1) * size <= a.size && size <= 8;
        if (i > 0) fputc(',', p->out);
        print_number(p, c, is_there ? number_at(a.bytes + i * size, size) : 0, size <= 8 ? size : 8);
    }
}

static void print_string(struct printer *p, const struct printed_conversion *c) {
    char spec[SPEC];
    const struct argument a = take(p);
    const size_t most = c->precision == PRINTED_NONE ? LONGEST : (size_t)c->precision;
    const char *text = string_at(p, p->strings, &a, most);
    spell(c, "", spec);
    fprintf(p->out, spec, width_of(c), c->precision, text != NULL ? text : "(null)");
}

static void print_pointer(struct printer *p, const struct printed_conversion *c) {
    char spec[SPEC];
    const struct argument a = take(p);
    const uintptr_t address = (uintptr_t)number_at(a.bytes, a.size < 8 ? a.size : 8);
    void *pointer;
    memcpy(&pointer, &address, sizeof pointer);
    spell(c, "", spec);
    fprintf(p->out, spec, width_of(c), c->precision, pointer);
}

static void print_character(struct printer *p, const struct printed_conversion *c) {
    char spec[SPEC];
    const struct argument a = take(p);
    spell(c, "", spec);
    fprintf(p->out, spec, width_of(c), c->precision, a.bytes[0]);
}

static int take_star(struct printer *p) {
    const int32_t number = (int32_t)word_at(take(p).bytes);
    if (number > PRINTED_WIDEST) return PRINTED_WIDEST;
    return number < -PRINTED_WIDEST ? -PRINTED_WIDEST : number;
}

/* A negative width is to the left, a negative precision none. */
static void take_stars(struct printer *p, struct printed_conversion *c) {
    if (c->width == PRINTED_STAR) {
        c->width = take_star(p);
        if (c->width < 0) c->flags |= PRINTED_LEFT;
        c->width = abs(c->width);
    }
    if (c->precision == PRINTED_STAR) c->precision = take_star(p);
    if (c->precision < 0) c->precision = PRINTED_NONE;
}

static void convert(struct printer *p, const char *text, size_t length, struct printed_conversion *c) {
    take_stars(p, c);
    if (c->kind == 's')
        print_string(p, c);
    else if (c->kind == 'p')
        print_pointer(p, c);
    else if (c->kind == 'c')
        print_character(p, c);
    else if (c->kind == 'n')
        take(p);
    else if (printed_takes(c))
        c->vector > 0 ? print_vector(p, c) : print_scalar(p, c);
    else if (c->kind == '%')
        fputc('%', p->out);
    else
        fwrite(text, 1, length, p->out);
}

static void print_format(struct printer *p, const char *format) {
    while (*format != '\0') {
        struct printed_conversion c;
        const size_t plain = strcspn(format, "%");
        fwrite(format, 1, plain, p->out);
        format += plain;
        if (*format == '\0') return;
        const size_t length = printed_read(format, &c);
        convert(p, format, length, &c);
        format += length;
    }
}

/* ---- records ---- */

static bool make_room(struct printer *p, size_t count) {
    if (count <= p->capacity) return true;
    struct argument *grown = realloc(p->list, count * sizeof *grown);
    p->no_memory |= grown == NULL;
    if (grown == NULL) return false;
    p->list = grown;
    p->capacity = count;
    return true;
}

/* The arguments of a record; false: it is none. */
static bool list_arguments(struct printer *p, const uint8_t *record, uint32_t words, uint32_t count) {
    const uint8_t *sizes = record + WORD;
    uint32_t at = 1 + (count + WORD - 1) / WORD;
    if (at > words || !make_room(p, count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned low = sizes[i] & (PRINTED_CONSTANT - 1), size = low != 0 ? low : PRINTED_LARGEST;
        p->list[i] = (struct argument){record + WORD * at, size, (sizes[i] & PRINTED_CONSTANT) != 0};
        at += (size + WORD - 1) / WORD;
        if (at > words) return false;
    }
    p->count = count;
    return true;
}

static void print_all(struct printer *p, const uint8_t *records, size_t size) {
    for (size_t at = 0, words; at + WORD <= size && !p->no_memory; at += WORD * words) {
        const uint32_t head = word_at(records + at);
        words = head & PRINTED_WORDS;
        if (words == 0 || words > (size - at) / WORD) return;
        if (head >> 16 == 0) continue; /* a string */
        if (!list_arguments(p, records + at, (uint32_t)words, head >> 16)) return;
        p->next = 1;
        const char *format = string_at(p, p->formats, &p->list[0], LONGEST);
        if (format != NULL) print_format(p, format);
    }
}

/* Numbers are printed as in the locale "C", whatever that of the application is. */
static void print_plainly(struct printer *p, const uint8_t *records, size_t size) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    print_all(p, records, size);
    if (plain != (locale_t)0) uselocale(before);
    if (plain != (locale_t)0) freelocale(plain);
}

/* Without memory for all, the text before. */
static enum status write_text(const struct printer *p, const char *text, size_t length, FILE *out, struct diag *d) {
    const bool is_written = fwrite(text, 1, length, out) == length && fflush(out) == 0;
    if (!is_written) return diag_errno(d, "", "cannot write what printf prints");
    return p->no_memory ? print_no_memory(d) : STATUS_OK;
}

enum status print_records(const struct image *image, const uint8_t *records, size_t size, print_read_fn *read,
                          void *state, FILE *out, struct diag *d) {
    char *text = NULL;
    size_t length = 0;
    struct printer p = {.image = image, .read = read, .state = state, .out = open_memstream(&text, &length)};
    if (p.out == NULL) return print_no_memory(d);
    print_plainly(&p, records, size);
    const bool is_whole = memstream_close(p.out, &text);
    const enum status status = is_whole ? write_text(&p, text, length, out, d) : print_no_memory(d);
    for (unsigned i = 0; i < PLACES; i++) {
        free(p.formats[i].text);
        free(p.strings[i].text);
    }
    free(p.list);
    free(text);
    return status;
}

/* ---- regions ---- */

static bool is_printed(const struct image *image, const struct image_variable *v) {
    return v != NULL && v->space == IMAGE_CONSTANT && v->size == PRINTED_BYTES &&
           (uint64_t)v->addr + PRINTED_BYTES <= image->bank[0].size;
}

const struct image_variable *print_find(const struct image *image) {
    const struct image_variable *v = image_find_variable(image, PRINTED, strlen(PRINTED));
    if (v == NULL) v = image_find_variable(image, PRINTED_WARPS, strlen(PRINTED_WARPS));
    return is_printed(image, v) ? v : NULL;
}

uint32_t print_buffer_bytes(uint32_t global_bytes) {
    enum { PART = 8, MOST = 1 << 20, ALIGN = 256 };
    const uint32_t bytes = global_bytes / PART / ALIGN * ALIGN;
    return bytes < MOST ? bytes : MOST;
}

struct print_regions print_divide(const struct image *image, const struct image_variable *v, uint32_t buffer,
                                  uint32_t bytes) {
    const uint64_t blocks = (uint64_t)image->grid[0] * image->grid[1];
    const uint64_t count = strcmp(v->name, PRINTED) == 0 ? 1 : blocks * block_warps(image->block);
    const uint64_t each = count > 0 ? bytes / count : 0;
    if (each < 2 * WORD) return (struct print_regions){.counts = buffer, .first = buffer};
    const uint32_t size = (uint32_t)(each - WORD) / WORD * WORD;
    return (struct print_regions){(uint32_t)count, size, buffer, buffer + WORD * (uint32_t)count};
}

uint32_t print_taken(const struct print_regions *r, uint32_t count, bool *is_full) {
    *is_full |= count >= PRINTED_FULL;
    return count < r->size ? count : r->size;
}

void print_set(const struct print_regions *r, const struct image_variable *v, uint8_t *bank) {
    const uint32_t words[] = {r->counts, r->size, r->first};
    for (unsigned i = 0; i < PRINTED_BYTES / WORD; i++) put_word_at(bank + v->addr + WORD * i, words[i]);
}

/* ---- launches of tools ---- */

/* A piece of memory that the launch sets meets these bytes; *addr is then where it begins. */
static bool is_taken(const struct image *image, uint32_t *addr, uint32_t size) {
    for (size_t i = 0; i < image->global_count; i++) {
        const struct image_piece *p = &image->global[i];
        if (p->size == 0 || *addr >= (uint64_t)p->addr + p->size || p->addr >= (uint64_t)*addr + size) continue;
        *addr = p->addr;
        return true;
    }
    return false;
}

enum status print_place(struct launch *run, const struct machine *limits, struct diag *d) {
    struct image *image = run->image;
    const struct image_variable *v = print_find(image);
    if (v == NULL) return STATUS_OK;
    const uint32_t size = print_buffer_bytes(limits->global_bytes);
    uint32_t addr = limits->global_bytes - size;
    while (is_taken(image, &addr, size)) {
        if (addr < 2 * size)
            return diag_set(d, STATUS_BAD_INPUT, run->path, 0, 0,
                            "global memory has no room for the %" PRIu32 " bytes of what printf prints: --global-bytes",
                            size);
        addr = (addr - size) / WORD * WORD;
    }
    uint8_t *zeros = calloc(size, 1);
    enum status status = zeros != NULL ? image_add_global(image, addr, zeros, size) : STATUS_NO_MEMORY;
    free(zeros);
    if (status != STATUS_OK) return diag_set(d, status, "", 0, 0, "out of memory");
    const struct print_regions r = print_divide(image, v, addr, size);
    print_set(&r, v, image->bank[0].bytes);
    return STATUS_OK;
}

struct memory {
    const uint8_t *bytes;
    size_t size;
};

static bool read_memory(void *state, uint32_t addr, uint8_t *bytes, size_t size) {
    const struct memory *m = state;
    if (addr > m->size || size > m->size - addr) return false;
    memcpy(bytes, m->bytes + addr, size);
    return true;
}

/* The piece that print_place has added; NULL: it was not called. */
static const struct image_piece *find_buffer(const struct image *image, uint32_t counts) {
    for (size_t i = image->global_count; i-- > 0;)
        if (image->global[i].addr == counts && image->global[i].size > 0) return &image->global[i];
    return NULL;
}

enum status print_results(const struct launch *run, const uint8_t *global, size_t global_bytes, FILE *out,
                          FILE *messages, struct diag *d) {
    const struct image *image = run->image;
    const struct image_variable *v = print_find(image);
    if (v == NULL) return STATUS_OK;
    const struct image_piece *buffer = find_buffer(image, word_at(image->bank[0].bytes + v->addr));
    if (buffer == NULL || (uint64_t)buffer->addr + buffer->size > global_bytes) return STATUS_OK;
    const struct print_regions r = print_divide(image, v, buffer->addr, (uint32_t)buffer->size);
    struct memory m = {global, global_bytes};
    bool is_full = false;
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < r.count && status == STATUS_OK; i++) {
        const uint32_t bytes = print_taken(&r, word_at(global + r.counts + WORD * i), &is_full);
        if (bytes > 0) status = print_records(image, global + r.first + r.size * i, bytes, read_memory, &m, out, d);
    }
    if (r.count == 0)
        fprintf(messages, "%s: warning: printf: its buffer of %zu bytes is too small for so many warps\n", run->path,
                buffer->size);
    if (is_full) fprintf(messages, "%s: warning: printf: its buffer of %zu bytes was full\n", run->path, buffer->size);
    return status;
}
