/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts the patterns of the rows into tokens, so that the printer and the parser need not scan text. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "gen.h"

/* The field of the row that has this name. */
static enum field_id find_field(const struct table *t, size_t row, const char *name, size_t length) {
    const struct format *format = format_of(t, row);
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        const char *candidate = isa_field_names[isa_fields[format->field[i]].name];
        if (strlen(candidate) == length && memcmp(candidate, name, length) == 0) return (enum field_id)format->field[i];
    }
    gen_fail("%s has no field %.*s", t->row[row].id, (int)length, name);
}

static uint16_t intern_text(struct table *t, const char *s, size_t length) {
    for (size_t i = 0; i < t->text_size; i += strlen(t->text + i) + 1)
        if (strlen(t->text + i) == length && memcmp(t->text + i, s, length) == 0) return (uint16_t)i;
    assert(t->text_size + length + 1 <= TEXT_MAX);
    size_t at = t->text_size;
    memcpy(t->text + at, s, length);
    t->text_size += length + 1;
    return (uint16_t)at;
}

/* Pattern words in braces that stand for more than a field, and the field of each. */
static const struct {
    const char *word;
    enum token_kind kind;
    const char *field;
} special[] = {
    {"S",   TOKEN_JOIN,        "mark"},
    {"P",   TOKEN_SET_C,       "cd"  },
    {"G",   TOKEN_GUARD,       "cond"},
    {"GF",  TOKEN_GUARD_BRA,   "cond"},
    {"GR",  TOKEN_GUARD_RET,   "cond"},
    {"CY",  TOKEN_CARRY,       "cr"  },
    {"D",   TOKEN_DEST,        "d"   },
    {"MG",  TOKEN_SHARED,      "gt"  },
    {"MS",  TOKEN_SHARED_CELL, "goff"},
    {"MC",  TOKEN_CONST,       "coff"},
    {"MC2", TOKEN_CONST_FAR,   "coff"},
    {"ML",  TOKEN_LOCAL,       "loff"},
    {"MGL", TOKEN_GLOBAL,      "seg" },
};

static struct token brace_token(const struct table *t, size_t row, const char *s, size_t length) {
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (strlen(special[i].word) == length && memcmp(special[i].word, s, length) == 0)
            return (struct token){(uint8_t)special[i].kind,
                                  (uint8_t)find_field(t, row, special[i].field, strlen(special[i].field)), 0};
    bool bars = length > 1 && (s[length - 1] == '<' || s[length - 1] == '>');
    enum field_id id = find_field(t, row, s, length - (bars ? 1 : 0));
    return (struct token){bars ? TOKEN_BARS : TOKEN_FIELD, (uint8_t)id, 0};
}

/* Length of the lexical element at s: a '.modifier' or a word, or punctuation with the space after it. */
static size_t element_length(const char *s) {
    size_t n = 1;
    if (*s == '.' || isalnum((unsigned char)*s))
        while (isalnum((unsigned char)s[n])) n++;
    else if (s[1] == ' ')
        n = 2;
    return n;
}

/* Returns the index of the first token. */
static uint16_t compile_pattern(struct table *t, size_t row, const char *s) {
    struct token tokens[ROW_TOKENS_MAX];
    size_t count = 0;
    while (*s != '\0') {
        assert(count + 1 < ROW_TOKENS_MAX);
        if (*s == '{') {
            size_t length = strcspn(s, "}") - 1;
            tokens[count++] = brace_token(t, row, s + 1, length);
            s += length + 2;
        } else {
            size_t length = element_length(s);
            tokens[count++] = (struct token){TOKEN_TEXT, NO_FIELD, intern_text(t, s, length)};
            s += length;
        }
    }
    tokens[count++] = (struct token){TOKEN_END, NO_FIELD, 0};
    assert(t->token_count + count <= TOKENS_MAX);
    memcpy(t->token + t->token_count, tokens, count * sizeof tokens[0]);
    t->token_count += count;
    return (uint16_t)(t->token_count - count);
}

static size_t find_row(const struct table *t, const char *id) {
    size_t row = 0;
    while (row < t->row_count && strcmp(t->row[row].id, id) != 0) row++;
    if (row == t->row_count) gen_fail("also.def: no row %s", id);
    return row;
}

static void add_also(struct table *t, const char *id, const char *pattern, bool prints) {
    const size_t row = find_row(t, id);
    const uint16_t tokens = compile_pattern(t, row, pattern);
    if (t->also_count == ALSO_MAX) gen_fail("also.def: too many texts");
    if (prints && t->row_tokens_65[row] == t->row_tokens[row]) t->row_tokens_65[row] = tokens;
    t->also_row[t->also_count] = (uint16_t)row;
    t->also_tokens[t->also_count++] = tokens;
}

void make_tokens(struct table *t) {
    for (size_t row = 0; row < t->row_count + t->later_count; row++)
        t->row_tokens_65[row] = t->row_tokens[row] = compile_pattern(t, row, t->row[row].pattern);
#define ALSO(row, pattern)  add_also(t, #row, pattern, true);
#define READS(row, pattern) add_also(t, #row, pattern, false);
#include "../also.def"
#undef ALSO
#undef READS
}

static void write_rows(const char *name, const uint16_t *tokens, size_t rows) {
    printf("const uint16_t %s[] = {\n", name);
    for (size_t row = 0; row < rows; row++) printf("%u,%s", tokens[row], row % 24 == 23 ? "\n" : "");
    printf("\n};\n\n");
}

void write_tokens(const struct table *t) {
    printf("const char derived_text[] =\n");
    for (size_t i = 0; i < t->text_size; i += strlen(t->text + i) + 1)
        printf("    \"%s\\0\" /* %zu */\n", t->text + i, i);
    printf("    ;\n\nconst struct token derived_tokens[] = {\n");
    for (size_t i = 0; i < t->token_count; i++) {
        const struct token *token = &t->token[i];
        printf("{%u,%u,%u},%s", token->kind, token->field, token->text, token->kind == TOKEN_END ? "\n" : "");
    }
    printf("};\n\n");
    write_rows("derived_row_tokens", t->row_tokens, t->row_count + t->later_count);
    write_rows("derived_row_tokens_65", t->row_tokens_65, t->row_count + t->later_count);
}
