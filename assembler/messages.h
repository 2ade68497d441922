/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of one run of the assembler, in the manner of clang: place, text, source line, caret, suggestion.
 *
 *     struct messages m; messages_init(&m, "f.sass", text, size);
 *     messages_add(&m, MESSAGE_ERROR, offset, length, "unknown directive '.foo'");
 *     messages_print(&m, stderr);                      // sorted by place
 *
 * At most 20 errors are kept; `errors` counts all. */
#ifndef WARPSTEP_MESSAGES_H
#define WARPSTEP_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "diag.h"

enum { MESSAGES_MAX = 20 };

enum message_kind { MESSAGE_ERROR, MESSAGE_WARNING };

struct message {
    enum message_kind kind;
    size_t offset, length; /* span in the source text */
    char text[256];
    char help[96]; /* or empty */
};

struct messages {
    const char *file, *source;
    size_t source_size;
    struct message list[MESSAGES_MAX];
    size_t count;
    size_t errors;
};

void messages_init(struct messages *m, const char *file, const char *source, size_t size);

/* Returns the message so that its help can be filled, or NULL when there are too many. A second error at the same place
 * is dropped. */
struct message *messages_add(struct messages *m, enum message_kind kind, size_t offset, size_t length,
                             const char *format, ...) __attribute__((format(printf, 5, 6)));

void messages_print(struct messages *m, FILE *out);

/* The first error as a diag, for callers that show one line. */
enum status messages_first(struct messages *m, struct diag *d);

/* 1-based line and column of an offset. */
void messages_locate(const struct messages *m, size_t offset, unsigned *line, unsigned *column);

#endif
