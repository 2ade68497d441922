/* SPDX-License-Identifier: Apache-2.0 */
/* Prints instructions in the dialect of cuobjdump: walks the tokens of the row's pattern. */
#include <string.h>

#include "../../spec/table.h"
#include "isa.h"

/* Text that grows at its end; text beyond the size is dropped, but the length counts all of it. */
struct line {
    char *text;
    size_t size, length;
    bool spaced; /* "g [0x4]" rather than "g[0x4]" */
    const struct word_fields *w;
};

static void put_text(struct line *l, const char *s, size_t n) {
    for (size_t i = 0; i < n; i++, l->length++)
        if (l->length + 1 < l->size) l->text[l->length] = s[i];
}

static void put_string(struct line *l, const char *s) { put_text(l, s, strlen(s)); }

static void put_number(struct line *l, uint32_t v, unsigned base) {
    char digits[10];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[v % base];
        v /= base;
    } while (v != 0);
    put_text(l, digits + at, sizeof digits - at);
}

static void put_decimal(struct line *l, uint32_t v) { put_number(l, v, 10); }

static void put_hex(struct line *l, uint32_t v) {
    put_text(l, "0x", 2);
    put_number(l, v, 16);
}

/* One letter and a number: R5, A1, C0. */
static void put_numbered(struct line *l, const char *prefix, uint32_t v) {
    put_string(l, prefix);
    put_decimal(l, v);
}

static void put_field(struct line *l, const struct field *f, uint32_t v) {
    size_t length;
    const char *s;
    switch ((enum field_kind)f->kind) {
    case KIND_REG32:
    case KIND_REG16B: put_numbered(l, "R", v); break;
    case KIND_REG16:
        put_numbered(l, "R", v >> 1);
        put_text(l, (v & 1) != 0 ? "H" : "L", 1);
        break;
    case KIND_HEX: put_hex(l, v); break;
    case KIND_SHEX:
        if ((v & 0x80000000u) != 0) put_text(l, "-", 1);
        put_hex(l, (v & 0x80000000u) != 0 ? 0u - v : v);
        break;
    case KIND_TARGET: put_hex(l, v * 4); break;
    case KIND_SHIFT:
        if (v == 0) break;
        put_text(l, ", ", 2);
        put_hex(l, v);
        break;
    case KIND_ENUM:
        s = field_spelling(f, v, &length);
        if (s != NULL) put_text(l, s, length);
        break;
    case KIND_LANE:
        if (v == 15) break;
        put_text(l, ".LANE", 5);
        put_number(l, v, 16);
        break;
    case KIND_AREG: put_numbered(l, "A", v); break;
    case KIND_CREG: put_numbered(l, "C", v); break;
    case KIND_SREG: put_numbered(l, "SR", v); break;
    case KIND_BARRIER: put_numbered(l, "b", v); break;
    case KIND_COND: put_string(l, isa_cond_name(v)); break;
    case KIND_ABS:
    case KIND_FLAG:
    case KIND_MARK:
    case KIND_HIDDEN: put_decimal(l, v); break;
    }
}

static uint32_t value(const struct line *l, enum isa_field name) { return l->w->value[name]; }

/* "C0.NE" between two texts, unless the condition is TRUE */
static void put_guard(struct line *l, const char *before, const char *after) {
    if (value(l, ISA_FIELD_cond) == ISA_COND_TRUE) return;
    put_string(l, before);
    put_numbered(l, "C", value(l, ISA_FIELD_cr));
    put_text(l, ".", 1);
    put_string(l, isa_cond_name(value(l, ISA_FIELD_cond)));
    put_string(l, after);
}

/* "[0x4]", "[A1+0x4]" or, with post-increment, "[A1+++0x4]" */
static void put_address(struct line *l, enum isa_field offset, bool indexed) {
    put_string(l, l->spaced ? " [" : "[");
    if (indexed && (value(l, ISA_FIELD_areg) != 0 || value(l, ISA_FIELD_inc) != 0)) {
        put_numbered(l, "A", value(l, ISA_FIELD_areg));
        put_string(l, value(l, ISA_FIELD_inc) != 0 ? "+++" : "+");
    }
    put_hex(l, value(l, offset));
    put_text(l, "]", 1);
}

static void put_const(struct line *l) {
    put_string(l, l->spaced ? "c [" : "c[");
    put_hex(l, value(l, ISA_FIELD_cb));
    put_text(l, "]", 1);
    put_address(l, ISA_FIELD_coff, l->w->id[ISA_FIELD_gt] == NO_FIELD);
}

static void put_dest(struct line *l, const struct token *token) {
    if (value(l, ISA_FIELD_od) == 0) {
        put_field(l, &isa_fields[token->field], value(l, ISA_FIELD_d));
        return;
    }
    put_string(l, l->spaced ? "o [" : "o[");
    put_hex(l, value(l, ISA_FIELD_d));
    put_text(l, "]", 1);
}

static void put_token(struct line *l, const struct token *token) {
    const struct field *f = &isa_fields[token->field];
    switch ((enum token_kind)token->kind) {
    case TOKEN_END: break;
    case TOKEN_TEXT: put_string(l, derived_text + token->text); break;
    case TOKEN_FIELD: put_field(l, f, l->w->value[f->name]); break;
    case TOKEN_BARS: put_text(l, "|", l->w->value[f->name] != 0 ? 1 : 0); break;
    case TOKEN_JOIN:
        if (value(l, ISA_FIELD_mark) == ISA_MARK_JOIN) put_text(l, ".S", 2);
        break;
    case TOKEN_SET_C:
        if (value(l, ISA_FIELD_ce) != 0) put_numbered(l, ".C", value(l, ISA_FIELD_cd));
        break;
    case TOKEN_CARRY: put_numbered(l, ".CARRY", value(l, ISA_FIELD_cr)); break;
    case TOKEN_GUARD: put_guard(l, " (", ")"); break;
    case TOKEN_GUARD_BRA: put_guard(l, "", ", "); break;
    case TOKEN_GUARD_RET: put_guard(l, " ", ""); break;
    case TOKEN_DEST: put_dest(l, token); break;
    case TOKEN_SHARED:
        put_text(l, "g", 1);
        put_address(l, ISA_FIELD_goff, true);
        put_field(l, f, value(l, ISA_FIELD_gt));
        break;
    case TOKEN_SHARED_CELL:
        put_text(l, "g", 1);
        put_address(l, ISA_FIELD_goff, true);
        break;
    case TOKEN_CONST:
    case TOKEN_CONST_FAR: put_const(l); break;
    case TOKEN_LOCAL:
        put_string(l, "local");
        put_address(l, ISA_FIELD_loff, true);
        break;
    case TOKEN_GLOBAL:
        put_numbered(l, "global", value(l, ISA_FIELD_seg));
        put_string(l, l->spaced ? " [" : "[");
        put_numbered(l, "R", value(l, ISA_FIELD_a));
        put_text(l, "]", 1);
        break;
    }
}

static size_t finish(struct line *l) {
    if (l->size > 0) l->text[l->length < l->size ? l->length : l->size - 1] = '\0';
    return l->length;
}

size_t isa_print(const struct isa_insn *insn, enum isa_dialect dialect, char *text, size_t size) {
    struct word_fields w;
    word_unpack(insn->row, (uint64_t)insn->hi << 32 | insn->lo, &w);
    struct line l = {text, size, 0, dialect == ISA_DIALECT_3, &w};
    const uint16_t *row_tokens = dialect == ISA_DIALECT_65 ? derived_row_tokens_65 : derived_row_tokens;
    const struct token *token = &derived_tokens[row_tokens[insn->row]];
    for (; token->kind != TOKEN_END; token++) put_token(&l, token);
    return finish(&l);
}

static void put_bits(struct line *l, uint64_t bits) {
    const char *separator = "";
    for (unsigned i = 0; i < 64; i++) {
        if ((bits >> i & 1) == 0) continue;
        put_string(l, separator);
        put_numbered(l, i < 32 ? "l" : "h", i % 32);
        separator = ", ";
    }
}

size_t isa_print_bits(uint64_t bits, char *text, size_t size) {
    struct line l = {text, size, 0, true, NULL};
    put_bits(&l, bits);
    return finish(&l);
}

size_t isa_print_field(const struct isa_insn *insn, enum isa_field field, char *text, size_t size) {
    struct word_fields w;
    word_unpack(insn->row, (uint64_t)insn->hi << 32 | insn->lo, &w);
    struct line l = {text, size, 0, true, &w};
    if (w.id[field] != NO_FIELD) put_field(&l, &isa_fields[w.id[field]], w.value[field]);
    return finish(&l);
}

size_t isa_print_fields(const struct isa_insn *insn, char *text, size_t size) {
    struct word_fields w;
    word_unpack(insn->row, (uint64_t)insn->hi << 32 | insn->lo, &w);
    struct line l = {text, size, 0, true, &w};
    put_string(&l, isa_row_id(insn->row));
    put_text(&l, ":", 1);
    const struct format *format = row_format(insn->row);
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        const struct field *f = &isa_fields[format->field[i]];
        put_text(&l, " ", 1);
        put_string(&l, isa_field_name((enum isa_field)f->name));
        put_text(&l, "=", 1);
        if (f->kind == KIND_ENUM || f->kind == KIND_SHIFT || f->kind == KIND_LANE)
            put_decimal(&l, w.value[f->name]);
        else
            put_field(&l, f, w.value[f->name]);
    }
    if (insn->alias) put_string(&l, ", reserved opcode that acts as this");
    if (insn->ignored != 0) put_string(&l, ", ignored ");
    put_bits(&l, insn->ignored);
    return finish(&l);
}
