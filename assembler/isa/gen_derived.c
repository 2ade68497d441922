/* SPDX-License-Identifier: Apache-2.0 */
/* Works out what decode.c, print.c and parse.c look up, and writes it as derived.c: the first-level buckets of the decoder, which
 * bits of a row choose it, must be zero or are ignored, reserved field values, and text patterns cut into tokens. */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "table.h"

/* ---- buckets and bits ---- */

/* The bits that bucket_of looks at. */
static uint64_t index_bits(size_t row) {
    uint64_t primary = (uint64_t)15 << 28;
    switch (row_format(row)->shape) {
    case ISA_SHAPE_LONG: return primary | (uint64_t)7 << 61 | 3;
    case ISA_SHAPE_IMM: return primary | (uint64_t)3 << 32 | 3;
    default: return primary | 3;
    }
}

static bool row_in_bucket(size_t row, unsigned bucket) {
    uint64_t primary, bits = index_bits(row);
    if (bucket < BUCKET_HALF_FLOW)
        primary = (uint64_t)(bucket - BUCKET_HALF) << 28;
    else if (bucket < BUCKET_FLOW)
        primary = (uint64_t)(bucket - BUCKET_HALF_FLOW) << 28 | 2;
    else if (bucket < BUCKET_IMM)
        primary = (uint64_t)(bucket - BUCKET_FLOW) << 28 | 3;
    else if (bucket < BUCKET_LONG)
        primary = (uint64_t)(bucket - BUCKET_IMM) << 28 | (uint64_t)3 << 32 | 1;
    else
        primary = (uint64_t)((bucket - BUCKET_LONG) / 8) << 28 | (uint64_t)((bucket - BUCKET_LONG) % 8) << 61 | 1;
    bool imm = bucket >= BUCKET_IMM && bucket < BUCKET_LONG;
    if (imm != (row_format(row)->shape == ISA_SHAPE_IMM)) return false;
    return ((isa_rows[row].match ^ primary) & isa_rows[row].mask & bits) == 0;
}

/* A bit of the mask chooses the row when it is an index bit or when another row that shares a bucket wants it set; every
 * other bit of the mask must be zero. */
static uint64_t select_bits(size_t row) {
    const struct row *r = &isa_rows[row];
    uint64_t select = r->match | (r->mask & index_bits(row));
    for (size_t i = 0; i < isa_rows_count; i++) {
        const struct row *other = &isa_rows[i];
        if (row_format(i)->shape != row_format(row)->shape) continue;
        if (((r->match ^ other->match) & r->mask & other->mask & index_bits(row)) != 0) continue;
        select |= r->mask & other->match;
    }
    return select;
}

/* ---- ignored bits ---- */

static const struct {
    const char *mnemonic;
    uint64_t bits;
} ignored[] = {
#define IGNORED(mnemonic, bits, group) {mnemonic, bits},
#include "ignored.def"
#undef IGNORED
};

static bool has_memory_operand(size_t row) {
    const struct format *format = row_format(row);
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++)
        if (isa_fields[format->field[i]].name == ISA_FIELD_areg) return true;
    return false;
}

/* The bits of the row's mask that silicon ignores. One that chooses the row cannot be ignored. */
static uint64_t ignored_bits(size_t row) {
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0] && !has_memory_operand(row); i++)
        if (strcmp(ignored[i].mnemonic, isa_rows[row].mnemonic) == 0) bits |= ignored[i].bits & isa_rows[row].mask;
    if ((bits & select_bits(row)) == 0) return bits;
    fprintf(stderr, "ignored.def: %s needs bits 0x%" PRIx64 "\n", isa_rows[row].id, bits & select_bits(row));
    exit(1);
}

static uint16_t reserved_values(const struct field *f) {
    if (f->kind == KIND_AREG) return 0xe0;
    if (f->kind == KIND_MARK) return 1u << 3;
    if (f->kind != KIND_ENUM) return 0;
    unsigned reserved = 0;
    size_t length;
    for (uint32_t v = 0; v < (uint32_t)1 << field_width(f); v++)
        if (field_spelling(f, v, &length) == NULL) reserved |= 1u << v;
    return (uint16_t)reserved;
}

static void write_buckets(void) {
    unsigned start[BUCKET_COUNT + 1], count = 0;
    printf("const uint16_t derived_bucket_rows[] = {\n");
    for (unsigned bucket = 0; bucket < BUCKET_COUNT; bucket++) {
        start[bucket] = count;
        for (size_t row = 0; row < isa_rows_count; row++)
            if (row_in_bucket(row, bucket)) printf("%zu,%s", row, ++count % 24 == 0 ? "\n" : "");
    }
    start[BUCKET_COUNT] = count;
    printf("\n};\n\nconst uint16_t derived_bucket_start[BUCKET_COUNT + 1] = {\n");
    for (unsigned bucket = 0; bucket <= BUCKET_COUNT; bucket++)
        printf("%u,%s", start[bucket], bucket % 24 == 23 ? "\n" : "");
    printf("\n};\n\nconst uint64_t derived_select[] = {\n");
    for (size_t row = 0; row < isa_rows_count; row++)
        printf("0x%016" PRIx64 ",%s", select_bits(row), row % 6 == 5 ? "\n" : "");
    printf("\n};\n\nconst uint64_t derived_fixed[] = {\n");
    for (size_t row = 0; row < isa_rows_count; row++)
        printf("0x%016" PRIx64 ",%s", isa_rows[row].mask & ~ignored_bits(row), row % 6 == 5 ? "\n" : "");
    printf("\n};\n\nconst uint16_t derived_reserved[FIELD_ID_COUNT] = {\n");
    for (size_t id = 1; id < FIELD_ID_COUNT; id++) {
        uint16_t reserved = reserved_values(&isa_fields[id]);
        if (reserved != 0) printf("[%s] = 0x%04x,\n", isa_fields[id].id, reserved);
    }
    printf("};\n\n");
}

/* ---- patterns ---- */

/* The field of the row's format that has this name; a pattern that names another one is a mistake in insn.def. */
static enum field_id find_field(size_t row, const char *name, size_t length) {
    static const char *const names[] = {
#define NAME(name, meaning) #name,
#include "names.def"
#undef NAME
    };
    const struct format *format = row_format(row);
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        const char *candidate = names[isa_fields[format->field[i]].name];
        if (strlen(candidate) == length && memcmp(candidate, name, length) == 0) return (enum field_id)format->field[i];
    }
    fprintf(stderr, "insn.def: %s has no field %.*s\n", isa_rows[row].id, (int)length, name);
    exit(1);
}

static uint16_t intern_text(struct tables *t, const char *s, size_t length) {
    for (size_t i = 0; i < t->text_size; i += strlen(t->text + i) + 1)
        if (strlen(t->text + i) == length && memcmp(t->text + i, s, length) == 0) return (uint16_t)i;
    assert(t->text_size + length + 1 <= TEXT_MAX);
    size_t at = t->text_size;
    memcpy(t->text + at, s, length);
    t->text_size += length + 1;
    return (uint16_t)at;
}

/* Pattern words in braces that are more than a field, and the field that stands for them. */
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

static struct token brace_token(size_t row, const char *s, size_t length) {
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (strlen(special[i].word) == length && memcmp(special[i].word, s, length) == 0)
            return (struct token){(uint8_t)special[i].kind,
                                  (uint8_t)find_field(row, special[i].field, strlen(special[i].field)), 0};
    bool bars = length > 1 && (s[length - 1] == '<' || s[length - 1] == '>');
    enum field_id id = find_field(row, s, length - (bars ? 1 : 0));
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

static void compile_pattern(struct tables *t, size_t row) {
    const char *s = isa_rows[row].pattern;
    struct token tokens[ROW_TOKENS_MAX];
    size_t count = 0;
    while (*s != '\0') {
        assert(count + 1 < ROW_TOKENS_MAX);
        if (*s == '{') {
            size_t length = strcspn(s, "}") - 1;
            tokens[count++] = brace_token(row, s + 1, length);
            s += length + 2;
        } else {
            size_t length = element_length(s);
            tokens[count++] = (struct token){TOKEN_TEXT, NO_FIELD, intern_text(t, s, length)};
            s += length;
        }
    }
    tokens[count++] = (struct token){TOKEN_END, NO_FIELD, 0};
    assert(t->token_count + count <= TOKENS_MAX);
    t->row_tokens[row] = (uint16_t)t->token_count;
    memcpy(t->token + t->token_count, tokens, count * sizeof tokens[0]);
    t->token_count += count;
}

static void write_patterns(const struct tables *t) {
    printf("const char derived_text[] =\n");
    for (size_t i = 0; i < t->text_size; i += strlen(t->text + i) + 1)
        printf("    \"%s\\0\" /* %zu */\n", t->text + i, i);
    printf("    ;\n\nconst struct token derived_tokens[] = {\n");
    for (size_t i = 0; i < t->token_count; i++) {
        const struct token *token = &t->token[i];
        printf("{%u,%u,%u},%s", token->kind, token->field, token->text, token->kind == TOKEN_END ? "\n" : "");
    }
    printf("};\n\nconst uint16_t derived_row_tokens[] = {\n");
    for (size_t row = 0; row < isa_rows_count; row++) printf("%u,%s", t->row_tokens[row], row % 24 == 23 ? "\n" : "");
    printf("\n};\n");
}

void write_derived(void) {
    struct tables *t = calloc(1, sizeof *t);
    if (t == NULL) {
        fprintf(stderr, "gen: out of memory\n");
        exit(1);
    }
    for (size_t row = 0; row < isa_rows_count; row++) compile_pattern(t, row);
    printf(
        "/* Generated by assembler/isa/gen.c from fields.def, formats.def, insn.def and ignored.def: do not edit. */\n"
        "/* SPDX-License-Identifier: Apache-2.0 */\n/* clang-format off */\n#include \"table.h\"\n\n");
    write_buckets();
    write_patterns(t);
    write_tree(t);
    free(t);
}
