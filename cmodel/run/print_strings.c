/* SPDX-License-Identifier: Apache-2.0 */
/* Strings of printf, see printer.h. */
#include <stdlib.h>
#include <string.h>

#include "../../assembler/base/word_at.h"
#include "printer.h"

enum { WORD = 4, CHUNK = 64 };

/* Returns a string of constant memory; NULL if it has fewer than `most` characters and no terminator. */
static const char *find_constant_string(const struct image *image, uint32_t addr, size_t most) {
    if (addr >= image->bank[0].size) return NULL;
    const uint8_t *text = image->bank[0].bytes + addr;
    const size_t rest = image->bank[0].size - addr;
    return most <= rest || memchr(text, '\0', rest) != NULL ? (const char *)text : NULL;
}

/* Reads up to `most` characters, in pieces that end at a multiple of CHUNK, as memory does. */
static char *read_string(struct printer *p, uint32_t addr, size_t most) {
    char *text = NULL;
    size_t size = 0;
    do {
        const size_t rest = most - size, whole = CHUNK - (addr + size) % CHUNK, more = whole < rest ? whole : rest;
        char *grown = realloc(text, size + more + 1);
        p->no_memory |= grown == NULL;
        if (grown == NULL || !p->read(p->state, addr + (uint32_t)size, (uint8_t *)grown + size, more)) {
            free(grown != NULL ? grown : text);
            return NULL;
        }
        text = grown;
        if (memchr(text + size, '\0', more) != NULL) return text;
        size += more;
    } while (size < most);
    text[size] = '\0';
    return text;
}

const char *printer_read_string(struct printer *p, struct printer_cache *cache, const struct printer_argument *a,
                                size_t most) {
    const uint32_t addr = word_at(a->bytes);
    if (a->is_constant) return find_constant_string(p->image, addr, most);
    struct printer_string *s = &cache->strings[addr / WORD % PRINTER_STRINGS];
    if (s->text != NULL && s->addr == addr && s->most == most) return s->text;
    free(s->text);
    *s = (struct printer_string){addr, most, addr != 0 ? read_string(p, addr, most) : NULL};
    return s->text;
}

void printer_release_strings(struct printer_cache *cache) {
    for (unsigned i = 0; i < PRINTER_STRINGS; i++) free(cache->strings[i].text);
}
