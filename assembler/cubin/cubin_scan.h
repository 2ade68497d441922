/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of a text cubin: words, '{', '}' and '='. Blanks, line ends and comments (those of C, and from '#' to the
 * end of the line) separate them.
 *
 *     struct cubin_scan s = {.path = path, .diag = d, .at = text, .end = text + size, .line_start = text, .line = 1};
 *     for (struct cubin_token t = cubin_next(&s); t.kind != CUBIN_EOF; t = cubin_next(&s)) ...
 *
 * A scan is a value: restoring a copy goes back to its position. */
#ifndef WARPSTEP_CUBIN_SCAN_H
#define WARPSTEP_CUBIN_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/diag.h"

enum cubin_kind { CUBIN_EOF, CUBIN_WORD, CUBIN_OPEN, CUBIN_CLOSE, CUBIN_EQUALS };

struct cubin_token {
    enum cubin_kind kind;
    const char *text; /* into the file; empty for CUBIN_EOF */
    size_t length;
    unsigned line, column;
};

struct cubin_scan {
    const char *path;
    struct diag *diag;
    const char *at, *end, *line_start;
    unsigned line;
};

struct cubin_token cubin_next(struct cubin_scan *s);

bool cubin_is(const struct cubin_token *t, const char *text);

/* The token as a number: decimal or 0x for base 10, hexadecimal in both cases for base 16. False if it is no number, or
 * does not fit 32 bits. */
bool cubin_number(const struct cubin_token *t, unsigned base, uint32_t *value);

/* Fills the diag with a message at the token; returns STATUS_BAD_INPUT. */
enum status cubin_fail(const struct cubin_scan *s, const struct cubin_token *t, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum status cubin_no_memory(const struct cubin_scan *s);

#endif
