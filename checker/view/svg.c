/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a grid as SVG, see grid.h. Adjacent cells of one look are one rectangle. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../cmodel/run/state_report.h"
#include "grid.h"

enum {
    LEFT = 64,
    TOP = 52,
    LEVELS = 8,  /* heights of a cell */
    GAP = 14,    /* between SMs, and above the shares */
    SHARES = 48, /* height of an SM's shares */
    LINE_HEIGHT = 15,
    LINE_BAR = 160 /* of the line with most time */
};

/* Distinguishable in grey, too, and with most kinds of colour blindness. */
static const char *const COLOUR[TIMELINE_WAITS] = {"#4477aa", "#eecc66", "#ee6677", "#aa3377"};
static const char *const MEANING[TIMELINE_WAITS] = {"takes its turn", "waits for memory", "waits at a barrier",
                                                    "branches: is fetched anew"};

static void text(FILE *out, double x, double y, const char *anchor, const char *content) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    for (; *content != '\0'; content++) {
        switch (*content) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        default:
            if ((unsigned char)*content >= ' ') fputc(*content, out);
        }
    }
    fputs("</text>\n", out);
}

static void rectangle(FILE *out, double x, double y, double width, double height, const char *colour) {
    fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y, width, height,
            colour);
}

/* ---------------------------------------------------------------------------- warps */

/* The look of a cell: the wait of its largest part, and a height; height 0: nothing. */
struct look_of_cell {
    unsigned wait, height;
};

static struct look_of_cell look(const struct grid_cell *c) {
    double all = 0;
    unsigned most = 0;
    for (unsigned w = 0; w < TIMELINE_WAITS; w++) {
        all += c->time[w];
        if (c->time[w] > c->time[most]) most = w;
    }
    if (all < 0.02) return (struct look_of_cell){0, 0};
    const unsigned height = (unsigned)(c->lanes / all * LEVELS / WARP_LANES + 0.5);
    return (struct look_of_cell){most, height > 0 ? height : 1};
}

static void draw_row(const struct grid *g, const struct grid_row *row, double y, double height, FILE *out) {
    const struct grid_cell *cells = &g->cells[(size_t)row->place * GRID_COLUMNS];
    for (unsigned from = 0, to; from < GRID_COLUMNS; from = to) {
        const struct look_of_cell l = look(&cells[from]);
        for (to = from + 1; to < GRID_COLUMNS; to++) {
            const struct look_of_cell next = look(&cells[to]);
            if (next.wait != l.wait || next.height != l.height) break;
        }
        const double part = (height - 1) * l.height / LEVELS;
        if (l.height > 0) rectangle(out, LEFT + from, y + height - 1 - part, to - from, part, COLOUR[l.wait]);
    }
    for (unsigned column = 0; column < GRID_COLUMNS; column++)
        if (cells[column].begins) rectangle(out, LEFT + column, y, 1, height - 1, "#222");
}

/* ---------------------------------------------------------------------------- shares */

/* Along an edge of a band, from column `at` on in steps of `way`: up or down where the height changes. */
static void draw_edge(const double height[GRID_COLUMNS], int at, int way, double y, FILE *out) {
    for (int next; at >= 0 && at < GRID_COLUMNS; at = next) {
        for (next = at; next >= 0 && next < GRID_COLUMNS && fabs(height[next] - height[at]) < 0.005;) next += way;
        fprintf(out, "V%.1fh%d", y + SHARES - SHARES * height[at], next - at);
    }
}

/* One band for each wait, on top of those of the waits before; rows `first` to `last` - 1 are the SM's. */
static void draw_shares(const struct grid *g, unsigned first, unsigned last, double y, FILE *out) {
    double base[GRID_COLUMNS] = {0}, top[GRID_COLUMNS];
    for (unsigned w = 0; w < TIMELINE_WAITS; w++) {
        for (unsigned column = 0; column < GRID_COLUMNS; column++) {
            double sum = 0;
            for (unsigned i = first; i < last; i++) sum += g->cells[(size_t)i * GRID_COLUMNS + column].time[w];
            top[column] = base[column] + sum / (last - first);
        }
        fprintf(out, "<path fill=\"%s\" d=\"M%d %.1f", COLOUR[w], LEFT, y + SHARES - SHARES * base[0]);
        draw_edge(top, 0, 1, y, out);
        draw_edge(base, GRID_COLUMNS - 1, -1, y, out);
        fputs("z\"/>\n", out);
        memcpy(base, top, sizeof base);
    }
    text(out, LEFT - 6, y + 10, "end", "100 %");
    text(out, LEFT - 6, y + SHARES, "end", "0");
}

/* ---------------------------------------------------------------------------- lines of the source */

/* "saxpy.cl:5", a bar of its warps' states, and its text if the file exists. */
static void draw_line(const struct lines_line *line, double scale, double y, FILE *out) {
    char label[400], source[STATE_REPORT_LINE_MAX];
    double x = LEFT;
    const char *name = strrchr(line->file, '/');
    name = name != NULL ? name + 1 : line->file;
    for (unsigned w = 0; w < TIMELINE_WAITS; w++) {
        const double width = line->time[w] * scale;
        if (width > 0) rectangle(out, x, y + 3, width, LINE_HEIGHT - 4, COLOUR[w]);
        x += width;
    }
    const bool known = state_report_read_line(line->file, line->line, source);
    snprintf(label, sizeof label, "%4.1f %%  %.80s:%u%s%.200s", 100 * line->all, name, line->line, known ? "  " : "",
             known ? source + strspn(source, " \t") : "");
    text(out, LEFT + LINE_BAR + 8, y + LINE_HEIGHT - 3, "start", label);
}

static void draw_lines(const struct grid *g, double y, FILE *out) {
    double most = 0;
    for (size_t i = 0; i < g->line_count; i++)
        if (g->lines[i].all > most) most = g->lines[i].all;
    text(out, 4, y + LINE_HEIGHT - 3, "start", "lines");
    for (size_t i = 0; i < g->line_count; i++)
        draw_line(&g->lines[i], LINE_BAR / most, y + (double)i * LINE_HEIGHT, out);
}

/* ---------------------------------------------------------------------------- the whole */

static void draw_axis(const struct grid *g, double y, FILE *out) {
    const uint64_t span = g->totals.to - g->totals.from;
    uint64_t step = 1;
    for (unsigned i = 0; span / step > 8; i++) step = i % 3 == 1 ? step / 2 * 5 : step * 2; /* 1, 2, 5, 10 ... */
    for (uint64_t at = (g->totals.from + step - 1) / step * step; at <= g->totals.to; at += step) {
        char number[32];
        const double x = LEFT + (double)(at - g->totals.from) * GRID_COLUMNS / (double)span;
        fprintf(out, "<path d=\"M%.1f %.1fv4\" stroke=\"#222\"/>\n", x, y);
        snprintf(number, sizeof number, "%" PRIu64, at);
        text(out, x, y + 16, "middle", number);
    }
    text(out, LEFT - 6, y + 16, "end", "cycle");
}

static void draw_legend(FILE *out) {
    double x = LEFT;
    for (unsigned w = 0; w < TIMELINE_WAITS; w++) {
        rectangle(out, x, 30, 10, 10, COLOUR[w]);
        text(out, x + 14, 39, "start", MEANING[w]);
        x += 34 + 6.2 * (double)strlen(MEANING[w]);
    }
    rectangle(out, x, 30, 1, 10, "#222");
    text(out, x + 5, 39, "start", "a warp begins; height: active lanes");
}

void grid_draw(const struct grid *g, FILE *out) {
    const unsigned sms = g->row_count == 0 ? 1 : g->rows[g->row_count - 1]->sm + 1;
    const double height = g->row_count > 96 ? 5 : g->row_count > 32 ? 9 : 14;
    const double bottom = TOP + g->row_count * height + sms * (3 * GAP + SHARES);
    const double lines = g->line_count > 0 ? 28 + (double)g->line_count * LINE_HEIGHT : 0;
    char label[32];
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
            "font-family=\"sans-serif\" font-size=\"11\" fill=\"#222\">\n<rect width=\"100%%\" height=\"100%%\" "
            "fill=\"#fff\"/>\n",
            LEFT + GRID_COLUMNS + 24, bottom + 24 + lines, LEFT + GRID_COLUMNS + 24, bottom + 24 + lines);
    text(out, LEFT, 18, "start", g->title);
    draw_legend(out);
    double y = TOP;
    for (unsigned first = 0, last; first < g->row_count; first = last) {
        snprintf(label, sizeof label, "SM %u", g->rows[first]->sm);
        y += GAP;
        text(out, 4, y + 11, "start", label);
        for (last = first; last < g->row_count && g->rows[last]->sm == g->rows[first]->sm; last++) {
            snprintf(label, sizeof label, "%u", g->rows[last]->slot);
            if (height > 8 || (last - first) % 4 == 0) text(out, LEFT - 6, y + height - 2, "end", label);
            draw_row(g, g->rows[last], y, height, out);
            y += height;
        }
        y += GAP;
        draw_shares(g, first, last, y, out);
        y += SHARES + GAP;
    }
    draw_axis(g, bottom, out);
    if (g->line_count > 0) draw_lines(g, bottom + 32, out);
    fputs("</svg>\n", out);
}
