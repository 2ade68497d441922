// SPDX-License-Identifier: Apache-2.0
#include "mutant_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree.h"

struct names {
    struct pool *pool;
    struct module turns; // a net for each name; its bits are the number of requests
    struct module files; // one for each file read
    struct file {
        const char **line;
        size_t lines;
    } * file; // by the net's id
};

struct names *names_create(struct pool *pool) {
    struct names *names = pool_take(pool, sizeof *names);
    names->pool = names->turns.pool = names->files.pool = pool;
    return names;
}

static struct file read_lines(struct pool *pool, const char *path) {
    struct file file = {0};
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    for (ssize_t length; in && (length = getline(&text, &size, in)) > 0;) {
        if (text[length - 1] == '\n') length--;
        file.line = pool_grow(pool, file.line, file.lines, sizeof *file.line);
        file.line[file.lines++] = pool_text(pool, text, (size_t)length);
    }
    free(text);
    if (in) fclose(in);
    return file;
}

const char *names_text(struct names *names, const char *place) {
    size_t length = strcspn(place, ":");
    unsigned long line = place[length] ? strtoul(place + length + 1, NULL, 10) : 0;
    unsigned known = names->files.net_count;
    struct net *net = module_net(&names->files, place, length);
    if (names->files.net_count > known) {
        names->file = pool_grow(names->pool, names->file, known, sizeof *names->file);
        names->file[known] = read_lines(names->pool, net->name);
    }
    const struct file *file = &names->file[net->id];
    return line > 0 && line <= file->lines ? file->line[line - 1] : "";
}

uint64_t names_hash(const char *text) {
    uint64_t h = 1;
    for (; *text; text++) h = (h * 257 + (*text >= 32 && *text < 127 ? (uint64_t)(*text - 31) : 0)) % 2147483647U;
    // Multiplying by some of its own bits separates names that differ in their last characters.
    for (int i = 0; i < 4; i++) h = (h * (h % 65521 + 2) + 16807) % 2147483647U;
    return h;
}

const char *names_next(struct names *names, const char *entity, const char *place, const char *kind) {
    const char *line = strchr(place, ':'), *column = line ? strchr(line + 1, ':') : NULL;
    const char *name = pool_format(names->pool, "%s\t%s\t%s\t%.*s", entity, names_text(names, place),
                                   column ? column + 1 : "", (int)strcspn(kind, ":"), kind);
    struct net *turn = module_net(&names->turns, name, strlen(name));
    return pool_format(names->pool, "%s\t%u", name, ++turn->bits);
}
