/* SPDX-License-Identifier: Apache-2.0 */
/* Names of characters that editors and web pages produce and no reader accepts.
 *
 *     char name[CHARACTERS_MAX];
 *     size_t length = characters_name(s, left, name);           // "a no-break space (U+00A0): write a space"
 */
#ifndef WARPSTEP_CHARACTERS_H
#define WARPSTEP_CHARACTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

enum { CHARACTERS_MAX = 96 };

/* The character that begins at s, `left` bytes before the end: its length in bytes and its name, if it is not ASCII; 0
 * for ASCII. Bytes that are not UTF-8 are taken as Windows characters. */
size_t characters_name(const char *s, size_t left, char name[CHARACTERS_MAX]);

/* True if a file is text in UTF-16: it begins with a byte-order mark, or every second byte is 0. */
bool characters_are_utf16(const char *text, size_t size);

/* Returns the status of *d. If the message's line has a character that no reader accepts, before any comment, the first
 * such character's name becomes the message. `comment`: the set of characters that begin a comment. */
enum status characters_explain(const char *text, size_t size, const char *comment, struct diag *d);

#endif
