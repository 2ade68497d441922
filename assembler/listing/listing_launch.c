/* SPDX-License-Identifier: Apache-2.0 */
/* Everything of an image but its code, as directives that assemble to the same image. */
#include <ctype.h>
#include <inttypes.h>

#include "../base/word_at.h"
#include "listing.h"

enum { WORDS_A_LINE = 8, BYTES_A_LINE = 16, FILL_WORDS = 16 };

static void print_list(const char *name, const uint32_t *values, size_t count, FILE *out) {
    fprintf(out, "\t%s ", name);
    for (size_t i = 0; i < count; i++) fprintf(out, "%s%" PRIu32, i > 0 ? ", " : "", values[i]);
    fputc('\n', out);
}

static void print_number(const char *name, uint32_t value, FILE *out) {
    if (value != 0) print_list(name, &value, 1, out);
}

static void print_params(const struct image *img, FILE *out) {
    for (size_t i = 0; i < img->param_count; i++)
        fprintf(out, "%s0x%" PRIx32 "%s", i % WORDS_A_LINE == 0 ? "\t.param " : ", ", img->params[i],
                i + 1 == img->param_count || i % WORDS_A_LINE == WORDS_A_LINE - 1 ? "\n" : "");
}

/* The number of equal words from p on. */
static size_t run_length(const uint8_t *p, size_t words) {
    size_t n = 1;
    while (n < words && word_at(p + 4 * n) == word_at(p)) n++;
    return n;
}

/* A line of bytes as a directive: `place` precedes the address. Returns the number of printed bytes. */
static size_t print_line(const char *place, uint32_t addr, const uint8_t *bytes, size_t size, FILE *out) {
    const size_t words = size / 4, run = words > 0 ? run_length(bytes, words) : 0;
    fprintf(out, "\t%s0x%" PRIx32 " = ", place, addr);
    if (run >= FILL_WORDS) {
        fprintf(out, ".fill %zu, 0x%" PRIx32 "\n", run, word_at(bytes));
        return run * 4;
    }
    const size_t unit = words > 0 ? 4 : 1, most = words > 0 ? WORDS_A_LINE : BYTES_A_LINE;
    const size_t left = words > 0 ? words : size, count = left < most ? left : most;
    if (unit == 1) fputs(".byte ", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s0x%" PRIx32, i > 0 ? ", " : "", unit == 4 ? word_at(bytes + 4 * i) : bytes[i]);
    fputc('\n', out);
    return count * unit;
}

static void print_data(const char *place, uint32_t addr, const uint8_t *bytes, size_t size, FILE *out) {
    for (size_t at = 0; at < size;) at += print_line(place, addr + (uint32_t)at, bytes + at, size - at, out);
}

static void print_pieces(const char *place, const struct image_piece *pieces, size_t count, FILE *out) {
    for (size_t i = 0; i < count; i++) print_data(place, pieces[i].addr, pieces[i].bytes, pieces[i].size, out);
}

/* True if the assembler accepts it as a name. */
static bool is_word(const char *name) {
    for (const char *c = name; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '$') return false;
    return *name != '\0' && !isdigit((unsigned char)*name);
}

/* Of a compiled kernel. */
static void print_signature(const struct image *img, FILE *out) {
    if (img->linkage != NULL && is_word(img->linkage)) fprintf(out, "\t.linkage %s\n", img->linkage);
    if (img->has_signature && img->signature_count == 0) fputs("\t.argument none\n", out);
    for (size_t i = 0; i < img->signature_count; i++) {
        const struct image_parameter *p = &img->signature[i];
        fprintf(out, "\t.argument %u = %s, %u, %u, %s\n", p->offset, p->type, p->size, p->align,
                image_space_name(p->space));
    }
    for (size_t i = 0; i < img->variable_count; i++) {
        const struct image_variable *v = &img->variables[i];
        if (!is_word(v->name)) continue;
        fprintf(out, "\t.variable %s = %s, 0x%" PRIx32 ", %" PRIu32 ", %s\n", v->name, v->type, v->addr, v->size,
                image_space_name(v->space));
    }
}

void listing_print_launch(const struct image *img, FILE *out) {
    for (size_t i = 0; i < img->note_count; i++) fprintf(out, "\t// %s\n", img->notes[i]);
    print_number(".reg", img->regs, out);
    print_number(".shared", img->shared_bytes, out);
    print_number(".local", img->local_bytes, out);
    if (img->grid[0] != 0) print_list(".grid", img->grid, 2, out);
    if (img->block[0] != 0) print_list(".block", img->block, 3, out);
    print_signature(img, out);
    print_params(img, out);
    for (unsigned bank = 0; bank < IMAGE_CONST_BANKS; bank++) {
        char place[16];
        snprintf(place, sizeof place, ".const %u:", bank);
        print_data(place, 0, img->bank[bank].bytes, img->bank[bank].size, out);
    }
    print_pieces(".global ", img->global, img->global_count, out);
    print_pieces(".expect ", img->expect, img->expect_count, out);
}
