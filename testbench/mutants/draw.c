// SPDX-License-Identifier: Apache-2.0
// Lists of mutants, by their names, which are stable under changes of the surrounding code (sim/netlist/mutant_name.h).
// A list has lines of key, entity, place and kind, as printed by the pass `mutants` of sim/netlist and by source.c.
//
//     draw choose COUNT SEED LIST    a sample, spread over the entities in proportion to the square roots of their
//                                    numbers, two at least. It depends on SEED and on each mutant's name, so it stays
//                                    the same if other code changes, or if more are drawn. Numbers them from 1
//     draw like ALL CHOSEN OTHER     the CHOSEN of ALL, as they are in OTHER, a list for other generics: in a
//                                    loop of another length it may be another iteration. With the numbers of CHOSEN
//     draw names LIST                key, turn, text of the source's line
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/netlist/mutant_name.h"
#include "sim/netlist/text.h"
#include "sim/netlist/tree.h"

struct mutant {
    const char *line;
    const char *field[5]; // key, entity, place, kind; in a chosen list preceded by the number
    const char *name;
    uint64_t rank;
    size_t index;
    bool chosen;
};

struct list {
    struct mutant *mutants;
    size_t count;
};

static bool read_list(struct pool *pool, const char *path, struct list *list) {
    char *text = text_read(pool, path);
    *list = (struct list){0};
    if (!text) perror(path);
    if (!text) return false;
    for (char *line; (line = strsep(&text, "\n")) != NULL && (text || *line);) {
        list->mutants = pool_grow(pool, list->mutants, list->count, sizeof *list->mutants);
        struct mutant *mutant = &list->mutants[list->count];
        *mutant = (struct mutant){.line = pool_text(pool, line, strlen(line)), .index = list->count};
        for (size_t i = 0; i < 5; i++) mutant->field[i] = line ? strsep(&line, "\t") : "";
        list->count++;
    }
    return true;
}

static void name_all(struct pool *pool, struct list *list) {
    struct names *names = names_create(pool);
    for (size_t i = 0; i < list->count; i++) {
        struct mutant *m = &list->mutants[i];
        m->name = names_next(names, m->field[1], m->field[2], m->field[3]);
    }
}

// ------------------------------------------------------------------------------------------------------------ choose

static int by_rank(const void *a, const void *b) {
    const struct mutant *const *x = a, *const *y = b;
    int entity = strcmp((*x)->field[1], (*y)->field[1]);
    if (entity) return entity;
    if ((*x)->rank != (*y)->rank) return (*x)->rank < (*y)->rank ? -1 : 1;
    return (*x)->index < (*y)->index ? -1 : 1;
}

static size_t quota(size_t among, double share) {
    size_t count = (size_t)(share * sqrt((double)among) + 0.5);
    if (count < 2) count = 2;
    return count < among ? count : among;
}

// Those of an entity are adjacent.
static size_t among(struct mutant **sorted, size_t count, size_t from) {
    size_t end = from;
    while (end < count && strcmp(sorted[end]->field[1], sorted[from]->field[1]) == 0) end++;
    return end - from;
}

static size_t total(struct mutant **sorted, size_t count, double share) {
    size_t sum = 0;
    for (size_t i = 0; i < count; i += among(sorted, count, i)) sum += quota(among(sorted, count, i), share);
    return sum;
}

static double share_of(struct mutant **sorted, size_t count, size_t wanted) {
    double low = 0, high = 1000;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        if (total(sorted, count, middle) > wanted)
            high = middle;
        else
            low = middle;
    }
    return low;
}

static bool choose(struct pool *pool, const char *count, const char *seed, const char *path) {
    struct list list;
    if (!read_list(pool, path, &list)) return false;
    name_all(pool, &list);
    struct mutant **sorted = pool_take(pool, (list.count + 1) * sizeof(struct mutant *));
    for (size_t i = 0; i < list.count; i++) {
        struct mutant *m = sorted[i] = &list.mutants[i];
        m->rank = names_hash(pool_format(pool, "%s\t%s", seed, m->name));
    }
    qsort(sorted, list.count, sizeof(struct mutant *), by_rank);
    double share = share_of(sorted, list.count, strtoul(count, NULL, 10));
    for (size_t i = 0; i < list.count; i += among(sorted, list.count, i))
        for (size_t k = 0; k < quota(among(sorted, list.count, i), share); k++) sorted[i + k]->chosen = true;
    unsigned number = 0;
    for (size_t i = 0; i < list.count; i++)
        if (list.mutants[i].chosen) printf("%u\t%s\n", ++number, list.mutants[i].line);
    return true;
}

// -------------------------------------------------------------------------------------------------------------- like

static bool like(struct pool *pool, char **paths) {
    struct list all, chosen, other;
    if (!read_list(pool, paths[0], &all) || !read_list(pool, paths[1], &chosen) || !read_list(pool, paths[2], &other))
        return false;
    name_all(pool, &all);
    name_all(pool, &other);
    struct module keys = {.pool = pool}, names = {.pool = pool}; // with a number as their bits
    for (size_t i = 0; i < chosen.count; i++) {
        const char *key = chosen.mutants[i].field[1];
        module_net(&keys, key, strlen(key))->bits = (unsigned)strtoul(chosen.mutants[i].field[0], NULL, 10);
    }
    for (size_t i = 0; i < all.count; i++) {
        const struct net *key = module_find(&keys, all.mutants[i].field[0]);
        const char *name = all.mutants[i].name;
        if (key) module_net(&names, name, strlen(name))->bits = key->bits;
    }
    for (size_t i = 0; i < other.count; i++) {
        const struct net *name = module_find(&names, other.mutants[i].name);
        if (name) printf("%u\t%s\n", name->bits, other.mutants[i].line);
    }
    return true;
}

static bool print_names(struct pool *pool, const char *path) {
    struct list list;
    if (!read_list(pool, path, &list)) return false;
    struct names *names = names_create(pool);
    for (size_t i = 0; i < list.count; i++) {
        struct mutant *m = &list.mutants[i];
        const char *name = names_next(names, m->field[1], m->field[2], m->field[3]);
        printf("%s\t%s\t%s\n", m->field[0], strrchr(name, '\t') + 1, names_text(names, m->field[2]));
    }
    return true;
}

int main(int argc, char **argv) {
    struct pool pool = {0};
    bool fine = false;
    if (argc == 5 && strcmp(argv[1], "choose") == 0)
        fine = choose(&pool, argv[2], argv[3], argv[4]);
    else if (argc == 5 && strcmp(argv[1], "like") == 0)
        fine = like(&pool, argv + 2);
    else if (argc == 3 && strcmp(argv[1], "names") == 0)
        fine = print_names(&pool, argv[2]);
    else
        fputs("usage: draw choose COUNT SEED LIST | draw like ALL CHOSEN OTHER | draw names LIST\n", stderr);
    pool_free(&pool);
    return fine ? 0 : 2;
}
