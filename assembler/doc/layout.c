/* SPDX-License-Identifier: Apache-2.0 */
/* See layout.h. */
#include "layout.h"

#include <string.h>

enum { CELLS_MAX = 33, CELL_TEXT = 36 };

/* A cell of the diagram: a field, or neighbouring bits that belong to none. */
struct cell {
    unsigned high, low; /* bit numbers within the word */
    char text[CELL_TEXT];
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

static char bit_char(const struct layout *layout, unsigned bit, uint64_t match, uint64_t varying) {
    if (layout->kind[bit] == BIT_ZERO) return '.';
    if (layout->kind[bit] == BIT_IGNORED) return '-';
    if ((varying >> bit & 1) != 0) return 'x';
    return (match >> bit & 1) != 0 ? '1' : '0';
}

/* Cuts bits first + 31 .. first into cells, the highest bit first; returns their number. */
static size_t cut_word(const struct layout *layout, unsigned first, uint64_t match, uint64_t varying,
                       struct cell *cell) {
    size_t count = 0;
    for (unsigned i = 32; i-- > 0;) {
        unsigned bit = first + i;
        bool is_field = layout->kind[bit] == BIT_FIELD;
        bool same = i < 31 && is_field == (layout->kind[bit + 1] == BIT_FIELD) &&
                    (!is_field || layout->field[bit] == layout->field[bit + 1]);
        if (!same) {
            cell[count++] = (struct cell){.high = i};
            if (is_field)
                snprintf(cell[count - 1].text, CELL_TEXT, "%s%s",
                         isa_field_name((enum isa_field)(layout->field[bit] % LAYOUT_HIGH)),
                         layout->field[bit] >= LAYOUT_HIGH ? "+" : "");
        }
        cell[count - 1].low = i;
        size_t length = strlen(cell[count - 1].text);
        if (!is_field) cell[count - 1].text[length] = bit_char(layout, bit, match, varying);
    }
    return count;
}

static void draw_word(FILE *out, const char *name, const struct cell *cell, size_t count) {
    char range[CELLS_MAX][CELL_TEXT];
    for (size_t i = 0; i < count; i++)
        if (cell[i].high == cell[i].low)
            snprintf(range[i], CELL_TEXT, "%u", cell[i].high);
        else
            snprintf(range[i], CELL_TEXT, "%u-%u", cell[i].high, cell[i].low);
    for (unsigned line = 0; line < 2; line++) {
        fprintf(out, "%-2s |", line == 0 ? name : "");
        for (size_t i = 0; i < count; i++) {
            size_t a = strlen(range[i]), b = strlen(cell[i].text);
            fprintf(out, " %-*s |", (int)(a > b ? a : b), line == 0 ? range[i] : cell[i].text);
        }
        fprintf(out, "\n");
    }
}

void layout_draw(FILE *out, const struct layout *layout, uint64_t match, uint64_t varying) {
    struct cell cell[CELLS_MAX] = {0};
    fprintf(out, "```text\n");
    draw_word(out, "l", cell, cut_word(layout, 0, match, varying, cell));
    memset(cell, 0, sizeof cell);
    if (layout->shape != ISA_SHAPE_HALF && (match & 1) != 0)
        draw_word(out, "h", cell, cut_word(layout, 32, match, varying, cell));
    fprintf(out, "```\n\n");
}
