/* SPDX-License-Identifier: Apache-2.0 */
/* See table.h. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

static unsigned split(char *line, const char **cells) {
    unsigned count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *p = line; p != NULL && count < TABLE_COLUMNS; count++) {
        cells[count] = p;
        p = strchr(p, '\t');
        if (p != NULL) *p++ = '\0';
    }
    return count;
}

static bool read_line(struct table *t, char *line) {
    do {
        if (fgets(line, TABLE_LINE, t->file) == NULL) return false;
        t->number++;
    } while (line[0] == '#' || line[0] == '\n');
    return true;
}

bool table_open(struct table *t, const char *path) {
    memset(t, 0, sizeof *t);
    t->file = fopen(path, "r");
    if (t->file == NULL) return false;
    if (!read_line(t, t->header)) {
        fclose(t->file);
        return false;
    }
    t->columns = split(t->header, t->name);
    return true;
}

bool table_next(struct table *t) {
    if (!read_line(t, t->line)) {
        fclose(t->file);
        t->file = NULL;
        return false;
    }
    for (unsigned i = 0; i < TABLE_COLUMNS; i++) t->cell[i] = "";
    split(t->line, t->cell);
    return true;
}

const char *table_text(const struct table *t, const char *column) {
    for (unsigned i = 0; i < t->columns; i++)
        if (strcmp(t->name[i], column) == 0) return t->cell[i];
    return "";
}

uint32_t table_hex(const struct table *t, const char *column) {
    return (uint32_t)strtoul(table_text(t, column), NULL, 16);
}
