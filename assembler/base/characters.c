/* SPDX-License-Identifier: Apache-2.0 */
#include "characters.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const struct {
    uint32_t from, to;
    const char *name, *advice;
} NAMES[] = {
    {0x00a0, 0x00a0,     "a no-break space",                  ": write a space"           },
    {0x2000, 0x200a,     "a space of typesetting",            ": write a space"           },
    {0x200b, 0x200d,     "a space without width",             ": leave it out"            },
    {0x202f, 0x202f,     "a no-break space",                  ": write a space"           },
    {0x3000, 0x3000,     "a wide space",                      ": write a space"           },
    {0xfeff, 0xfeff,     "a byte order mark",                 ": save the file without it"},
    {0x2018, 0x201b,     "a curly quote",                     ": write '"                 },
    {0x201c, 0x201f,     "a curly quote",                     ": write \""                },
    {0x2010, 0x2015,     "a dash of typesetting",             ": write -"                 },
    {0x2212, 0x2212,     "a minus of typesetting",            ": write -"                 },
    {0x00d7, 0x00d7,     "a multiplication sign",             ": write *"                 },
    {0x0000, UINT32_MAX, "a character that is none of ASCII", ""                          },
};

/* The Unicode characters of Windows' bytes, where the two differ and the character has a name here. */
static uint32_t of_windows(unsigned char byte) {
    static const uint32_t QUOTES[] = {0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014}; /* from 0x91 on */
    return byte >= 0x91 && byte <= 0x97 ? QUOTES[byte - 0x91] : byte;
}

static size_t decode(const unsigned char *s, size_t left, uint32_t *code) {
    const size_t length = s[0] >= 0xf0 && s[0] < 0xf8 ? 4 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xc2 ? 2 : 1;
    *code = of_windows(s[0]);
    if (length == 1 || s[0] >= 0xf8 || length > left) return 1;
    uint32_t value = s[0] & (0xffU >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) return 1;
        value = value << 6 | (s[i] & 0x3f);
    }
    *code = value;
    return length;
}

size_t characters_name(const char *s, size_t left, char name[CHARACTERS_MAX]) {
    uint32_t code;
    if (left == 0 || (unsigned char)*s < 0x80) return 0;
    const size_t length = decode((const unsigned char *)s, left, &code);
    size_t i = 0;
    while (code < NAMES[i].from || code > NAMES[i].to) i++;
    snprintf(name, CHARACTERS_MAX, "%s (U+%04" PRIX32 ")%s", NAMES[i].name, code, NAMES[i].advice);
    return length;
}

bool characters_are_utf16(const char *text, size_t size) {
    enum { LOOKED_AT = 64 };
    const unsigned char *s = (const unsigned char *)text;
    size_t zeros[2] = {0, 0};
    if (size < 2) return false;
    if ((s[0] == 0xff && s[1] == 0xfe) || (s[0] == 0xfe && s[1] == 0xff)) return true;
    const size_t most = (size < LOOKED_AT ? size : LOOKED_AT) / 2 * 2;
    for (size_t i = 0; i < most; i++) zeros[i % 2] += s[i] == 0;
    return most >= 4 && ((zeros[0] == 0 && zeros[1] == most / 2) || (zeros[1] == 0 && zeros[0] == most / 2));
}

enum status characters_explain(const char *text, size_t size, const char *comment, struct diag *d) {
    const char *line = text, *end = text + size;
    char name[CHARACTERS_MAX];
    for (unsigned i = 1; i < d->line && line < end; i++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        line = newline != NULL ? newline + 1 : end;
    }
    for (const char *s = line; d->line > 0 && s < end && *s != '\n' && strchr(comment, *s) == NULL; s++) {
        if (characters_name(s, (size_t)(end - s), name) == 0) continue;
        d->column = (unsigned)(s - line) + 1;
        snprintf(d->text, sizeof d->text, "%s", name);
        break;
    }
    return d->status;
}
