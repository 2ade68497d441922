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

/* False if the file does not exist. */
bool table_open(struct table *t, const char *path);
/* Reads the next row; skips comment lines ('#'). False at the end; then the table is closed as well. */
bool table_next(struct table *t);
/* A cell of this row by column name; "" if the column does not exist. */
const char *table_text(const struct table *t, const char *column);
uint32_t table_hex(const struct table *t, const char *column);

#endif
