/* SPDX-License-Identifier: Apache-2.0 */
#include "bare_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/file.h"
#include "../base/grow.h"
#include "scan.h"
#include "vhdl_words.h"
#include "word_order.h"

enum { DIGITS_SHORT = 8, DIGITS_LONG = 16, WORDS_MOST = 2 };

/* A word of 8 or 16 digits, and its line. */
struct word {
    unsigned line, digits;
    uint64_t value;
};

/* The words of a file, in the order of lines. */
struct words {
    struct word *word;
    size_t count, capacity;
};

struct line {
    const char *at, *end;
};

/* ------------------------------------------------------------------------------------------------------------ parts */

static bool starts(const struct line *l, const char *text) {
    const size_t length = strlen(text);
    return (size_t)(l->end - l->at) >= length && strncmp(l->at, text, length) == 0;
}

static void skip_blanks(struct line *l) {
    while (l->at < l->end && isspace((unsigned char)*l->at)) l->at++;
}

static unsigned hex_digits(const struct line *l) {
    unsigned count = 0;
    while (l->at + count < l->end && isxdigit((unsigned char)l->at[count])) count++;
    return count;
}

/* Hexadecimal digits, with or without 0x; returns their number. */
static unsigned take_hex(struct line *l, uint64_t *value) {
    struct line ahead = *l;
    if (starts(&ahead, "0x") || starts(&ahead, "0X")) ahead.at += 2;
    const unsigned count = hex_digits(&ahead);
    *value = 0;
    for (unsigned i = 0; i < count && i < DIGITS_LONG; i++) {
        const char digit[2] = {ahead.at[i], 0};
        *value = *value << 4 | strtoul(digit, NULL, DIGITS_LONG);
    }
    if (count > 0) l->at = ahead.at + count;
    return count;
}

/* True if the rest of the line may follow words: an end and a comment. */
static bool is_rest(struct line l) {
    skip_blanks(&l);
    if (l.at < l.end && (*l.at == ';' || *l.at == ',')) l.at++;
    skip_blanks(&l);
    return l.at == l.end || starts(&l, "//") || starts(&l, "--") || starts(&l, "#");
}

/* --------------------------------------------------------------------------------------------------- kinds of lines */

static enum status add(struct words *words, unsigned line, unsigned digits, uint64_t value) {
    struct word *grown = grow_array(words->word, words->count, &words->capacity, sizeof *grown);
    if (grown == NULL) return STATUS_NO_MEMORY;
    words->word = grown;
    words->word[words->count++] = (struct word){line, digits, value};
    return STATUS_OK;
}

/* "0008:" and words: one of 16 digits, or one or two of 8. Returns their number. */
static unsigned read_plain_line(struct line l, unsigned *digits, uint64_t *value) {
    skip_blanks(&l);
    const struct line begin = l;
    unsigned count = 0;
    if (take_hex(&l, value) > 0 && l.at < l.end && *l.at == ':')
        l.at++;
    else
        l = begin;
    for (skip_blanks(&l); l.at < l.end && count < WORDS_MOST; skip_blanks(&l), count++) {
        const unsigned length = take_hex(&l, &value[count]);
        if (length == 0) break;
        if ((length != DIGITS_SHORT && length != DIGITS_LONG) || (count > 0 && length != *digits)) return 0;
        if (l.at < l.end && isalnum((unsigned char)*l.at)) return 0;
        *digits = length;
    }
    return is_rest(l) && (*digits == DIGITS_SHORT || count == 1) ? count : 0;
}

/* True if the statement ends in a comma: the next lines have its values. Comments do not count. */
static bool goes_on(struct line l) {
    const char *comment = memmem(l.at, (size_t)(l.end - l.at), "//", 2);
    if (comment != NULL) l.end = comment;
    for (bool more = true; more;) {
        while (l.end > l.at && isspace((unsigned char)l.end[-1])) l.end--;
        const char *begin = l.end - l.at >= 4 && memcmp(l.end - 2, "*/", 2) == 0 ? l.end - 4 : NULL;
        while (begin != NULL && begin > l.at && memcmp(begin, "/*", 2) != 0) begin--;
        more = begin != NULL && memcmp(begin, "/*", 2) == 0;
        if (more) l.end = begin;
    }
    return l.end > l.at && l.end[-1] == ',';
}

/* -------------------------------------------------------------------------------------------------------- the file */

struct file {
    const char *path, *text;
    size_t size;
    struct words words;
    struct word_order order;
};

static enum status take_vhdl(void *state, unsigned line, unsigned bits, uint64_t value) {
    struct file *file = state;
    return add(&file->words, line, bits / 4, value);
}

static bool next_line(const char *text, size_t size, size_t *at, struct line *l) {
    if (*at >= size) return false;
    const char *newline = memchr(text + *at, '\n', size - *at);
    *l = (struct line){text + *at, newline != NULL ? newline : text + size};
    *at = (size_t)(l->end - text) + 1;
    return true;
}

static bool is_vhdl(const char *path) { return file_has_suffix(path, ".vhd") || file_has_suffix(path, ".vhdl"); }

/* A line of VHDL in another text. A line without a word is an error, too. */
static enum status read_fragment(struct file *file, struct line l, unsigned number, struct diag *d) {
    const struct vhdl_text source = {file->path, l.at, (size_t)(l.end - l.at), number, true};
    const size_t before = file->words.count;
    const enum status status = vhdl_words_read(&source, take_vhdl, file, d);
    if (status != STATUS_OK || file->words.count > before) return status;
    skip_blanks(&l);
    return diag_set(d, STATUS_BAD_INPUT, file->path, number, (unsigned)(l.at - source.text) + 1,
                    "this line of VHDL has no instruction word, a literal of 32 or 64 bits");
}

static enum status read_line(struct file *file, struct line l, unsigned number, struct diag *d) {
    uint64_t value[WORDS_MOST];
    unsigned digits = 0;
    const unsigned count = read_plain_line(l, &digits, value);
    const char *comment = memmem(l.at, (size_t)(l.end - l.at), "//", 2);
    if (comment != NULL) l.end = comment;
    if (count == 0 && vhdl_words_has_literal(l.at, (size_t)(l.end - l.at))) return read_fragment(file, l, number, d);
    for (unsigned i = 0; i < count; i++)
        if (add(&file->words, number, digits, value[i]) != STATUS_OK) return STATUS_NO_MEMORY;
    return STATUS_OK;
}

/* Reads all lines; a continuation line of a statement has no words. */
static enum status read_lines(struct file *file, struct diag *d) {
    struct line l;
    enum status status = STATUS_OK;
    bool inside = false;
    unsigned number = 1;
    for (size_t at = 0; status == STATUS_OK && next_line(file->text, file->size, &at, &l); number++) {
        const size_t before = file->words.count;
        if (!inside) status = read_line(file, l, number, d);
        inside = file->words.count == before && goes_on(l);
    }
    return status;
}

/* ---- the order of halves ---- */

/* Words in the file's comments count as well, and those beside text most of all. */
static enum status find_order(struct file *file) {
    struct messages unused;
    struct scan scan;
    messages_init(&unused, file->path, file->text, file->size);
    const enum status status = scan_text(file->text, file->size, &scan, &unused);
    messages_release(&unused);
    if (status != STATUS_OK) return status;
    file->order = scan.order;
    scan_release(&scan);
    for (size_t i = 0; i < file->words.count; i++) {
        const struct word *w = &file->words.word[i];
        if (w->digits == DIGITS_LONG) word_order_add(&file->order, (uint32_t)(w->value >> 32), (uint32_t)w->value);
    }
    return STATUS_OK;
}

static void print_word(const struct word *w, bool low_first, FILE *out) {
    const uint32_t first = (uint32_t)(w->value >> 32), last = (uint32_t)w->value;
    if (w->digits == DIGITS_SHORT)
        fprintf(out, " 0x%08" PRIx32, last);
    else
        fprintf(out, " 0x%08" PRIx32 ", 0x%08" PRIx32, low_first ? first : last, low_first ? last : first);
}

/* Lines without words stay, except those of VHDL. */
static void print_lines(const struct file *file, bool vhdl, FILE *out) {
    struct line l;
    unsigned number = 1;
    for (size_t at = 0, i = 0; next_line(file->text, file->size, &at, &l); number++) {
        bool any = false;
        for (; i < file->words.count && file->words.word[i].line == number; i++, any = true) {
            fputs(any ? "," : ".word", out);
            print_word(&file->words.word[i], word_order_low_first(&file->order), out);
        }
        if (!any && !vhdl) fwrite(l.at, 1, (size_t)(l.end - l.at), out);
        fputc('\n', out);
    }
}

static enum status print_file(const struct file *file, bool vhdl, char **filled) {
    size_t length = 0;
    FILE *out = open_memstream(filled, &length);
    if (out == NULL) return STATUS_NO_MEMORY;
    print_lines(file, vhdl, out);
    if (fclose(out) == 0 && *filled != NULL) return STATUS_OK;
    free(*filled);
    *filled = NULL;
    return STATUS_NO_MEMORY;
}

enum status bare_words_fill(const char *path, const char *text, size_t size, struct bare_words *result,
                            struct diag *d) {
    struct file file = {.path = path, .text = text, .size = size};
    const struct vhdl_text whole = {path, text, size, 1, false};
    const bool vhdl = is_vhdl(path);
    *result = (struct bare_words){0};
    enum status status = vhdl ? vhdl_words_read(&whole, take_vhdl, &file, d) : read_lines(&file, d);
    if (status == STATUS_OK && file.words.count > 0) {
        status = find_order(&file);
        result->note = word_order_note(&file.order);
        if (status == STATUS_OK) status = print_file(&file, vhdl, &result->text);
    }
    free(file.words.word);
    return status == STATUS_NO_MEMORY ? diag_set(d, status, path, 0, 0, "out of memory") : status;
}
