/* SPDX-License-Identifier: Apache-2.0 */
#include "bare_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../isa/isa.h"

enum { WORDS_MOST = 16, DIGITS_SHORT = 8, DIGITS_LONG = 16 };

/* The words of one line. */
struct words {
    unsigned count, digits; /* digits of each: 8 or 16 */
    uint64_t word[WORDS_MOST];
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

/* Hexadecimal digits, 0x in front or not; returns how many there are. */
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

static bool add(struct words *w, unsigned digits, uint64_t value) {
    const bool first = w->count == 0;
    if ((digits != DIGITS_SHORT && digits != DIGITS_LONG) || w->count == WORDS_MOST) return false;
    if (!first && w->digits != digits) return false;
    w->digits = digits;
    w->word[w->count++] = value;
    return true;
}

/* What may stand behind the words: an end and a comment. */
static bool is_rest(struct line l) {
    skip_blanks(&l);
    if (l.at < l.end && (*l.at == ';' || *l.at == ',')) l.at++;
    skip_blanks(&l);
    return l.at == l.end || starts(&l, "//") || starts(&l, "--") || starts(&l, "#");
}

/* --------------------------------------------------------------------------------------------------- kinds of lines */

/* A comment of a listing that holds one number. */
static bool take_comment(struct line *l, unsigned *digits, uint64_t *value) {
    struct line ahead = *l;
    if (!starts(&ahead, "/*")) return false;
    ahead.at += 2;
    skip_blanks(&ahead);
    *digits = take_hex(&ahead, value);
    skip_blanks(&ahead);
    if (*digits == 0 || !starts(&ahead, "*/")) return false;
    ahead.at += 2;
    *l = ahead;
    skip_blanks(l);
    return true;
}

/* Comments alone: an address, and a word. */
static bool is_listing_line(struct line l, struct words *w) {
    unsigned digits = 0;
    uint64_t value = 0;
    skip_blanks(&l);
    if (!take_comment(&l, &digits, &value) || digits >= DIGITS_SHORT) return false;
    return take_comment(&l, &digits, &value) && add(w, digits, value) && is_rest(l);
}

/* "0008:" and words. */
static bool is_plain_line(struct line l, struct words *w) {
    uint64_t value = 0;
    skip_blanks(&l);
    const struct line begin = l;
    if (take_hex(&l, &value) > 0 && l.at < l.end && *l.at == ':')
        l.at++;
    else
        l = begin;
    for (skip_blanks(&l); l.at < l.end; skip_blanks(&l)) {
        const unsigned digits = take_hex(&l, &value);
        if (digits == 0) break;
        if (!add(w, digits, value)) return false;
        if (l.at < l.end && isalnum((unsigned char)*l.at)) return false;
    }
    const unsigned most = w->digits == DIGITS_LONG ? 1 : 2;
    return w->count > 0 && w->count <= most && is_rest(l);
}

/* Literals x"..." of 8 or 16 digits, up to a comment; what else is in the line does not matter. */
static bool is_vhdl_line(struct line l, struct words *w) {
    uint64_t value = 0;
    for (; l.at < l.end && !starts(&l, "--"); l.at++) {
        struct line ahead = l;
        if (!starts(&l, "x\"") && !starts(&l, "X\"")) continue;
        ahead.at += 2;
        const unsigned digits = take_hex(&ahead, &value);
        if (ahead.at < ahead.end && *ahead.at == '"' && add(w, digits, value)) l.at = ahead.at;
    }
    return w->count > 0;
}

static bool read_line(struct line l, bool vhdl, struct words *w) {
    *w = (struct words){.count = 0};
    if (vhdl) return is_vhdl_line(l, w);
    if (is_listing_line(l, w)) return true;
    *w = (struct words){.count = 0};
    if (is_plain_line(l, w)) return true;
    *w = (struct words){.count = 0};
    return (starts(&l, "x\"") || memmem(l.at, (size_t)(l.end - l.at), "=> x\"", 5) != NULL) && is_vhdl_line(l, w);
}

/* A statement goes on behind a comma: what follows are its values. Comments do not count. */
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

/* The words of a line that is taken. *inside says whether it belongs to a statement before it. */
static bool take_line(struct line l, bool vhdl, bool *inside, struct words *w) {
    const bool taken = !*inside && read_line(l, vhdl, w);
    *inside = !vhdl && !taken && goes_on(l);
    return taken;
}

/* -------------------------------------------------------------------------------------------------------- the file */

/* How much the words are like a long instruction: 3 they are one, 2 but for bits that must be zero, 1 undefined. */
static int likeness(uint32_t lo, uint32_t hi) {
    static const int of_result[] = {[ISA_OK] = 3, [ISA_RESERVED_BITS] = 2, [ISA_UNDEFINED] = 1};
    struct isa_insn insn;
    return isa_is_long(lo) ? of_result[isa_decode(lo, hi, &insn)] : 0;
}

int bare_words_vote(uint64_t word) {
    const uint32_t first = (uint32_t)(word >> 32), last = (uint32_t)word;
    return likeness(first, last) - likeness(last, first);
}

static void print_words(const struct words *w, bool low_first, FILE *out) {
    fputs(".word", out);
    for (unsigned i = 0; i < w->count; i++) {
        const uint32_t first = (uint32_t)(w->word[i] >> 32), last = (uint32_t)w->word[i];
        const char *comma = i > 0 ? "," : "";
        if (w->digits == DIGITS_SHORT)
            fprintf(out, "%s 0x%08" PRIx32, comma, last);
        else
            fprintf(out, "%s 0x%08" PRIx32 ", 0x%08" PRIx32, comma, low_first ? first : last, low_first ? last : first);
    }
}

static bool next_line(const char *text, size_t size, size_t *at, struct line *l) {
    if (*at >= size) return false;
    const char *newline = memchr(text + *at, '\n', size - *at);
    *l = (struct line){text + *at, newline != NULL ? newline : text + size};
    *at = (size_t)(l->end - text) + 1;
    return true;
}

static bool is_vhdl(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".vhd") == 0 || strcmp(dot, ".vhdl") == 0);
}

enum status bare_words_fill(const char *path, const char *text, size_t size, char **filled) {
    struct line l;
    struct words w;
    const bool vhdl = is_vhdl(path);
    bool any = false, inside = false;
    int votes = 0;
    *filled = NULL;
    for (size_t at = 0; next_line(text, size, &at, &l);)
        if (take_line(l, vhdl, &inside, &w)) {
            any = true;
            for (unsigned i = 0; w.digits == DIGITS_LONG && i < w.count; i++) votes += bare_words_vote(w.word[i]);
        }
    if (!any) return STATUS_OK;
    size_t length = 0;
    FILE *out = open_memstream(filled, &length);
    if (out == NULL) return STATUS_NO_MEMORY;
    inside = false;
    for (size_t at = 0; next_line(text, size, &at, &l);) {
        if (take_line(l, vhdl, &inside, &w))
            print_words(&w, votes > 0, out);
        else if (!vhdl)
            fwrite(l.at, 1, (size_t)(l.end - l.at), out);
        fputc('\n', out);
    }
    if (fclose(out) == 0 && *filled != NULL) return STATUS_OK;
    free(*filled);
    *filled = NULL;
    return STATUS_NO_MEMORY;
}
