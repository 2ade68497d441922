// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(struct pool *pool, FILE *in) {
    char *text = NULL;
    size_t size = 0;
    ssize_t length = getdelim(&text, &size, '\0', in);
    char *copy = NULL;
    if (length < 0 && !ferror(in))
        copy = pool_text(pool, "", 0);
    else if (length >= 0 && text[length - 1] != '\0') // a text contains no NUL
        copy = pool_text(pool, text, (size_t)length);
    free(text);
    return copy;
}

char *text_read(struct pool *pool, const char *path) {
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!in) return NULL;
    errno = 0;
    char *text = read_all(pool, in);
    if (in != stdin) fclose(in);
    return text;
}
