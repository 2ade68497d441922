/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of text share: a position in a text, and numbers. */
#ifndef CALCULATOR_TEXT_H
#define CALCULATOR_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names with a value, as labels are. */
struct name {
    char text[32];
    uint32_t value;
};

struct names {
    struct name *list;
    size_t count;
};

_Noreturn void fail(const char *file, int line, const char *what, const char *text);

void *enlarge(void *list, size_t count, size_t size); /* room for one more behind `count` elements */
char *copy_text(const char *text, size_t length);
char *read_file(const char *path);

void skip_blanks(const char **at); /* spaces, tabs and line ends */
bool skip(const char **at, const char *token);

/* A name: letters, digits, _ $ and \. Its length; 0 if there is none. */
size_t name_length(const char *at);
bool is_name(const char *at, size_t length, const char *name);

/* An expression of numbers and names. False, and *at unchanged, if there is none. */
bool read_number(const char **at, const struct names *names, uint32_t *value);

#endif
