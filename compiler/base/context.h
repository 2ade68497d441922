/* SPDX-License-Identifier: Apache-2.0 */
/* Context of one compilation: memory, diagnostics, exit on errors. Memory is freed at the end of the compilation. An
 * error jumps by longjmp to compile_ptx, which frees everything. */
#ifndef WARPSTEP_CC_CONTEXT_H
#define WARPSTEP_CC_CONTEXT_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../compile.h"

/* A position in the PTX text (1-based), and in the source that it was compiled from (line 0 if unknown). */
struct cc_place {
    uint32_t line, column;
    uint32_t source_file, source_line, source_column;
};

struct cc_chunk;

struct cc {
    jmp_buf out;
    struct diag *d;
    const struct compile_options *options;
    struct cc_chunk *chunks;
    size_t room; /* bytes left in the newest chunk */
    char *free;
    const char **files; /* source names by number of .file; NULL if unused */
    size_t file_count;
    FILE *notes;
    unsigned notes_given; /* one bit a kind of note that is printed once */
};

/* Returns zeroed memory. Exits the compilation if memory is exhausted. */
void *cc_alloc(struct cc *cc, size_t bytes);
#define CC_NEW(cc, type)          ((type *)cc_alloc(cc, sizeof(type)))
#define CC_ARRAY(cc, type, count) ((type *)cc_alloc(cc, sizeof(type) * ((count) + 1)))

/* Returns an array with room for one more element behind `count`: the same array, or a larger copy. */
void *cc_room(struct cc *cc, void *array, size_t count, size_t *capacity, size_t element_bytes);
#define CC_PUSH(cc, array, count, capacity, element) \
    ((array) = cc_room(cc, array, count, &(capacity), sizeof *(array)), (array)[(count)++] = (element))
/* CC_PUSH for arrays of pointers. */
#define CC_PUSH_POINTER(cc, array, count, capacity, element) \
    ((array) = cc_room(cc, array, count, &(capacity), sizeof(void *)), (array)[(count)++] = (element))

char *cc_text(struct cc *cc, const char *text, size_t length);
char *cc_format(struct cc *cc, const char *format, ...) __attribute__((format(printf, 2, 3)));

void cc_fail(struct cc *cc, const struct cc_place *at, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
void cc_no_memory(struct cc *cc) __attribute__((noreturn));
void cc_note(struct cc *cc, const struct cc_place *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns the file of a place, with its line and column: in the source if known, else in the PTX text. */
const char *cc_place_file(const struct cc *cc, const struct cc_place *at, uint32_t *line, uint32_t *column);

void cc_release(struct cc *cc);

#endif
