/* SPDX-License-Identifier: Apache-2.0 */
/* See formats.h. */
#include "formats.h"

#include <inttypes.h>
#include <string.h>

#include "assembler/listing/layout.h"

enum { ROWS_MAX = 1024, GOLDEN_LINE = 1024 };

/* Rows that share a diagram. */
struct group {
    struct layout layout;
    size_t row[ROWS_MAX], count;
    uint64_t varying; /* fixed bits that differ among the rows */
};

static const struct {
    const char *row;
    unsigned number, seen;
} thesis[] = {
#define THESIS(number, row, seen) {#row, number, seen},
#include "spec/thesis.def"
#undef THESIS
};
enum { THESIS_COUNT = sizeof thesis / sizeof thesis[0] };

static bool row_has(size_t row, enum isa_field name) { return isa_row_field_bits(row, name) != 0; }

static const struct field *row_field(size_t row, size_t i) {
    const struct format *format = row_format(row);
    return i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD ? &isa_fields[format->field[i]] : NULL;
}

/* ---- example ---- */

/* The register of a field in examples: R1 <- R2, R3, R4, and R1L <- R2H, R3L. */
static uint32_t example_register(const struct field *f) {
    unsigned number = f->name == ISA_FIELD_d ? 1 : f->name == ISA_FIELD_a ? 2 : f->name == ISA_FIELD_b ? 3 : 4;
    if (f->kind == KIND_REG32) return number;
    return 2 * number + (f->name == ISA_FIELD_a && f->kind == KIND_REG16 ? 1u : 0u);
}

static uint32_t example_value(const struct field *f, uint32_t usual) {
    if (f->kind == KIND_HIDDEN) return usual; /* a hidden field would not survive a round trip */
    switch ((enum isa_field)f->name) {
    case ISA_FIELD_d:
    case ISA_FIELD_a:
    case ISA_FIELD_b:
    case ISA_FIELD_c: return example_register(f);
    case ISA_FIELD_imm: return 5;
    case ISA_FIELD_goff: return 4;
    case ISA_FIELD_coff: return 2;
    case ISA_FIELD_loff: return 0x10;
    case ISA_FIELD_gt: return 3;
    case ISA_FIELD_sz: return 6;
    case ISA_FIELD_tgt: return 0x80 / 4;
    case ISA_FIELD_mask: return 0xfff;
    case ISA_FIELD_sh: return 2;
    case ISA_FIELD_cb:
    case ISA_FIELD_ad:
    case ISA_FIELD_sr:
    case ISA_FIELD_cmp:
    case ISA_FIELD_arv:
    case ISA_FIELD_wait:
    case ISA_FIELD_lim: return 1;
    default: return usual;
    }
}

/* Words of the row whose fields make an expressive text. */
static bool example_words(size_t row, uint32_t *lo, uint32_t *hi) {
    struct isa_fields fields;
    const struct field *f;
    isa_default_fields(row, &fields);
    for (size_t i = 0; (f = row_field(row, i)) != NULL; i++)
        fields.value[f->name] = example_value(f, fields.value[f->name]);
    if (isa_rows[row].op == OP_A2R || isa_rows[row].op == OP_ADA) fields.value[ISA_FIELD_areg] = 2;
    if (isa_encode(row, &fields, lo, hi)) return true;
    fields.value[ISA_FIELD_gt] = 1; /* a half operand takes no 32-bit cell, a byte only U8 */
    if (isa_encode(row, &fields, lo, hi)) return true;
    fields.value[ISA_FIELD_gt] = 0;
    return isa_encode(row, &fields, lo, hi);
}

/* ---- the rows of a group ---- */

static void write_class(FILE *out, size_t row) {
    bool listed = false;
    for (size_t i = 0; i < THESIS_COUNT; i++) {
        if (strcmp(thesis[i].row, isa_row_id(row)) != 0) continue;
        fprintf(out, "%sT%u", listed ? ", " : "", thesis[i].number);
        listed = true;
    }
    if (!listed) fprintf(out, "%c", isa_row_class(row));
}

/* Number of distinct real words of the row, if counted by row. */
static void write_seen(FILE *out, size_t row) {
    for (size_t i = 0; i < THESIS_COUNT; i++) {
        if (strcmp(thesis[i].row, isa_row_id(row)) != 0) continue;
        fprintf(out, "%u", thesis[i].seen);
        return;
    }
}

static void write_varying(FILE *out, uint64_t varying, uint64_t match) {
    for (unsigned i = 64; i-- > 0;)
        if ((varying >> (i ^ 32) & 1) != 0) fprintf(out, "%u", (unsigned)(match >> (i ^ 32) & 1)); /* low word first */
}

/* Words as two cells: their text, and the words. */
static void write_words(FILE *out, uint32_t lo, uint32_t hi) {
    struct isa_insn insn;
    char text[ISA_TEXT_MAX];
    if (isa_decode(lo, hi, &insn) != ISA_OK) {
        fprintf(out, " | |");
        return;
    }
    isa_print(&insn, ISA_DIALECT_3, text, sizeof text);
    fprintf(out, " `");
    for (const char *s = text; *s != '\0'; s++) fprintf(out, *s == '|' ? "\\|" : "%c", *s);
    fprintf(out, "` | `%08" PRIx32, lo);
    if (insn.bytes == 8) fprintf(out, " %08" PRIx32, hi);
    fprintf(out, "` |");
}

static void write_row(FILE *out, size_t row, uint64_t varying) {
    fprintf(out, "| ");
    write_class(out, row);
    fprintf(out, " | %s |", isa_row_id(row));
    if (varying != 0) {
        fprintf(out, " ");
        write_varying(out, varying, isa_rows[row].match);
        fprintf(out, " |");
    }
    uint32_t lo = 0, hi = 0;
    if (!example_words(row, &lo, &hi)) lo = UINT32_MAX; /* no row has such words, so that the test would report them */
    write_words(out, lo, hi);
    fprintf(out, " ");
    write_seen(out, row);
    fprintf(out, " |\n");
}

/* ---- titles and options ---- */

static void write_title(FILE *out, const struct group *g) {
    static const struct {
        enum isa_field field;
        const char *operand;
    } operands[] = {
        {ISA_FIELD_a,    "register" },
        {ISA_FIELD_goff, "shared"   },
        {ISA_FIELD_b,    "register" },
        {ISA_FIELD_coff, "constant" },
        {ISA_FIELD_loff, "local"    },
        {ISA_FIELD_imm,  "immediate"},
        {ISA_FIELD_c,    "register" },
    };
    static const char *const shapes[] = {"half", "long", "immediate", "flow"};
    fprintf(out, "**");
    const char *last = "";
    for (size_t i = 0; i < g->count; i++) {
        const char *name = isa_row_mnemonic(g->row[i]);
        if (strcmp(name, last) != 0) fprintf(out, "%s%s", i > 0 ? ", " : "", name);
        last = name;
    }
    fprintf(out, "**, %s form", shapes[g->layout.shape]);
    const char *separator = ": ";
    for (size_t i = 0; i < sizeof operands / sizeof operands[0]; i++) {
        if (!row_has(g->row[0], operands[i].field)) continue;
        fprintf(out, "%s%s", separator, operands[i].operand);
        separator = ", ";
    }
    fprintf(out, "\n\n");
}

/* Spellings of one field, each with its value. */
static void write_spellings(FILE *out, const struct field *f) {
    fprintf(out, "`%s`", isa_field_name((enum isa_field)f->name));
    for (uint32_t v = 0; v < (uint32_t)1 << field_width(f); v++) {
        size_t length;
        const char *s = field_spelling(f, v, &length);
        if (s == NULL) continue;
        if (length == 0)
            fprintf(out, " %" PRIu32 " (nothing)", v);
        else
            fprintf(out, " %" PRIu32 " `%.*s`", v, (int)length, s);
    }
}

/* True if `other` has the same spelling for every value of f. */
static bool is_covered(const struct field *f, const struct field *other) {
    if (f->name != other->name || field_width(f) != field_width(other)) return false;
    for (uint32_t v = 0; v < (uint32_t)1 << field_width(f); v++) {
        size_t length, other_length;
        const char *s = field_spelling(f, v, &length), *o = field_spelling(other, v, &other_length);
        if (s != NULL && (o == NULL || length != other_length || memcmp(s, o, length) != 0)) return false;
    }
    return true;
}

/* Each option once, even if rows of the group have it as different fields. */
static void write_options(FILE *out, const struct group *g) {
    const struct field *done[32];
    size_t count = 0;
    for (size_t k = 0; k < g->count; k++) {
        const struct field *f;
        for (size_t i = 0; (f = row_field(g->row[k], i)) != NULL; i++) {
            bool known = f->kind != KIND_ENUM;
            for (size_t n = 0; n < count; n++) known = known || is_covered(f, done[n]);
            if (known || count == sizeof done / sizeof done[0]) continue;
            fprintf(out, count == 0 ? "Options: " : "; ");
            write_spellings(out, f);
            done[count++] = f;
        }
    }
    if (count > 0) fprintf(out, ".\n\n");
}

static void write_group(FILE *out, const struct group *g) {
    char bits[ISA_BITS_MAX];
    write_title(out, g);
    fprintf(out, "```text\n");
    layout_draw(out, &g->layout, isa_rows[g->row[0]].match, g->varying);
    fprintf(out, "```\n\n");
    write_options(out, g);
    fprintf(out, "| | row |");
    if (g->varying != 0) {
        isa_print_bits(g->varying, bits, sizeof bits);
        fprintf(out, " x |");
    }
    fprintf(out, " example | words | seen |\n|---|---|%s---|---|---|\n", g->varying != 0 ? "---|" : "");
    for (size_t i = 0; i < g->count; i++) write_row(out, g->row[i], g->varying);
}

/* ---- grouping ---- */

bool formats_in_list(const char *list, const char *mnemonic) {
    size_t length = strlen(mnemonic);
    for (const char *s = list; (s = strstr(s, mnemonic)) != NULL; s++) {
        bool starts = s == list || s[-1] == ' ';
        if (starts && (s[length] == ' ' || s[length] == '\0')) return true;
    }
    return false;
}

/* Collects the rows of the list's mnemonics with the layout of `first`, and marks them. */
static void collect(struct group *g, const char *list, size_t first, bool *row_written) {
    layout_of_row(first, &g->layout);
    g->count = 0;
    g->varying = 0;
    for (size_t row = first; row < isa_row_count(); row++) {
        struct layout layout;
        if (row_written[row] || !formats_in_list(list, isa_row_mnemonic(row))) continue;
        layout_of_row(row, &layout);
        if (memcmp(&layout, &g->layout, sizeof layout) != 0) continue;
        g->row[g->count++] = row;
        g->varying |= isa_rows[row].match ^ isa_rows[first].match;
        row_written[row] = true;
    }
}

static size_t find_row(const char *id) {
    size_t row = 0;
    while (row < isa_row_count() && strcmp(isa_row_id(row), id) != 0) row++;
    return row;
}

bool formats_write_thesis(FILE *out, FILE *golden, void (*write_section)(FILE *out, const char *mnemonic, void *state),
                          void *state) {
    char line[GOLDEN_LINE];
    size_t count = 0;
    fprintf(out, "| | section | example | words | row |\n|---|---|---|---|---|\n");
    while (fgets(line, sizeof line, golden) != NULL) {
        uint32_t lo, hi = 0;
        const char *format = strstr(line, "\tT");
        if (line[0] == '#' || format == NULL || sscanf(line, "%8" SCNx32 " %8" SCNx32, &lo, &hi) < 1) continue;
        unsigned number = 0;
        if (sscanf(format, "\tT%u\t", &number) != 1 || number != count + 1 || count == THESIS_COUNT) return false;
        size_t row = find_row(thesis[count++].row);
        fprintf(out, "| T%u | ", number);
        write_section(out, isa_row_mnemonic(row), state);
        fprintf(out, " |");
        write_words(out, lo, hi);
        fprintf(out, " %s |\n", isa_row_id(row));
    }
    return count == THESIS_COUNT;
}

bool formats_write(FILE *out, const char *mnemonics, bool *row_written) {
    static const enum isa_shape order[] = {ISA_SHAPE_LONG, ISA_SHAPE_FLOW, ISA_SHAPE_HALF, ISA_SHAPE_IMM};
    struct group g;
    bool any = false;
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        for (size_t row = 0; row < isa_row_count(); row++) {
            if (row_written[row] || isa_row_shape(row) != order[k] ||
                !formats_in_list(mnemonics, isa_row_mnemonic(row)))
                continue;
            if (any) fprintf(out, "\n");
            collect(&g, mnemonics, row, row_written);
            write_group(out, &g);
            any = true;
        }
    return any;
}
