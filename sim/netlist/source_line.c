// SPDX-License-Identifier: Apache-2.0
#include "source_line.h"

#include <stdio.h>
#include <string.h>

bool source_line_read(const char *comment, struct source_line *place) {
    int begin = 0, end = 0, closed = 0;
    if (sscanf(comment, "/* %n%*[^: ]%n:%u:%u */%n", &begin, &end, &place->line, &place->column, &closed) != 2 ||
        closed == 0)
        return false;
    place->file = comment + begin;
    place->length = (size_t)(end - begin);
    return true;
}
