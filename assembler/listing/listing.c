/* SPDX-License-Identifier: Apache-2.0 */
/* Listings. */
#include "listing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

/* CUDA 3 and 4 print the words before the text, low word first; CUDA 5 after it, high word first. */
static void print_line(FILE *out, enum isa_dialect dialect, uint32_t pc, uint32_t lo, uint32_t hi, unsigned words,
                       const struct words_text *text) {
    char hex[24];
    bool low_first = dialect == ISA_DIALECT_3;
    if (words == 1)
        snprintf(hex, sizeof hex, "0x%08" PRIx32, lo);
    else
        snprintf(hex, sizeof hex, "0x%08" PRIx32 "%08" PRIx32, low_first ? lo : hi, low_first ? hi : lo);

    /* the reason after a .word comes last */
    const char *s = text->text, *reason = memchr(s, '/', text->size);
    size_t length = reason != NULL ? (size_t)(reason - s) : text->size;
    while (length > 0 && s[length - 1] == ' ') length--;
    int rest = reason != NULL ? (int)(text->size - (size_t)(reason - s)) : 0;
    if (low_first)
        fprintf(out, "\t/*%04" PRIx32 "*/     /*%s*/ \t%.*s;%s%.*s\n", pc, hex, (int)length, s, rest > 0 ? "  " : "",
                rest, rest > 0 ? reason : "");
    else
        fprintf(out, "        /*%04" PRIx32 "*/         %.*s; %*s/* %s */%s%.*s\n", pc, (int)length, s,
                length < 48 ? (int)(48 - length) : 0, "", hex, rest > 0 ? "  " : "", rest, rest > 0 ? reason : "");
}

static void append_boundary(struct words_text *text) {
    static const char NOTE[] = "not on an 8-byte boundary: traps";
    const char *separator = memchr(text->text, '/', text->size) != NULL ? "; " : "  // ";
    words_append(text, separator, strlen(separator));
    words_append(text, NOTE, sizeof NOTE - 1);
}

enum status listing_print(const struct image *img, enum isa_dialect dialect, FILE *out) {
    struct words_text text = {0};
    const char *arch = image_arch_name(img->arch);
    fprintf(out, "\tcode for %s\n\t\tFunction : %s\n", arch, img->name != NULL ? img->name : "kernel");
    if (dialect != ISA_DIALECT_3)
        fprintf(out, "\t.headerflags    @\"EF_CUDA_SM%s EF_CUDA_PTX_SM(EF_CUDA_SM%s)\"\n", arch + 3, arch + 3);
    listing_print_launch(img, out);
    for (size_t i = 0; i < img->code_words && !text.failed;) {
        uint32_t lo = img->code[i], hi = i + 1 < img->code_words ? img->code[i + 1] : 0;
        unsigned words = isa_is_long(lo) && i + 1 < img->code_words ? 2 : 1;
        text.size = 0;
        words_append_text(&text, lo, hi, words, dialect);
        if (words == 2 && i % 2 != 0) append_boundary(&text);
        if (!text.failed) print_line(out, dialect, (uint32_t)i * 4, lo, hi, words, &text);
        i += words;
    }
    fprintf(out, "\t\t%.*s\n", 2 * (int)strlen("................................"),
            "................................................................");
    bool failed = text.failed;
    free(text.text);
    return failed ? STATUS_NO_MEMORY : STATUS_OK;
}

/* "12", or "lib.inc:12" in an included file. */
static void put_place(char *place, size_t size, const struct image *img, const struct assembly_item *item) {
    const char *path = img->files[item->file], *slash = strrchr(path, '/');
    if (item->file == 0)
        snprintf(place, size, "%" PRIu32, item->line);
    else
        snprintf(place, size, "%s:%" PRIu32, slash != NULL ? slash + 1 : path, item->line);
}

void listing_print_source(const struct assembly *a, FILE *out) {
    int width = a->image->file_count > 1 ? 16 : 5;
    fprintf(out, "address  low      high     %*s  text of kernel %s\n", width, "line", a->image->name);
    for (size_t i = 0; i < a->item_count; i++) {
        const struct assembly_item *item = &a->items[i];
        const uint32_t *code = a->image->code + item->pc / 4;
        size_t words = item->bytes > 0 ? item->bytes / 4 : item->word_count;
        char place[300];
        put_place(place, sizeof place, a->image, item);
        for (size_t k = 0; k < words; k += 2) {
            fprintf(out, "%06" PRIx32 "   %08" PRIx32, item->pc + (uint32_t)k * 4, code[k]);
            if (k + 1 < words)
                fprintf(out, " %08" PRIx32, code[k + 1]);
            else if (k == 0)
                fprintf(out, "         ");
            if (k == 0) fprintf(out, " %*s  %.*s", width, place, (int)item->length, a->text + item->offset);
            fprintf(out, "\n");
        }
    }
}
