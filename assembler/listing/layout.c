/* SPDX-License-Identifier: Apache-2.0 */
/* See layout.h. */
#include "layout.h"

#include <inttypes.h>
#include <string.h>

enum { CELLS_MAX = 33, CELL_TEXT = 36, VALUE_TEXT = 32 };
enum { RANGE, WHAT, BITS, LINES };

/* A cell of the diagram: a field, or neighbouring bits outside the fields. */
struct cell {
    unsigned high, low; /* bit numbers within the word */
    char line[LINES][CELL_TEXT];
};

/* Contents of a diagram. For rows: the fixed bits that differ (varying); for an instruction, also the word. */
struct diagram {
    const struct layout *layout;
    uint64_t match, varying, word;
    unsigned lines; /* LINES, or BITS: all lines above */
};

static const char *const meanings[ISA_FIELD_COUNT] = {
#define NAME(name, meaning) meaning,
#include "../../spec/names.def"
#undef NAME
};

static void mark_piece(struct layout *layout, const struct field_piece *piece, unsigned mark) {
    for (unsigned i = piece->lo; i < (unsigned)piece->lo + piece->width; i++) {
        layout->kind[i] = BIT_FIELD;
        layout->field[i] = (uint8_t)mark;
    }
}

void layout_of_row(size_t row, struct layout *layout) {
    const struct format *format = row_format(row);
    *layout = (struct layout){.shape = format->shape};
    for (unsigned i = 0; i < 64; i++) {
        uint64_t bit = (uint64_t)1 << i;
        if ((derived_select[row] & bit) != 0) continue; /* BIT_FIXED */
        layout->kind[i] = (isa_row_ignored(row) & bit) != 0 ? BIT_IGNORED : BIT_ZERO;
    }
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++) {
        const struct field *f = &isa_fields[format->field[i]];
        mark_piece(layout, &f->piece[0], f->name);
        mark_piece(layout, &f->piece[1], f->name + LAYOUT_HIGH);
    }
}

static char bit_char(const struct diagram *d, unsigned bit) {
    if (d->layout->kind[bit] == BIT_ZERO) return '.';
    if (d->layout->kind[bit] == BIT_IGNORED) return '-';
    if ((d->varying >> bit & 1) != 0) return 'x';
    return (d->match >> bit & 1) != 0 ? '1' : '0';
}

static void append(char *text, char c) { text[strlen(text)] = c; }

/* Cuts bits first + 31 .. first into cells, the highest bit first; all-zero bits form cells. Returns their number. */
static size_t cut_word(const struct diagram *d, unsigned first, struct cell *cell) {
    const struct layout *layout = d->layout;
    size_t count = 0;
    for (unsigned i = 32; i-- > 0;) {
        unsigned bit = first + i;
        bool is_field = layout->kind[bit] == BIT_FIELD;
        bool same = i < 31 && is_field == (layout->kind[bit + 1] == BIT_FIELD) &&
                    (!is_field || layout->field[bit] == layout->field[bit + 1]);
        if (!same) {
            cell[count++].high = i;
            if (is_field)
                snprintf(cell[count - 1].line[WHAT], CELL_TEXT, "%s%s",
                         isa_field_name((enum isa_field)(layout->field[bit] % LAYOUT_HIGH)),
                         layout->field[bit] >= LAYOUT_HIGH ? "+" : "");
        }
        struct cell *c = &cell[count - 1];
        c->low = i;
        snprintf(c->line[RANGE], CELL_TEXT, c->high == i ? "%u" : "%u-%u", c->high, i);
        if (!is_field) append(c->line[WHAT], bit_char(d, bit));
        append(c->line[BITS], (d->word >> bit & 1) != 0 ? '1' : '0');
    }
    return count;
}

static void draw_word(FILE *out, const char *name, const struct diagram *d, unsigned first) {
    struct cell cell[CELLS_MAX] = {0};
    const size_t count = cut_word(d, first, cell);
    for (unsigned line = 0; line < d->lines; line++) {
        fprintf(out, "%-2s |", line == 0 ? name : "");
        for (size_t i = 0; i < count; i++) {
            size_t width = 0;
            for (unsigned k = 0; k < d->lines; k++)
                if (strlen(cell[i].line[k]) > width) width = strlen(cell[i].line[k]);
            fprintf(out, " %-*s |", (int)width, cell[i].line[line]);
        }
        fprintf(out, "\n");
    }
}

static void draw(FILE *out, const struct diagram *d) {
    draw_word(out, "l", d, 0);
    if (d->layout->shape != ISA_SHAPE_HALF && (d->match & 1) != 0) draw_word(out, "h", d, 32);
}

void layout_draw(FILE *out, const struct layout *layout, uint64_t match, uint64_t varying) {
    draw(out, &(struct diagram){.layout = layout, .match = match, .varying = varying, .lines = BITS});
}

static void print_field(FILE *out, const struct isa_insn *insn, const struct field *f) {
    char number[VALUE_TEXT], text[VALUE_TEXT];
    const enum isa_field name = (enum isa_field)f->name;
    snprintf(number, sizeof number, "%" PRIu32, field_get(f, (uint64_t)insn->hi << 32 | insn->lo));
    isa_print_field(insn, name, text, sizeof text);
    fprintf(out, "%-5s %-4s %-12s %s\n", isa_field_name(name), number, strcmp(text, number) == 0 ? "" : text,
            meanings[name]);
}

void layout_draw_insn(FILE *out, const struct isa_insn *insn) {
    const struct format *format = row_format(insn->row);
    struct layout layout;
    layout_of_row(insn->row, &layout);
    fprintf(out, "%s\n", isa_row_id(insn->row));
    draw(out, &(struct diagram){.layout = &layout,
                                .match = isa_rows[insn->row].match,
                                .word = (uint64_t)insn->hi << 32 | insn->lo,
                                .lines = LINES});
    for (size_t i = 0; i < FORMAT_FIELDS_MAX && format->field[i] != NO_FIELD; i++)
        print_field(out, insn, &isa_fields[format->field[i]]);
}
