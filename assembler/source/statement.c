/* SPDX-License-Identifier: Apache-2.0 */
/* The first pass: turns lines into labels, directives and instructions. A line may hold several statements, separated
 * by ';'; a line that ends in ',' continues in the next one. The lines that cuobjdump puts around a listing are
 * skipped. */
#include "statement.h"

#include <string.h>

#include "../isa/mnemonic.h"
#include "directive.h"
#include "lines.h"
#include "nvdisasm.h"

/* ---- cuobjdump's own lines ---- */

/* "Function : name" begins a kernel. */
static void listing_function(struct assembler *a, const char *s, size_t length) {
    const char *name = memchr(s, ':', length);
    size_t left = name != NULL ? length - (size_t)(name - s) - 1 : 0;
    if (name == NULL) return;
    for (name++; left > 0 && is_blank(*name); left--) name++;
    assembler_begin_kernel(a, name, left, (size_t)(s - a->scan.clean));
}

/* "code for sm_11" applies to the following kernels; those of other instruction sets are skipped. */
static void listing_code_for(struct assembler *a, const char *s, size_t length) {
    static const char before[] = "code for ";
    a->foreign = image_arch(s + sizeof before - 1, length - (sizeof before - 1)) == 0;
    if (a->foreign && a->foreign_length == 0) {
        a->foreign_at = (size_t)(s - a->scan.clean);
        a->foreign_length = length;
    }
    if (a->foreign) return;
    if (current_kernel(a)->named || current_kernel(a)->has_items)
        a->arch = image_arch(s + sizeof before - 1, length - (sizeof before - 1));
    else
        assembler_set_arch(a, image_arch(s + sizeof before - 1, length - (sizeof before - 1)));
}

/* .headerflags @"EF_CUDA_SM11 EF_CUDA_PTX_SM(EF_CUDA_SM11)" gives the architecture if there is no "code for". */
static void listing_flags(struct assembler *a, const char *s, size_t length) {
    static const char prefix[] = "\"EF_CUDA_SM";
    const char *flags = memmem(s, length, prefix, sizeof prefix - 1);
    char name[8] = "sm_";
    if (flags == NULL) return;
    flags += sizeof prefix - 1;
    memcpy(name + 3, flags, 2);
    const unsigned arch = flags[2] == ' ' || flags[2] == '"' ? image_arch(name, 5) : 0;
    if (arch != 0) assembler_set_arch(a, arch);
}

/* True for a heading or ruler of cuobjdump; handles those with a name in them. */
static bool listing_line(struct assembler *a, const char *s, size_t length) {
    static const char *const headings[] = {
        "code for sm_",   "code version =",  "arch =",          "producer =",   "host =",
        "compile_size =", "Fatbin elf code", "Fatbin ptx code", "identifier =", "compressed",
        "has debug info", "ptxasOptions =",  ".headerflags",    "member ",      "====",
    };
    if (starts_with(s, length, "Function") && skip_blanks(s, 8, length) < length &&
        s[skip_blanks(s, 8, length)] == ':') {
        if (!a->foreign) listing_function(a, s, length);
        return true;
    }
    if (starts_with(s, length, "code for sm_")) listing_code_for(a, s, length);
    if (starts_with(s, length, ".headerflags")) listing_flags(a, s, length);
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        if (starts_with(s, length, headings[i])) return true;
    size_t dots = 0;
    while (dots < length && s[dots] == '.') dots++;
    return dots >= 3 && dots == length;
}

/* ---- statements ---- */

static void adopt_words(struct assembler *a, struct assembly_item *item, const struct scan_note *n) {
    const char *open = n->words == 2 ? word_order_note(&a->scan.order) : NULL;
    item->has_hex = true;
    item->hex_bytes = (uint8_t)(scan_words(&a->scan, n, &item->hex_lo, &item->hex_hi) * 4);
    current_kernel(a)->has_hex = true;
    if (open != NULL && !a->said_order) messages_note(a->messages, n->offset, 1, "%s", open);
    a->said_order = a->said_order || open != NULL;
}

/* Adopts the listing's comments on the statement's line, for the first statement of the line only. */
static void adopt_notes(struct assembler *a, struct assembly_item *item, size_t *note, size_t line_start,
                        size_t line_end) {
    const struct scan *scan = &a->scan;
    while (*note < scan->note_count && scan->notes[*note].offset < line_start) (*note)++;
    for (; *note < scan->note_count && scan->notes[*note].offset < line_end; (*note)++) {
        const struct scan_note *n = &scan->notes[*note];
        if (n->is_doubtful) continue;
        if (n->is_address && n->offset > item->offset) continue; /* a remark, not the listing's address */
        if (n->is_address) {
            item->has_address = true;
            item->address = n->value[0];
        } else {
            adopt_words(a, item, n);
        }
    }
}

/* The previous instruction has one word of two: the other one is on a line of its own. */
static bool lacks_word(const struct assembler *a) {
    const struct assembly_item *item = a->item_count > 0 ? &a->items[a->item_count - 1] : NULL;
    if (item == NULL || item->hex_bytes != 4) return false;
    return item->has_no_text ? item->bytes == 4 && isa_is_long(item->hex_lo) : item->bytes == 8;
}

/* Adopts it if the low word is odd. */
static void adopt_second_word(struct assembler *a, uint32_t word) {
    struct assembly_item *item = &a->items[a->item_count - 1];
    bool low_first = (item->hex_lo & 1) != 0;
    item->hex_hi = low_first ? word : item->hex_lo;
    item->hex_lo = low_first ? item->hex_lo : word;
    item->hex_bytes = 8;
    if (item->has_no_text) current_kernel(a)->pc += 4;
    item->bytes = 8;
}

/* An instruction that has words and no text. */
static void bare_instruction(struct assembler *a, const struct scan_note *address, const struct scan_note *words) {
    struct assembly_item *item = assembler_add_item(a, words->offset, 0);
    if (item == NULL) return;
    adopt_words(a, item, words);
    item->has_no_text = true;
    item->bytes = item->hex_bytes;
    item->has_address = address != NULL;
    if (address != NULL) item->address = address->value[0];
    current_kernel(a)->pc += item->bytes;
}

/* A line without a statement: its comments may hold the second word of the previous instruction, or an instruction that
 * has lost its text. A word without an address is a remark, except one of 64 bits in a listing. */
static void bare_line(struct assembler *a, size_t *note, size_t line_start, size_t line_end) {
    const struct scan *scan = &a->scan;
    const struct scan_note *address = NULL;
    bool words = false;
    while (*note < scan->note_count && scan->notes[*note].offset < line_start) (*note)++;
    for (; *note < scan->note_count && scan->notes[*note].offset < line_end; (*note)++) {
        const struct scan_note *n = &scan->notes[*note];
        words = words || !n->is_address;
        if (n->is_address)
            address = n;
        else if (n->is_doubtful && address == NULL)
            continue;
        else if (n->words == 0)
            messages_add(a->messages, n->offset, 2, "words of 8 or 16 digits stand beside an address");
        else if (n->words == 1 && lacks_word(a))
            adopt_second_word(a, n->value[0]);
        else if (address != NULL || (n->words == 2 && scan->is_listing))
            bare_instruction(a, address, n);
    }
    if (address != NULL && !words && scan->is_listing)
        messages_add(a->messages, address->offset, 2, "an address without an instruction or its words");
}

/* "name:" before a statement; returns its length in bytes, 0 if there is none. */
static size_t take_label(struct assembler *a, const char *s, size_t length) {
    size_t n, label = label_length(s, 0, length, &n);
    if (label == 0) return 0;

    size_t offset = (size_t)(s - a->scan.clean);
    struct isa_symbol symbol = {.value = current_kernel(a)->pc};
    switch (symbols_add(&a->symbols, s, n, (uint32_t)a->kernel_count - 1, &symbol)) {
    case SYMBOLS_ADDED: break;
    case SYMBOLS_DUPLICATE: messages_add(a->messages, offset, n, "label '%.*s' is defined twice", (int)n, s); break;
    case SYMBOLS_NO_MEMORY: no_memory(a); break;
    }
    return label;
}

static void instruction(struct assembler *a, const char *s, size_t length, size_t *note, size_t line_start,
                        size_t line_end) {
    size_t n = 0, offset = (size_t)(s - a->scan.clean);
    while (n < length && ((s[n] >= '0' && s[n] <= '9') || ((s[n] | 32) >= 'a' && (s[n] | 32) <= 'z'))) n++;
    struct assembly_item *item = assembler_add_item(a, offset, length);
    if (item == NULL) return;
    unsigned bytes = isa_mnemonic_bytes(s, n);
    adopt_notes(a, item, note, line_start, line_end);
    const bool half = item->hex_bytes == 4 && !isa_is_long(item->hex_lo);
    item->bytes = (uint8_t)(bytes != 0 ? bytes : half ? 4 : 8); /* the second pass reports an unknown mnemonic */
    current_kernel(a)->pc += item->bytes;
}

/* False for a statement that consists of labels alone. */
static bool statement(struct assembler *a, const char *s, size_t length, size_t *note, size_t line_start,
                      size_t line_end) {
    for (;;) {
        while (length > 0 && is_blank(*s)) s++, length--;
        size_t label = take_label(a, s, length);
        if (label == 0) break;
        s += label;
        length -= label;
    }
    while (length > 0 && is_blank(s[length - 1])) length--;
    if (length == 0) return false;
    if (*s == '.')
        assembler_directive(a, (size_t)(s - a->scan.clean), length);
    else
        instruction(a, s, length, note, line_start, line_end);
    return true;
}

void assembler_read(struct assembler *a) {
    size_t note = 0;
    if (!assembler_add_kernel(a, "kernel", 6, 0)) return;
    const char *text = a->scan.clean;
    for (size_t start = 0; start < a->scan.size && !a->no_memory;) {
        size_t end = line_end(text, start, a->scan.size), at = skip_blanks(text, start, end);
        size_t last = trim_blanks(text, at, end);
        const bool heading = last > at && (nvdisasm_line(a, text + at, last - at) ||
                                           listing_line(a, text + at, last - at) || a->foreign);
        bool any = heading;
        while (at < last && !heading) {
            size_t stop = statement_end(text, at, last);
            any = statement(a, text + at, stop - at, &note, start, end) || any;
            at = stop + 1;
        }
        if (!any && !a->listing.in_ptx && !a->foreign) bare_line(a, &note, start, end);
        start = end + 1;
    }
    const bool some = a->kernel_count > 1 || current_kernel(a)->named || current_kernel(a)->has_items;
    if (a->foreign_length > 0 && !some)
        messages_add(a->messages, a->foreign_at, a->foreign_length,
                     "%.*s: of another instruction set; " IMAGE_ARCH_NAMES " is read", (int)a->foreign_length,
                     text + a->foreign_at);
    nvdisasm_finish(a);
}
