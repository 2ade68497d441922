/* SPDX-License-Identifier: Apache-2.0 */
/* Records of printf as text, see print.h. */
#include <locale.h>
#include <stdlib.h>

#include "../../assembler/base/memstream.h"
#include "../../assembler/base/word_at.h"
#include "../../assembler/image/printed.h"
#include "printer.h"

enum { WORD = 4 };

enum status print_no_memory(struct diag *d) {
    return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for the output of printf");
}

static bool reserve_arguments(struct printer *p, size_t count) {
    if (count <= p->capacity) return true;
    struct printer_argument *grown = realloc(p->arguments, count * sizeof *grown);
    p->no_memory |= grown == NULL;
    if (grown == NULL) return false;
    p->arguments = grown;
    p->capacity = count;
    return true;
}

/* Lists the arguments of a record. Returns false if the record is invalid, or if memory is exhausted. */
static bool list_arguments(struct printer *p, const uint8_t *record, uint32_t words, uint32_t count) {
    const uint8_t *sizes = record + WORD;
    uint32_t at = 1 + (count + WORD - 1) / WORD;
    if (at > words || !reserve_arguments(p, count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned low = sizes[i] & (PRINTED_CONSTANT - 1), size = low != 0 ? low : PRINTED_LARGEST;
        p->arguments[i] = (struct printer_argument){record + WORD * at, size, (sizes[i] & PRINTED_CONSTANT) != 0};
        at += (size + WORD - 1) / WORD;
        if (at > words) return false;
    }
    p->count = count;
    return true;
}

static void print_each(struct printer *p, const uint8_t *records, size_t size) {
    for (size_t at = 0, words; at + WORD <= size && !p->no_memory; at += WORD * words) {
        const uint32_t head = word_at(records + at);
        words = head & PRINTED_WORDS;
        if (words == 0 || words > (size - at) / WORD) return;
        if (head >> 16 == 0) continue; /* a string */
        if (!list_arguments(p, records + at, (uint32_t)words, head >> 16)) return;
        p->next = 1;
        const char *format = printer_read_string(p, &p->formats, &p->arguments[0], PRINTER_LONGEST);
        if (format != NULL) printer_print_format(p, format);
    }
}

/* Prints numbers as in the locale "C", not in that of the application. */
static void print_in_c_locale(struct printer *p, const uint8_t *records, size_t size) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    print_each(p, records, size);
    if (plain != (locale_t)0) uselocale(before);
    if (plain != (locale_t)0) freelocale(plain);
}

/* If memory is exhausted, writes the text before. */
static enum status write_text(const struct printer *p, const char *text, size_t length, FILE *out, struct diag *d) {
    const bool is_written = fwrite(text, 1, length, out) == length && fflush(out) == 0;
    if (!is_written) return diag_errno(d, "", "cannot write the output of printf");
    return p->no_memory ? print_no_memory(d) : STATUS_OK;
}

enum status print_records(const struct image *image, const uint8_t *records, size_t size, print_read_fn *read,
                          void *state, FILE *out, struct diag *d) {
    char *text = NULL;
    size_t length = 0;
    struct printer p = {.image = image, .read = read, .state = state, .out = open_memstream(&text, &length)};
    if (p.out == NULL) return print_no_memory(d);
    print_in_c_locale(&p, records, size);
    const bool is_whole = memstream_close(p.out, &text);
    const enum status status = is_whole ? write_text(&p, text, length, out, d) : print_no_memory(d);
    printer_release_strings(&p.formats);
    printer_release_strings(&p.strings);
    free(p.arguments);
    free(text);
    return status;
}
