/* SPDX-License-Identifier: Apache-2.0 */
/* One compilation: its memory, its messages, and the way out where it cannot go on. All that a compilation allocates
 * lives until its end; an error leaves by longjmp to compile_ptx, which releases all of it. */
#ifndef WARPSTEP_CC_CONTEXT_H
#define WARPSTEP_CC_CONTEXT_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../compile.h"

/* Where something stands: in the PTX text (1-based), and in the source that the text is made of (line 0: unknown). */
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
    const char **files; /* names of sources by number of .file, NULL where there is none */
    size_t file_count;
    FILE *notes;
    unsigned notes_given; /* bits: kinds of notes that need no repetition */
};

/* Zeroed memory. Does not return when memory is out. */
void *cc_alloc(struct cc *cc, size_t bytes);
#define CC_NEW(cc, type)          ((type *)cc_alloc(cc, sizeof(type)))
#define CC_ARRAY(cc, type, count) ((type *)cc_alloc(cc, sizeof(type) * ((count) + 1)))

/* Room for one more behind `count` elements: the array, or a larger copy. */
void *cc_room(struct cc *cc, void *array, size_t count, size_t *capacity, size_t element_bytes);
#define CC_PUSH(cc, array, count, capacity, element) \
    ((array) = cc_room(cc, array, count, &(capacity), sizeof *(array)), (array)[(count)++] = (element))
/* The same for arrays of pointers. */
#define CC_PUSH_POINTER(cc, array, count, capacity, element) \
    ((array) = cc_room(cc, array, count, &(capacity), sizeof(void *)), (array)[(count)++] = (element))

char *cc_text(struct cc *cc, const char *text, size_t length);
char *cc_format(struct cc *cc, const char *format, ...) __attribute__((format(printf, 2, 3)));

void cc_fail(struct cc *cc, const struct cc_place *at, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
void cc_no_memory(struct cc *cc) __attribute__((noreturn));
void cc_note(struct cc *cc, const struct cc_place *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The file that a place is in, and its line there: the source where it is known. */
const char *cc_place_file(const struct cc *cc, const struct cc_place *at, uint32_t *line, uint32_t *column);

void cc_release(struct cc *cc);

#endif
