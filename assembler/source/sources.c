/* SPDX-License-Identifier: Apache-2.0 */
/* Files, uses and pieces of an assembled text. */
#include "sources.h"

#include <stdlib.h>
#include <string.h>

#include "../base/grow.h"

static bool index_lines(struct source_file *f) {
    size_t capacity = 0;
    for (const char *s = f->text, *end = s + f->size; (s = memchr(s, '\n', (size_t)(end - s))) != NULL; s++) {
        uint32_t *grown = grow_array(f->line_ends, f->line_count, &capacity, sizeof *grown);
        if (grown == NULL) return false;
        f->line_ends = grown;
        f->line_ends[f->line_count++] = (uint32_t)(s - f->text);
    }
    return true;
}

static void release_file(struct source_file *f) {
    free(f->path);
    free(f->owned);
    free(f->line_ends);
}

enum status sources_add_file(struct sources *s, const char *path, const char *text, size_t size, char *owned,
                             uint32_t *file) {
    struct source_file added = {.path = strdup(path), .text = size > 0 ? text : "", .size = size, .owned = owned};
    struct source_file *grown = grow_array(s->file, s->file_count, &s->file_capacity, sizeof *grown);
    if (grown != NULL) s->file = grown;
    if (added.path == NULL || grown == NULL || !index_lines(&added)) {
        release_file(&added);
        return STATUS_NO_MEMORY;
    }
    *file = (uint32_t)s->file_count;
    s->file[s->file_count++] = added;
    return STATUS_OK;
}

uint32_t sources_add_use(struct sources *s, const struct source_use *use) {
    struct source_use *grown = grow_array(s->use, s->use_count, &s->use_capacity, sizeof *grown);
    if (grown == NULL) return 0;
    s->use = grown;
    s->use[s->use_count++] = *use;
    return (uint32_t)s->use_count;
}

bool sources_add_macro(struct sources *s, const char *name, size_t length) {
    char **grown = grow_array(s->macro, s->macro_count, &s->macro_capacity, sizeof(char *));
    char *copy = strndup(name, length);
    if (grown != NULL) s->macro = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        return false;
    }
    s->macro[s->macro_count++] = copy;
    return true;
}

void sources_reset(struct sources *s) {
    while (s->file_count > 1) release_file(&s->file[--s->file_count]);
    while (s->macro_count > 0) free(s->macro[--s->macro_count]);
    s->use_count = 0;
    free(s->piece);
    s->piece = NULL;
    s->piece_count = 0;
}

void sources_release(struct sources *s) {
    sources_reset(s);
    if (s->file_count > 0) release_file(&s->file[0]);
    free(s->file);
    free(s->use);
    free(s->macro);
    *s = (struct sources){0};
}

/* ---- places ---- */

static struct source_place place_in_file(const struct sources *s, uint32_t file, size_t offset, uint32_t use) {
    const struct source_file *f = &s->file[file];
    size_t low = 0, high = f->line_count; /* the newlines before the offset */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (f->line_ends[middle] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    size_t start = low > 0 ? f->line_ends[low - 1] + (size_t)1 : 0;
    return (struct source_place){.file = file,
                                 .use = use,
                                 .offset = offset,
                                 .path = f->path,
                                 .line = (unsigned)low + 1,
                                 .column = (unsigned)(offset - start) + 1};
}

struct source_place sources_locate(struct sources *s, size_t offset) {
    if (s->piece_count == 0) return place_in_file(s, 0, offset, 0);
    size_t low = 0, high = s->piece_count; /* the last piece that begins at or before the offset */
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (s->piece[middle].start <= offset)
            low = middle;
        else
            high = middle;
    }
    const struct source_piece *p = &s->piece[low];
    return place_in_file(s, p->file, p->offset + (p->fixed ? 0 : offset - p->start), p->use);
}

struct source_place sources_locate_use(struct sources *s, const struct source_use *use) {
    return place_in_file(s, use->file, use->offset, use->parent);
}
