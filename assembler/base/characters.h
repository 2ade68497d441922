/* SPDX-License-Identifier: Apache-2.0 */
/* Characters that texts from editors and web pages have and no reader takes, by their names.
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

/* Of the character that begins at s, `left` bytes before the end, where it is none of ASCII: how many bytes it has, and
 * what it is. 0 of one of ASCII. Bytes that are no UTF-8 are taken for those of Windows. */
size_t characters_name(const char *s, size_t left, char name[CHARACTERS_MAX]);

/* Whether a file is text in UTF-16: it begins with its mark, or every second byte is 0. */
bool characters_are_utf16(const char *text, size_t size);

/* The status of *d, whose message becomes the name of the first character on its line that no reader takes, if there is
 * one before a comment that `comment` begins (a set of characters). */
enum status characters_explain(const char *text, size_t size, const char *comment, struct diag *d);

#endif
