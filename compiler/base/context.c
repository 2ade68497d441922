/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and diagnostics of a compilation, see context.h. */
#include "context.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 16, ALIGNMENT = 16 };

struct cc_chunk {
    struct cc_chunk *older;
    uint64_t unused; /* keeps the data behind it aligned */
};

void cc_no_memory(struct cc *cc) {
    diag_set(cc->d, STATUS_NO_MEMORY, cc->options->file, 0, 0, "out of memory");
    longjmp(cc->out, 1);
}

void *cc_alloc(struct cc *cc, size_t bytes) {
    const size_t size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size > cc->room) {
        const size_t chunk_bytes = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        struct cc_chunk *chunk = calloc(1, sizeof *chunk + chunk_bytes);
        if (chunk == NULL || bytes > SIZE_MAX / 2) cc_no_memory(cc);
        chunk->older = cc->chunks;
        cc->chunks = chunk;
        cc->free = (char *)(chunk + 1);
        cc->room = chunk_bytes;
    }
    void *memory = cc->free;
    cc->free += size;
    cc->room -= size;
    return memory;
}

void *cc_room(struct cc *cc, void *array, size_t count, size_t *capacity, size_t element_bytes) {
    if (count < *capacity) return array;
    const size_t larger = *capacity > 0 ? *capacity * 2 : 8;
    void *grown = cc_alloc(cc, larger * element_bytes);
    if (count > 0) memcpy(grown, array, count * element_bytes);
    *capacity = larger;
    return grown;
}

char *cc_text(struct cc *cc, const char *text, size_t length) {
    char *copy = cc_alloc(cc, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *cc_format(struct cc *cc, const char *format, ...) {
    va_list args;
    char text[512];
    va_start(args, format);
    const int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return cc_text(cc, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

const char *cc_place_file(const struct cc *cc, const struct cc_place *at, uint32_t *line, uint32_t *column) {
    if (at->source_line > 0 && at->source_file < cc->file_count && cc->files[at->source_file] != NULL) {
        *line = at->source_line;
        *column = at->source_column;
        return cc->files[at->source_file];
    }
    *line = at->line;
    *column = at->column;
    return cc->options->file;
}

/* Writes " (FILE:LINE)" of the PTX text if the diagnostic names another file, else an empty text. */
static void say_ptx_line(const struct cc *cc, const struct cc_place *at, const char *file, char *text, size_t size) {
    text[0] = '\0';
    if (file != cc->options->file) snprintf(text, size, " (%s:%u)", cc->options->file, (unsigned)at->line);
}

void cc_fail(struct cc *cc, const struct cc_place *at, const char *format, ...) {
    va_list args;
    char text[400], ptx[100];
    uint32_t line = 0, column = 0;
    const char *file = cc->options->file;
    ptx[0] = '\0';
    if (at != NULL) {
        file = cc_place_file(cc, at, &line, &column);
        say_ptx_line(cc, at, file, ptx, sizeof ptx);
    }
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag_set(cc->d, STATUS_BAD_INPUT, file, line, column, "%s%s", text, ptx);
    longjmp(cc->out, 1);
}

void cc_note(struct cc *cc, const struct cc_place *at, const char *format, ...) {
    va_list args;
    uint32_t line, column;
    if (cc->notes == NULL) return;
    const char *file = cc_place_file(cc, at, &line, &column);
    fprintf(cc->notes, "%s:%u:%u: note: ", file, (unsigned)line, (unsigned)column);
    va_start(args, format);
    vfprintf(cc->notes, format, args);
    va_end(args);
    fputc('\n', cc->notes);
}

void cc_release(struct cc *cc) {
    while (cc->chunks != NULL) {
        struct cc_chunk *older = cc->chunks->older;
        free(cc->chunks);
        cc->chunks = older;
    }
    if (cc->notes != NULL) fclose(cc->notes);
    cc->notes = NULL;
}
