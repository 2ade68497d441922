/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the readers of text: a position in a text, and numbers. */
#ifndef CALCULATOR_TEXT_H
#define CALCULATOR_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names with a value, such as labels. */
struct name {
    char text[32];
    uint32_t value;
};

struct names {
    struct name *list;
    size_t count;
};

_Noreturn void fail(const char *file, int line, const char *what, const char *text);

void *enlarge(void *list, size_t count, size_t size); /* room for one more after `count` elements */
char *copy_text(const char *text, size_t length);
char *read_file(const char *path);

void skip_blanks(const char **at); /* spaces, tabs and line ends */
bool skip(const char **at, const char *token);

/* Length of a name of letters, digits, _ $ and \; 0: none. */
size_t name_length(const char *at);
bool is_name(const char *at, size_t length, const char *name);

/* An expression of numbers and names. False, with *at unchanged, if there is none. */
bool read_number(const char **at, const struct names *names, uint32_t *value);

#endif
