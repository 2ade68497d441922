/* SPDX-License-Identifier: Apache-2.0 */
#include "word_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTE = 2, PAIR = 4, SHORT = 8, LONG = 16 }; /* digits */

struct line {
    char *at, *end;
};

struct token {
    char *at;        /* digits, after 0x */
    unsigned digits; /* 0: it has other characters, or none */
    size_t length;   /* of the whole */
    bool prefixed;
};

static void blank(char *from, const char *to) {
    for (; from < to; from++)
        if (*from != '\n') *from = ' ';
}

static bool is_space(char c) { return isspace((unsigned char)c) != 0; }

static unsigned hex_digits(const char *at, const char *end) {
    unsigned count = 0;
    while (at + count < end && isxdigit((unsigned char)at[count])) count++;
    return count;
}

static bool has_prefix(const char *at, const char *end) { return end - at > 2 && at[0] == '0' && (at[1] | 32) == 'x'; }

/* The next token without blanks, at or after *at. */
static bool next_token(char **at, char *end, struct token *t) {
    while (*at < end && is_space(**at)) ++*at;
    char *from = *at;
    while (*at < end && !is_space(**at)) ++*at;
    *t = (struct token){.at = from, .length = (size_t)(*at - from), .prefixed = has_prefix(from, *at)};
    if (t->prefixed) t->at += 2;
    t->digits = hex_digits(t->at, *at);
    if (t->at + t->digits != *at) t->digits = 0;
    return from < end;
}

/* --------------------------------------------------------------------------------------------------------- comments */

/* A comment that consists of one word, as in listings, loses its marks; others are removed. */
static char *take_comment(char *at, char *end) {
    char *inside = at + 2, *close = memmem(inside, (size_t)(end - inside), "*/", 2), *from = inside;
    struct token t, other;
    if (close == NULL) close = end;
    const bool word = next_token(&from, close, &t) && (t.digits == SHORT || t.digits == LONG);
    char *behind = close < end ? close + 2 : end;
    if (word && !next_token(&from, close, &other)) {
        blank(at, inside);
        blank(close, behind);
    } else {
        blank(at, behind);
    }
    return behind;
}

static void leave_out_comments(char *text, char *end) {
    for (char *at = text; at < end; at++) {
        const bool two = at + 1 < end, line = *at == '#' || *at == '|' || (two && memcmp(at, "//", 2) == 0) ||
                                              (two && memcmp(at, "--", 2) == 0);
        if (two && memcmp(at, "/*", 2) == 0) {
            at = take_comment(at, end) - 1;
        } else if (line) {
            char *newline = memchr(at, '\n', (size_t)(end - at));
            blank(at, newline != NULL ? newline : end);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------ marks */

static void leave_out_marks(char *text, char *end) {
    static const char MARKS[] = ";,{}()[]\"'*/";
    for (char *at = text; at < end; at++) {
        if ((*at | 32) == 'x' && at + 1 < end && at[1] == '"') *at = ' ';
        if (*at != '\0' && strchr(MARKS, *at) != NULL) *at = ' ';
        if (*at == ':') { /* after an address */
            char *from = at;
            while (from > text && !is_space(from[-1])) from--;
            blank(from, at + 1);
        }
    }
}

/* 0x...ULL, 0x...u; 10h */
static void leave_out_suffixes(char *text, char *end) {
    struct token t;
    for (char *at = text; next_token(&at, end, &t);) {
        char *suffix = t.at + hex_digits(t.at, at), *from = suffix;
        while (from < at && strchr("uUlLhH", *from) != NULL) from++;
        if (suffix > t.at && from == at) blank(suffix, at);
    }
}

/* ------------------------------------------------------------------------------------------------------------ bytes */

/* The number of tokens of each length in the text. */
struct census {
    size_t bytes, pairs, runs, words, others;
};

static bool next_line(char *text, size_t size, size_t *at, struct line *l) {
    if (*at >= size) return false;
    char *newline = memchr(text + *at, '\n', size - *at);
    *l = (struct line){text + *at, newline != NULL ? newline : text + size};
    *at = (size_t)(l->end - text) + 1;
    return true;
}

/* The first line that is a *, for repeated lines; 0: none. */
static unsigned find_star(char *text, size_t size) {
    struct line l;
    struct token t, other;
    unsigned number = 1;
    for (size_t at = 0; next_line(text, size, &at, &l); number++)
        if (next_token(&l.at, l.end, &t) && t.length == 1 && *t.at == '*' && !next_token(&l.at, l.end, &other))
            return number;
    return 0;
}

/* The offsets at the start of a dump's lines. */
struct offsets {
    unsigned digits; /* digits of the offsets so far; 0: none yet */
    bool of_pairs;   /* in the style of od -x and hexdump: pairs are 16-bit numbers */
};

/* An offset of od: 7 digits before numbers. */
static bool is_of_od(const struct token *first, const struct token *second) {
    return first->digits == 7 && (second->digits == SHORT || second->digits == PAIR);
}

/* The offset of a dump's line: 8 digits before bytes, or before nothing. */
static bool is_offset(const struct token *first, const struct token *second) {
    if (first->prefixed || first->digits < 6 || first->digits > SHORT) return false;
    return second->digits == BYTE || is_of_od(first, second);
}

/* The last offset stands alone. */
static void leave_out_offset(const struct line *l, struct offsets *offsets) {
    struct token first, second;
    char *at = l->at;
    if (!next_token(&at, l->end, &first)) return;
    const bool alone = !next_token(&at, l->end, &second);
    const bool last = alone && offsets->digits != 0 && first.digits == offsets->digits && !first.prefixed;
    if (!last && (alone || !is_offset(&first, &second))) return;
    offsets->digits = first.digits;
    offsets->of_pairs = offsets->of_pairs || (!last && second.digits == PAIR);
    blank(l->at, first.at + first.digits);
}

/* In xxd's output two blanks precede the characters. */
static void leave_out_characters(const struct line *l) {
    char *at = l->at;
    struct token t;
    for (bool any = false; next_token(&at, l->end, &t); any = true) {
        if (t.digits != PAIR && t.digits != BYTE) {
            if (any && t.at - l->at >= 2 && t.at[-1] == ' ' && t.at[-2] == ' ') blank(t.at, l->end);
            return;
        }
        if (any && at + 2 < l->end && at[0] == ' ' && at[1] == ' ') {
            blank(at, l->end);
            return;
        }
    }
}

static struct census count_tokens(char *text, char *end) {
    struct census c = {0};
    struct token t;
    for (char *at = text; next_token(&at, end, &t);) {
        c.bytes += t.digits == BYTE;
        c.pairs += t.digits == PAIR;
        c.words += t.digits == SHORT || t.digits == LONG;
        c.runs += t.digits > LONG && t.digits % 2 == 0;
        c.others += t.digits != BYTE && t.digits != PAIR && t.digits != SHORT && t.digits != LONG && t.digits <= LONG;
    }
    return c;
}

static bool is_dump(const struct census *c, bool offsets) {
    if (c->words > 0 || c->others > 0) return false;
    return c->runs > 0 || (c->bytes > 0 && c->pairs == 0) || (c->pairs > 0 && offsets);
}

/* Makes words of the bytes, each on the line of its last byte. With `reversed`, a token has its first byte last. */
static char *words_of_bytes(char *text, size_t size, bool reversed, unsigned *spare) {
    char *words = NULL, digits[SHORT] = "";
    size_t length = 0;
    FILE *out = open_memstream(&words, &length);
    if (out == NULL) return NULL;
    struct line l;
    struct token t;
    unsigned count = 0;
    for (size_t at = 0; next_line(text, size, &at, &l); fputc('\n', out)) {
        for (char *from = l.at; next_token(&from, l.end, &t);) {
            for (unsigned i = 0; i + 1 < t.digits; i += BYTE) {
                const char *byte = reversed ? t.at + t.digits - BYTE - i : t.at + i;
                memcpy(digits + SHORT - BYTE * (count + 1), byte, BYTE);
                count = (count + 1) % 4;
                if (count == 0) fprintf(out, "%.*s ", (int)SHORT, digits);
            }
        }
    }
    *spare = count;
    if (fclose(out) == 0) return words;
    free(words);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------------ words */

/* A short number before words is an address; other short numbers are words with leading zeros. The note reports the
 * first. */
static void look_at_short(char *text, size_t size, char note[WORD_TEXT_NOTE]) {
    struct line l;
    unsigned number = 1;
    for (size_t at = 0; next_line(text, size, &at, &l); number++) {
        struct token t, next;
        char *from = l.at;
        for (bool first = true; next_token(&from, l.end, &t); first = false) {
            if (t.digits == 0 || t.digits >= SHORT) continue;
            char *behind = from;
            const bool word = next_token(&behind, l.end, &next) && (next.digits == SHORT || next.digits == LONG);
            const bool address = first && !t.prefixed && word;
            if (note[0] == '\0' && address)
                snprintf(note, WORD_TEXT_NOTE, "line %u: '%.*s' is taken as an address", number, (int)t.digits, t.at);
            else if (note[0] == '\0')
                snprintf(note, WORD_TEXT_NOTE, "line %u: '%.*s' has %u digit%s: taken as 0x%0*d%.*s", number,
                         (int)t.digits, t.at, t.digits, t.digits == 1 ? "" : "s", (int)(SHORT - t.digits), 0,
                         (int)t.digits, t.at);
            if (address) blank(t.at, t.at + t.digits);
        }
    }
}

char *word_text_plain(const char *text, size_t size, char note[WORD_TEXT_NOTE]) {
    char *plain = malloc(size + 1), *words;
    struct line l;
    unsigned spare = 0;
    note[0] = '\0';
    if (plain == NULL) return NULL;
    if (size > 0) memcpy(plain, text, size);
    plain[size] = '\0';
    char *end = plain + size;
    leave_out_comments(plain, end);
    const bool colons = memchr(plain, ':', size) != NULL;
    if (colons)
        for (size_t at = 0; next_line(plain, size, &at, &l);) {
            char *colon = memchr(l.at, ':', (size_t)(l.end - l.at));
            if (colon != NULL) leave_out_characters(&(struct line){colon + 1, l.end});
        }
    const unsigned star = find_star(plain, size);
    leave_out_marks(plain, end);
    leave_out_suffixes(plain, end);
    struct offsets offsets = {0};
    for (size_t at = 0; next_line(plain, size, &at, &l);) leave_out_offset(&l, &offsets);
    const struct census census = count_tokens(plain, end);
    if (!is_dump(&census, colons || offsets.of_pairs)) {
        look_at_short(plain, size, note);
        return plain;
    }
    words = words_of_bytes(plain, size, offsets.of_pairs, &spare);
    snprintf(note, WORD_TEXT_NOTE, "taken as %s, the first the least significant",
             offsets.of_pairs ? "numbers of 16 bits, two a word" : "bytes, four a word");
    if (spare != 0) snprintf(note + strlen(note), WORD_TEXT_NOTE - strlen(note), "; %u at the end make no word", spare);
    if (star != 0)
        snprintf(note + strlen(note), WORD_TEXT_NOTE - strlen(note), "; line %u, *, leaves lines out: dump with -v",
                 star);
    free(plain);
    return words;
}
