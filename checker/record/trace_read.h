/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the text form of a trace (docs/trace.md), from a file or, as "-", from standard input, a line at a time.
 *
 *     struct trace_reader *t = NULL;
 *     if (trace_reader_open("rtl.txt", &t, &d) != STATUS_OK) ...
 *     while ((status = trace_reader_next(t, &record, &more, &d)) == STATUS_OK && more) use(&record);
 *     trace_reader_close(t);
 *
 * An error in a line is STATUS_BAD_INPUT, with line and column; a last line without a newline is truncated. */
#ifndef WARPSTEP_TRACE_READ_H
#define WARPSTEP_TRACE_READ_H

#include "../../assembler/base/diag.h"
#include "../../assembler/image/image.h"
#include "reported.h"

struct trace_reader;

/* Reads the lines before the first record. On failure *t is NULL. */
enum status trace_reader_open(const char *path, struct trace_reader **t, struct diag *d);
void trace_reader_close(struct trace_reader *t); /* t may be NULL */

/* The fields that the trace declares as missing, for lockstep_declare; "" if none. */
const char *trace_reader_unreported(const struct trace_reader *t);
const char *trace_reader_filled(const struct trace_reader *t);

/* The place and reason of a trace's truncation, from its last line; "" if it is complete. Known at the end. */
const char *trace_reader_cut(const struct trace_reader *t);
/* Source lines, if the trace has them: an image with nothing else; owned by the reader. */
const struct image *trace_reader_source(const struct trace_reader *t);

/* The next record; *more is false, and *r not set, at the end. */
enum status trace_reader_next(struct trace_reader *t, struct retire *r, bool *more, struct diag *d);

#endif
