/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the rows of the instruction table: a line of insn.def gives one row for each of its forms. The words of the
 * line's text become the row's pattern and give the row its fields; a bit that is neither fixed nor in a field must be
 * 0. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

enum { WORD_MAX = 32, PATTERN_MAX = 160, FORM_MAX = 4, OPERAND_FIELDS_MAX = 6 };

/* Bits, in the notation of the .def files. */
#define l(n)          ((uint64_t)1 << (n))
#define h(n)          ((uint64_t)1 << (32 + (n)))
#define HALF(op)      ((uint64_t)(op) << 28)
#define FLOW32(op)    (HALF(op) | 2)
#define FLOW(op)      (HALF(op) | 3)
#define LONG(op, sub) (HALF(op) | 1 | (uint64_t)(sub) << 61)
#define IMM(op)       (HALF(op) | 1 | (uint64_t)3 << 32)

/* insn.def names attributes without a prefix. */
enum {
    W16 = ISA_W16,
    SIGN_A = ISA_SIGN_A,
    SIGN_B = ISA_SIGN_B,
    SIGN_D = ISA_SIGN_D,
    M24 = ISA_M24,
    HI = ISA_HI,
    SAT = ISA_SAT,
    NEG_A = ISA_NEG_A,
    NEG_B = ISA_NEG_B,
    NEG_C = ISA_NEG_C,
    NEG_P = ISA_NEG_P,
    CARRY = ISA_CARRY,
    SRC16 = ISA_SRC16,
    BYTE = ISA_BYTE,
    CELL_U8 = ISA_CELL_U8,
    CELL_U16 = ISA_CELL_U16,
    CELL_S16 = ISA_CELL_S16,
    CELL_32 = ISA_CELL_32,
};

/* operands.def names shapes without a prefix; followed by a parenthesis, the same names are the macros above. */
enum {
    HALF = 1 << ISA_SHAPE_HALF,
    LONG = 1 << ISA_SHAPE_LONG,
    IMM = 1 << ISA_SHAPE_IMM,
    FLOW = 1 << ISA_SHAPE_FLOW,
};

/* clang-format off */
static const struct family {
    const char *id;
    enum isa_op op;
    uint32_t attr;
    uint64_t bits;
    const char *forms, *text;
} families[] = {
#define INSN(id, operation, attributes, bits, forms, text) {#id, OP_##operation, attributes, bits, forms, text},
#include "../insn.def"
#undef INSN
}, later[] = {
#define LATER(id, bits, text, what) {#id, OP_COUNT, 0, bits, "", text},
#include "../later.def"
#undef LATER
};

static const struct operand {
    const char *word;
    char form;
    unsigned shapes; /* bit ISA_SHAPE_... */
    uint64_t bits;
    const char *pattern;
    uint8_t field[OPERAND_FIELDS_MAX]; /* enum field_id, NO_FIELD after the last */
} operands[] = {
#define OPERAND(word, form, shapes, bits, pattern, ...) {word, form, shapes, bits, pattern, {__VA_ARGS__}},
#include "../operands.def"
#undef OPERAND
};

static const char *const thesis_rows[] = {
#define THESIS(number, row, seen) #row,
#include "../thesis.def"
#undef THESIS
};

static const struct {
    const char *family, *forms;
} plus_rows[] = {
#define PLUS(family, forms) {#family, forms},
#include "../plus.def"
#undef PLUS
};
/* clang-format on */

static const enum isa_unit units[OP_COUNT] = {
#define OP(name, unit, needs) UNIT_##unit,
#include "../ops.def"
#undef OP
};

/* ---- one row ---- */

/* A row that is being made. */
struct making {
    const struct family *family;
    char form[FORM_MAX + 1]; /* "" if the line has one row */
    enum isa_shape shape;
    uint64_t match, claimed; /* claimed: bits that belong to its fields */
    bool has[FIELD_ID_COUNT];
    char pattern[PATTERN_MAX];
};

static enum isa_shape shape_of(uint64_t bits) {
    if ((bits & 1) == 0) return (bits & 2) == 0 ? ISA_SHAPE_HALF : ISA_SHAPE_FLOW;
    if ((bits & 2) != 0) return ISA_SHAPE_FLOW;
    return (bits >> 32 & 3) == 3 ? ISA_SHAPE_IMM : ISA_SHAPE_LONG;
}

/* Half words, and the two flow words that have no second word. */
static bool is_short(uint64_t bits) { return (bits & 1) == 0; }

static void add_text(struct making *m, const char *s, size_t length) {
    const size_t at = strlen(m->pattern);
    if (at + length >= PATTERN_MAX) gen_fail("insn.def: %s: the text is too long", m->family->id);
    memcpy(m->pattern + at, s, length);
    m->pattern[at + length] = '\0';
}

/* Adds a field once, even if the text names it twice. */
static void add_field(struct making *m, enum field_id id) {
    const uint64_t bits = field_put(&isa_fields[id], UINT32_MAX);
    if (m->has[id]) return;
    if ((m->claimed & bits) != 0)
        gen_fail("insn.def: %s %s: %s lies where another field does", m->family->id, m->form, isa_fields[id].id);
    m->has[id] = true;
    m->claimed |= bits;
}

static enum field_id find_field(const char *word, size_t length) {
    for (enum field_id id = NO_FIELD + 1; id < FIELD_ID_COUNT; id++)
        if (strlen(isa_fields[id].id) == length && memcmp(isa_fields[id].id, word, length) == 0) return id;
    return NO_FIELD;
}

/* Kind of the operand's source: the form has one letter each for a, b and c. */
static char form_of(const struct making *m, char operand) {
    if (operand < 'a' || operand > 'c') return 'r';
    const size_t place = (size_t)(operand - 'a');
    return place < strlen(m->form) ? m->form[place] : 'r';
}

static void add_operand(struct making *m, const char *word, size_t length) {
    const char form = form_of(m, *word);
    for (size_t i = 0; i < sizeof operands / sizeof operands[0]; i++) {
        const struct operand *o = &operands[i];
        if (strlen(o->word) != length || memcmp(o->word, word, length) != 0 || o->form != form) continue;
        if ((o->shapes >> m->shape & 1) == 0) continue;
        for (size_t k = 0; k < OPERAND_FIELDS_MAX && o->field[k] != NO_FIELD; k++)
            add_field(m, (enum field_id)o->field[k]);
        m->match |= o->bits;
        add_text(m, o->pattern, strlen(o->pattern));
        return;
    }
    gen_fail("insn.def: %s %s: {%.*s} is no field, nor an operand in words of this shape", m->family->id, m->form,
             (int)length, word);
}

/* Adds the word between two braces. */
static void add_word(struct making *m, const char *word, size_t length) {
    const char last = word[length - 1];
    const bool bars = last == '<' || last == '>';
    const enum field_id id = find_field(word, length - bars);
    if (id == NO_FIELD) {
        add_operand(m, word, length);
        return;
    }
    add_field(m, id);
    if (isa_fields[id].kind == KIND_HIDDEN) return;
    const char *const bar = !bars ? "" : last == '<' ? "<" : ">";
    char piece[WORD_MAX];
    const int piece_length = snprintf(piece, sizeof piece, "{%s%s}", isa_field_names[isa_fields[id].name], bar);
    add_text(m, piece, (size_t)piece_length);
}

static void add_words(struct making *m) {
    for (const char *s = m->family->text; *s != '\0';) {
        const size_t length = strcspn(s, "{");
        add_text(m, s, length);
        s += length;
        if (*s == '\0') break;
        const size_t word = strcspn(s, "}");
        add_word(m, s + 1, word - 1);
        s += word + 1;
    }
}

/* ---- the table ---- */

/* The format with the row's fields, in the order of names.def; rows with the same fields share it. */
static uint8_t add_format(struct table *t, const struct making *m) {
    struct format format = {.shape = (uint8_t)m->shape};
    size_t count = 0;
    for (unsigned name = 0; name < ISA_FIELD_COUNT; name++)
        for (size_t id = NO_FIELD + 1; id < FIELD_ID_COUNT; id++) {
            if (!m->has[id] || isa_fields[id].name != name) continue;
            if (count == FORMAT_FIELDS_MAX) gen_fail("insn.def: %s has too many fields", m->family->id);
            format.field[count++] = (uint8_t)id;
        }
    size_t at = 0;
    while (at < t->format_count && memcmp(&t->format[at], &format, sizeof format) != 0) at++;
    if (at == FORMATS_MAX) gen_fail("too many formats");
    if (at == t->format_count) t->format[t->format_count++] = format;
    return (uint8_t)at;
}

static char *copy(const char *s, size_t length) {
    char *text = calloc(length + 1, 1);
    if (text == NULL) gen_fail("out of memory");
    memcpy(text, s, length);
    return text;
}

/* Length of the mnemonic. Half words have their own mnemonics (IADD32); flow words without a second word (TRAP32) bear
 * that of the long word. */
static size_t mnemonic_length(const struct making *m) {
    const char *capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (m->shape == ISA_SHAPE_FLOW) return strspn(m->family->text, capitals);
    return strcspn(m->family->text, " .{");
}

static void add_row(struct table *t, const struct family *f, const char *form, size_t form_length) {
    struct making m = {.family = f, .shape = shape_of(f->bits), .match = f->bits};
    char id[WORD_MAX];
    if (form_length > FORM_MAX) gen_fail("insn.def: %s: no form '%.*s'", f->id, (int)form_length, form);
    memcpy(m.form, form, form_length);
    add_words(&m);
    if ((m.match & m.claimed) != 0) gen_fail("insn.def: %s %s: a bit is 1 and part of a field", f->id, m.form);
    const size_t row = t->row_count + t->later_count;
    if (row == ROWS_MAX) gen_fail("too many rows");
    const int length = snprintf(id, sizeof id, "%s%s%s", f->id, form_length > 0 ? "_" : "", m.form);
    t->row[row] = (struct row){
        .mask = (is_short(m.match) ? UINT32_MAX : UINT64_MAX) & ~m.claimed,
        .match = m.match,
        .attr = f->attr,
        .op = (uint8_t)f->op,
        .format = add_format(t, &m),
        .class = f->op != OP_COUNT && isa_unit_is_extension(units[f->op]) ? 'E' : 'X',
        .id = copy(id, (size_t)length),
        .mnemonic = copy(f->text, mnemonic_length(&m)),
        .pattern = copy(m.pattern, strlen(m.pattern)),
    };
}

static void set_class(struct table *t, const char *list, const char *id, char class) {
    size_t row = 0;
    while (row < t->row_count && strcmp(t->row[row].id, id) != 0) row++;
    if (row == t->row_count) gen_fail("%s: no row %s", list, id);
    t->row[row].class = class;
}

/* The first form of the list and its length; length 0 at the end. */
static size_t next_form(const char **forms) {
    *forms += strspn(*forms, " ");
    return strcspn(*forms, " ");
}

static void set_classes(struct table *t) {
    char id[WORD_MAX];
    for (size_t i = 0; i < sizeof plus_rows / sizeof plus_rows[0]; i++) {
        const char *form = plus_rows[i].forms;
        size_t length = next_form(&form);
        do {
            snprintf(id, sizeof id, "%s%s%.*s", plus_rows[i].family, length > 0 ? "_" : "", (int)length, form);
            set_class(t, "plus.def", id, 'P');
            form += length;
        } while ((length = next_form(&form)) > 0);
    }
    for (size_t i = 0; i < sizeof thesis_rows / sizeof thesis_rows[0]; i++)
        set_class(t, "thesis.def", thesis_rows[i], 'T');
}

void make_rows(struct table *t) {
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const char *form = families[i].forms;
        size_t length = next_form(&form);
        do {
            add_row(t, &families[i], form, length);
            t->row_count++;
            form += length;
        } while ((length = next_form(&form)) > 0);
    }
    set_classes(t);
    for (; t->later_count < sizeof later / sizeof later[0]; t->later_count++) add_row(t, &later[t->later_count], "", 0);
}

void write_table(const struct table *t) {
    printf("const struct format isa_formats[] = {\n");
    for (size_t i = 0; i < t->format_count; i++) {
        printf("{%u, {", t->format[i].shape);
        unsigned bits[ISA_FIELD_COUNT] = {0};
        for (size_t k = 0; k < FORMAT_FIELDS_MAX && t->format[i].field[k] != NO_FIELD; k++) {
            const struct field *f = &isa_fields[t->format[i].field[k]];
            bits[f->name] = field_width(f);
            printf("%s,", f->id);
        }
        printf("0}, {");
        for (size_t k = 0; k < ISA_FIELD_COUNT; k++) printf("%u,", bits[k]);
        printf("}},\n");
    }
    printf("};\n\nconst struct row isa_rows[] = {\n");
    for (size_t i = 0; i < t->row_count + t->later_count; i++) {
        const struct row *r = &t->row[i];
        printf("{0x%016" PRIx64 ", 0x%016" PRIx64 ", 0x%" PRIx32 ", %u, %u, '%c', \"%s\", \"%s\", \"%s\"},\n", r->mask,
               r->match, r->attr, r->op, r->format, r->class, r->id, r->mnemonic, r->pattern);
    }
    printf("};\nconst size_t isa_rows_count = %zu;\nconst size_t isa_later_count = %zu;\n\n", t->row_count,
           t->later_count);
}
