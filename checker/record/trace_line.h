/* SPDX-License-Identifier: Apache-2.0 */
/* One record as a line of text, docs/trace.md "Text form". */
#ifndef WARPSTEP_TRACE_LINE_H
#define WARPSTEP_TRACE_LINE_H

#include "reported.h"

struct trace_line_error {
    size_t offset; /* bytes into the line */
    char text[160];
};

/* Reads a line without its end into *r. Items may be missing where the fields are not reported. False: *error says what
 * is wrong. */
bool trace_line_parse(const char *line, const struct reported *reported, struct retire *r,
                      struct trace_line_error *error);

#endif
