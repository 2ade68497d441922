/* SPDX-License-Identifier: Apache-2.0 */
#include "nvdisasm.h"

#include <stdlib.h>
#include <string.h>

#include "../base/grow.h"
#include "lines.h"

/* A block's shared memory before the kernel's own variables, if the size of the parameters is unknown: the header, and
 * the maximum of parameters. */
enum { SHARED_BEFORE = 16 + 256, SHARED_MOST = 16384, BANK_NUMBER_MAX = 1000 };

static size_t offset_of(const struct assembler *a, const char *s) { return (size_t)(s - a->scan.clean); }

/* ---- PTX ---- */

/* A heading of cuobjdump. PTX itself has no such lines. */
static bool is_heading_of_code(const char *s, size_t length) {
    return starts_with(s, length, "Fatbin elf code") || starts_with(s, length, "code for sm_");
}

/* The heading of PTX, or PTX without a heading in a text with code further down. */
static bool begins_ptx(const struct assembler *a, const char *s, size_t length) {
    if (starts_with(s, length, "Fatbin ptx code")) return true;
    const size_t left = a->scan.size - offset_of(a, s);
    return starts_with(s, length, ".version ") && memmem(s, left, "code for sm_", strlen("code for sm_")) != NULL;
}

static bool is_ptx(struct assembler *a, const char *s, size_t length) {
    if (is_heading_of_code(s, length)) a->listing.in_ptx = false;
    if (begins_ptx(a, s, length)) a->listing.in_ptx = a->listing.saw_ptx = true;
    return a->listing.in_ptx;
}

/* ---- sections ---- */

/* Begins the constants of a section with that name; the kernel's name follows the bank's number. */
static enum listing_section begin_constants(struct assembler *a, const char *name, size_t length) {
    struct listing *l = &a->listing;
    size_t at = strlen(".nv.constant");
    unsigned bank = 0;
    for (; at < length && name[at] >= '0' && name[at] <= '9' && bank < BANK_NUMBER_MAX; at++)
        bank = bank * 10 + (unsigned)(name[at] - '0');
    if (bank >= IMAGE_CONST_BANKS) return SECTION_OTHER;
    struct listing_constants *grown = grow_array(l->constants, l->constant_count, &l->constant_capacity, sizeof *grown);
    if (grown == NULL) return (void)no_memory(a), SECTION_OTHER;
    l->constants = grown;
    struct listing_constants *c = &l->constants[l->constant_count++];
    *c = (struct listing_constants){.bank = bank};
    if (at < length && name[at] == '.') {
        c->kernel = name + at + 1;
        c->kernel_length = length - at - 1;
    }
    return SECTION_CONSTANTS;
}

static void begin_section(struct assembler *a, const char *s, size_t length) {
    static const char code[] = ".text.";
    const size_t at = skip_blanks(s, strlen(".section"), length);
    const char *name = s + at;
    size_t n = 0;
    while (at + n < length && name[n] != ',' && !is_blank(name[n])) n++;
    a->listing.section = SECTION_OTHER;
    if (starts_with(name, n, code)) {
        a->listing.section = SECTION_CODE;
        assembler_begin_kernel(a, name + sizeof code - 1, n - (sizeof code - 1), offset_of(a, s));
    } else if (starts_with(name, n, ".nv.constant")) {
        a->listing.section = begin_constants(a, name, n);
    } else if (starts_with(name, n, ".nv.shared.")) {
        a->listing.section = SECTION_SHARED;
    } else if (starts_with(name, n, ".nv.local.")) {
        a->listing.section = SECTION_LOCAL;
    }
    const char *dot = memchr(name + (n > 4 ? 4 : n), '.', n > 4 ? n - 4 : 0);
    a->listing.name = dot != NULL ? dot + 1 : name + n;
    a->listing.name_length = (size_t)(name + n - a->listing.name);
}

/* ---- data ---- */

static bool append_number(struct assembler *a, struct listing_constants *c, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) {
        uint8_t *grown = grow_array(c->bytes, c->size, &c->capacity, 1);
        if (grown == NULL) return no_memory(a);
        c->bytes = grown;
        c->bytes[c->size++] = (uint8_t)(value >> (8 * i));
    }
    return true;
}

/* Bytes of each value of the directive; 0: it has no values. */
static unsigned value_bytes(const char *s, size_t length, size_t *name_bytes) {
    static const struct {
        const char *name;
        unsigned bytes;
    } NAMES[] = {
        {".byte",  1},
        {".short", 2},
        {".half",  2},
        {".word",  4},
        {".dword", 8},
        {".quad",  8}
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        *name_bytes = strlen(NAMES[i].name);
        if (starts_with(s, length, NAMES[i].name) && length > *name_bytes && is_blank(s[*name_bytes]))
            return NAMES[i].bytes;
    }
    return 0;
}

static void constant_data(struct assembler *a, const char *s, size_t length) {
    struct listing_constants *c = &a->listing.constants[a->listing.constant_count - 1];
    size_t at = 0;
    const unsigned bytes = value_bytes(s, length, &at);
    while (bytes > 0 && at < length) {
        char *end;
        at = skip_blanks(s, at, length);
        const uint64_t value = strtoull(s + at, &end, 0);
        const size_t next = skip_blanks(s, (size_t)(end - s), length);
        if (end == s + at || (next < length && s[next] != ',')) {
            messages_add(a->messages, offset_of(a, s + at), 1, "expected numbers; only the cubin has the addresses");
            return;
        }
        if (c->size + bytes > IMAGE_BANK_BYTES) {
            messages_add(a->messages, offset_of(a, s), 1, "constant bank is larger than 64 KB");
            return;
        }
        if (!append_number(a, c, value, bytes)) return;
        at = next + 1;
    }
}

/* ".zero 64", ".skip 64": the number of bytes. */
static unsigned zero_bytes(const char *s, size_t length) {
    if (!starts_with(s, length, ".zero") && !starts_with(s, length, ".skip") && !starts_with(s, length, ".space"))
        return 0;
    const size_t at = skip_blanks(s, strcspn(s, " \t"), length);
    const unsigned long value = strtoul(s + at, NULL, 0);
    return value <= IMAGE_BANK_BYTES ? (unsigned)value : IMAGE_BANK_BYTES;
}

static struct image *find_kernel(struct assembler *a, const char *name, size_t length) {
    for (size_t i = 0; i < a->kernel_count; i++) {
        const char *own = a->kernels[i].image->name;
        if (own != NULL && strlen(own) == length && memcmp(own, name, length) == 0) return a->kernels[i].image;
    }
    return NULL;
}

static void section_data(struct assembler *a, const char *s, size_t length) {
    struct listing *l = &a->listing;
    const unsigned zeros = zero_bytes(s, length);
    if (l->section == SECTION_CONSTANTS && zeros == 0) constant_data(a, s, length);
    if (l->section == SECTION_CONSTANTS)
        for (unsigned i = 0; i < zeros; i++) append_number(a, &l->constants[l->constant_count - 1], 0, 1);
    if (zeros == 0 || (l->section != SECTION_SHARED && l->section != SECTION_LOCAL)) return;
    struct listing_size *grown = grow_array(l->sizes, l->size_count, &l->size_capacity, sizeof *grown);
    if (grown == NULL) {
        no_memory(a);
        return;
    }
    l->sizes = grown;
    l->sizes[l->size_count++] = (struct listing_size){l->section, l->name, l->name_length, zeros};
}

/* ---- lines of a section of code ---- */

/* True for a line that describes a symbol or the section. Our own .global has a '=' and .local a number. */
static bool is_description(struct assembler *a, const char *s, size_t length) {
    static const char *const NAMES[] = {".sectioninfo", ".sectionflags", ".sectionentsize", ".align",
                                        ".type",        ".size",         ".other",          ".weak"};
    static const char registers[] = "SHI_REGISTERS=";
    const char *number = memmem(s, length, registers, sizeof registers - 1);
    size_t i = 0;
    while (i < sizeof NAMES / sizeof NAMES[0] && !starts_with(s, length, NAMES[i])) i++;
    const bool linkage = starts_with(s, length, ".global ") || starts_with(s, length, ".local ");
    const size_t symbol = skip_blanks(s, strcspn(s, " \t"), length);
    const bool named = symbol < length && !(s[symbol] >= '0' && s[symbol] <= '9') && memchr(s, '=', length) == NULL;
    if (i == sizeof NAMES / sizeof NAMES[0] && !(linkage && named)) return false;
    if (i == 0 && number != NULL)
        current_kernel(a)->image->regs = (unsigned)strtoul(number + sizeof registers - 1, NULL, 10);
    return true;
}

bool nvdisasm_line(struct assembler *a, const char *s, size_t length) {
    struct listing *l = &a->listing;
    if (is_ptx(a, s, length)) return true;
    if (starts_with(s, length, ".section") && length > 8 && is_blank(s[8])) {
        begin_section(a, s, length);
        return true;
    }
    if (starts_with(s, length, ".elftype")) return true;
    if (is_heading_of_code(s, length)) l->section = SECTION_NONE;
    if (l->section == SECTION_NONE) return false;
    if (l->section == SECTION_CODE) return is_description(a, s, length);
    size_t name, label;
    while ((label = label_length(s, 0, length, &name)) > 0) {
        s += label;
        length -= label;
    }
    const size_t blanks = skip_blanks(s, 0, length);
    section_data(a, s + blanks, length - blanks);
    return true;
}

/* ---- the end ---- */

static void give_constants(struct assembler *a, const struct listing_constants *c, bool of_file) {
    for (size_t i = 0; i < a->kernel_count && of_file == (c->kernel == NULL); i++) {
        struct image *img = a->kernels[i].image;
        if (!of_file && img != find_kernel(a, c->kernel, c->kernel_length)) continue;
        if (c->size > 0 && image_set_const(img, c->bank, 0, c->bytes, c->size) != STATUS_OK) no_memory(a);
    }
}

static void give_size(struct assembler *a, const struct listing_size *size) {
    struct image *img = find_kernel(a, size->kernel, size->kernel_length);
    if (img == NULL) return;
    if (size->section == SECTION_LOCAL) img->local_bytes += size->bytes;
    if (size->section != SECTION_SHARED) return;
    if (img->shared_bytes == 0) img->shared_bytes = SHARED_BEFORE;
    img->shared_bytes += size->bytes;
    if (img->shared_bytes > SHARED_MOST && size->bytes <= SHARED_MOST) img->shared_bytes = SHARED_MOST;
}

void nvdisasm_finish(struct assembler *a) {
    struct listing *l = &a->listing;
    for (size_t i = 0; i < l->constant_count; i++) give_constants(a, &l->constants[i], true);
    for (size_t i = 0; i < l->constant_count; i++) give_constants(a, &l->constants[i], false);
    for (size_t i = 0; i < l->size_count; i++) give_size(a, &l->sizes[i]);
    for (size_t i = 0; i < l->constant_count; i++) free(l->constants[i].bytes);
    free(l->constants);
    free(l->sizes);
    l->constants = NULL;
    l->sizes = NULL;
    l->constant_count = l->size_count = 0;
}
