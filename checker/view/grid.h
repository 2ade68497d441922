/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of a picture: rows of cells, one for each column of pixels, and their drawing as SVG (svg.c). */
#ifndef WARPSTEP_GRID_H
#define WARPSTEP_GRID_H

#include <stdio.h>

#include "lines.h"
#include "picture.h"

enum {
    GRID_COLUMNS = 800,
    GRID_ROWS_MAX = PICTURE_SMS * PICTURE_SLOTS,
};

/* Parts of a column. */
struct grid_cell {
    double time[TIMELINE_WAITS];
    double lanes; /* active lanes, weighted by their part */
    bool begins;  /* a warp does */
};

struct grid_row {
    unsigned sm, slot, place;
};

struct grid {
    struct picture_totals totals;
    const char *title;
    struct grid_row **rows; /* by SM and slot */
    unsigned row_count;
    struct grid_cell *cells; /* GRID_COLUMNS for each place */
    const struct lines_line *lines;
    size_t line_count;
};

void grid_draw(const struct grid *g, FILE *out);

#endif
