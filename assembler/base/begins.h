/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPSTEP_BEGINS_H
#define WARPSTEP_BEGINS_H

#include <stdbool.h>
#include <string.h>

static inline bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* Searches a list of words that ends with NULL. */
static inline bool is_one_of(const char *word, const char *const *list) {
    while (*list != NULL && strcmp(word, *list) != 0) list++;
    return *list != NULL;
}

#endif
