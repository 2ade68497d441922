/* SPDX-License-Identifier: Apache-2.0 */
/* Symbol table with scopes, see names.h. */
#include "names.h"

#include <string.h>

enum { FIRST_SIZE = 1024 };

static size_t hash_name(const char *name, size_t length) {
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)name[i]) * UINT64_C(1099511628211);
    return (size_t)(h ^ (h >> 29));
}

void ptx_names_init(struct ptx_names *names, struct cc *cc) {
    *names = (struct ptx_names){.cc = cc, .size = FIRST_SIZE};
    names->table = CC_ARRAY(cc, struct ptx_symbol *, names->size);
}

struct ptx_symbol *ptx_names_find(const struct ptx_names *names, const char *name, size_t length) {
    struct ptx_symbol *s = names->table[hash_name(name, length) & (names->size - 1)];
    while (s != NULL && !(strlen(s->name) == length && memcmp(s->name, name, length) == 0)) s = s->chained;
    return s;
}

static void insert_symbol(struct ptx_names *names, struct ptx_symbol *s) {
    struct ptx_symbol **place = &names->table[hash_name(s->name, strlen(s->name)) & (names->size - 1)];
    s->chained = *place;
    *place = s;
}

static void grow_table(struct ptx_names *names) {
    struct ptx_symbol **old = names->table;
    const size_t old_size = names->size;
    names->size *= 4;
    names->table = CC_ARRAY(names->cc, struct ptx_symbol *, names->size);
    for (size_t i = 0; i < old_size; i++)
        for (struct ptx_symbol *s = old[i], *next; s != NULL; s = next) {
            next = s->chained;
            insert_symbol(names, s);
        }
}

static void remove_symbol(struct ptx_names *names, const struct ptx_symbol *symbol) {
    struct ptx_symbol **place = &names->table[hash_name(symbol->name, strlen(symbol->name)) & (names->size - 1)];
    while (*place != symbol) place = &(*place)->chained;
    *place = symbol->chained;
    names->count--;
}

bool ptx_names_add(struct ptx_names *names, struct ptx_symbol *symbol) {
    struct ptx_symbol *other = ptx_names_find(names, symbol->name, strlen(symbol->name));
    if (other != NULL && other->scope == names->scope) return false;
    symbol->scope = names->scope;
    symbol->shadowed = other;
    if (other != NULL) remove_symbol(names, other);
    if (++names->count > names->size) grow_table(names);
    insert_symbol(names, symbol);
    if (names->scope > 0)
        CC_PUSH_POINTER(names->cc, names->scoped, names->scoped_count, names->scoped_capacity, symbol);
    return true;
}

void ptx_names_enter_scope(struct ptx_names *names) { names->scope++; }

void ptx_names_leave_scope(struct ptx_names *names) {
    while (names->scoped_count > 0 && names->scoped[names->scoped_count - 1]->scope == names->scope) {
        struct ptx_symbol *symbol = names->scoped[--names->scoped_count];
        remove_symbol(names, symbol);
        if (symbol->shadowed == NULL) continue;
        insert_symbol(names, symbol->shadowed);
        names->count++;
    }
    names->scope--;
}
