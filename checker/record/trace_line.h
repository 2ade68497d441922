/* SPDX-License-Identifier: Apache-2.0 */
/* One record as a line of text, docs/trace.md "Text form". */
#ifndef WARPSTEP_TRACE_LINE_H
#define WARPSTEP_TRACE_LINE_H

#include "reported.h"

struct trace_line_error {
    size_t offset; /* bytes into the line */
    char text[160];
};

/* Reads a line without its newline into *r. Items of fields that are not reported may be missing. False: *error has the
 * message. */
bool trace_line_parse(const char *line, const struct reported *reported, struct retire *r,
                      struct trace_line_error *error);

#endif
