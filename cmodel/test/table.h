/* SPDX-License-Identifier: Apache-2.0 */
/* Tab-separated tables with a header line: semantic vectors. */
#ifndef WARPSTEP_CMODEL_TABLE_H
#define WARPSTEP_CMODEL_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TABLE_COLUMNS = 40, TABLE_LINE = 2048 };

struct table {
    FILE *file;
    char header[TABLE_LINE], line[TABLE_LINE];
    const char *name[TABLE_COLUMNS], *cell[TABLE_COLUMNS];
    unsigned columns, number; /* line number, 1-based */
};

/* False when there is no such file. */
bool table_open(struct table *t, const char *path);
/* The next row, comment lines ('#') skipped; false at the end, when the table is closed as well. */
bool table_next(struct table *t);
/* A cell of this row by column name; "" where there is no such column. */
const char *table_text(const struct table *t, const char *column);
uint32_t table_hex(const struct table *t, const char *column);

#endif
