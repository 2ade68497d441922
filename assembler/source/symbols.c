/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of names. */
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

#include "../isa/lex.h"

static size_t hash(const char *name, size_t length, uint32_t scope) {
    uint32_t h = 2166136261u ^ scope; /* FNV-1a */
    for (size_t i = 0; i < length; i++) h = (h ^ (uint8_t)name[i]) * 16777619u;
    return h;
}

/* The entry of the name, or the free one for it. */
static struct symbol_entry *slot(const struct symbols *s, const char *name, size_t length, uint32_t scope) {
    for (size_t i = hash(name, length, scope);; i++) {
        struct symbol_entry *e = &s->entry[i & (s->capacity - 1)];
        if (e->name == NULL) return e;
        if (e->scope == scope && e->length == length && memcmp(e->name, name, length) == 0) return e;
    }
}

static bool make_room(struct symbols *s) {
    if ((s->count + 1) * 2 <= s->capacity) return true;
    struct symbols larger = {.capacity = s->capacity > 0 ? s->capacity * 2 : 64, .count = s->count};
    larger.entry = calloc(larger.capacity, sizeof *larger.entry);
    if (larger.entry == NULL) return false;
    for (size_t i = 0; i < s->capacity; i++)
        if (s->entry[i].name != NULL)
            *slot(&larger, s->entry[i].name, s->entry[i].length, s->entry[i].scope) = s->entry[i];
    free(s->entry);
    *s = larger;
    return true;
}

enum symbols_result symbols_add(struct symbols *s, const char *name, size_t length, uint32_t scope,
                                const struct isa_symbol *symbol) {
    if (!make_room(s)) return SYMBOLS_NO_MEMORY;
    struct symbol_entry *e = slot(s, name, length, scope);
    if (e->name != NULL) return SYMBOLS_DUPLICATE;
    *e = (struct symbol_entry){name, length, scope, *symbol};
    s->count++;
    return SYMBOLS_ADDED;
}

bool symbols_find(const struct symbols *s, const char *name, size_t length, uint32_t scope, struct isa_symbol *symbol) {
    if (s->count == 0) return false;
    const struct symbol_entry *e = slot(s, name, length, scope);
    if (e->name == NULL) e = slot(s, name, length, SYMBOLS_FILE_SCOPE);
    if (e->name == NULL) return false;
    *symbol = e->symbol;
    return true;
}

const struct symbol_entry *symbols_nearest(const struct symbols *s, const char *name, size_t length, uint32_t scope) {
    const struct symbol_entry *nearest = NULL;
    unsigned best = 3;
    for (size_t i = 0; i < s->capacity; i++) {
        const struct symbol_entry *e = &s->entry[i];
        if (e->name == NULL || (e->scope != scope && e->scope != SYMBOLS_FILE_SCOPE)) continue;
        unsigned distance = lex_edit_distance(name, length, e->name, e->length);
        if (distance >= best || distance >= e->length) continue;
        best = distance;
        nearest = e;
    }
    return nearest;
}

void symbols_release(struct symbols *s) {
    free(s->entry);
    *s = (struct symbols){0};
}
