/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

enum { PC_MOST = 1 << 24 }; /* code beyond it has no lines */

struct lines {
    const struct image *source;
    uint64_t (*cycles)[TIMELINE_WAITS]; /* of each word of the code */
    size_t words;
    uint64_t all;
    struct lines_line *list;
    size_t count;
};

struct lines *lines_create(const struct image *source) {
    struct lines *l = calloc(1, sizeof *l);
    if (l != NULL) l->source = source;
    return l;
}

void lines_destroy(struct lines *l) {
    if (l == NULL) return;
    free(l->cycles);
    free(l->list);
    free(l);
}

bool lines_add(struct lines *l, uint32_t pc, enum timeline_wait wait, uint64_t cycles) {
    const size_t word = pc / 4;
    l->all += cycles;
    if (pc > PC_MOST) return true;
    if (word >= l->words) {
        const size_t words = word * 2 + 64;
        void *grown = realloc(l->cycles, words * sizeof *l->cycles);
        if (grown == NULL) return false;
        l->cycles = grown;
        memset(l->cycles + l->words, 0, (words - l->words) * sizeof *l->cycles);
        l->words = words;
    }
    l->cycles[word][wait] += cycles;
    return true;
}

static struct lines_line *line_of(struct lines *l, const char *file, unsigned line) {
    for (size_t i = 0; i < l->count; i++)
        if (l->list[i].line == line && strcmp(l->list[i].file, file) == 0) return &l->list[i];
    struct lines_line *grown = realloc(l->list, (l->count + 1) * sizeof *grown);
    if (grown == NULL) return NULL;
    l->list = grown;
    grown[l->count] = (struct lines_line){.file = file, .line = line};
    return &grown[l->count++];
}

static int by_time(const void *a, const void *b) {
    const struct lines_line *x = a, *y = b;
    return x->all > y->all ? -1 : x->all < y->all;
}

static int by_place(const void *a, const void *b) {
    const struct lines_line *x = a, *y = b;
    const int file = strcmp(x->file, y->file);
    return file != 0 ? file : x->line < y->line ? -1 : x->line > y->line;
}

bool lines_rank(struct lines *l, const struct lines_line **list, size_t *count) {
    for (size_t word = 0; word < l->words; word++) {
        const uint64_t *cycles = l->cycles[word];
        unsigned number;
        const char *file = NULL;
        for (unsigned w = 0; w < TIMELINE_WAITS; w++)
            if (cycles[w] > 0) file = image_find_line(l->source, (uint32_t)word * 4, &number);
        if (file == NULL) continue;
        struct lines_line *line = line_of(l, file, number);
        if (line == NULL) return false;
        for (unsigned w = 0; w < TIMELINE_WAITS; w++) {
            line->time[w] += (double)cycles[w] / (double)l->all;
            line->all += (double)cycles[w] / (double)l->all;
        }
    }
    if (l->count > 0) qsort(l->list, l->count, sizeof *l->list, by_time);
    if (l->count > LINES_MOST) l->count = LINES_MOST;
    if (l->count > 0) qsort(l->list, l->count, sizeof *l->list, by_place);
    *list = l->list;
    *count = l->count;
    return true;
}
