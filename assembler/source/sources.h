/* SPDX-License-Identifier: Apache-2.0 */
/* The origin of the bytes of an assembled text. The text is the source file itself, or its expansion by expand.c with
 * included files and macro bodies inserted: each byte belongs to a file, and comes from a chain of uses (.include, a
 * macro's call, .rept), innermost first.
 *
 *     struct sources s = {0};
 *     sources_add_file(&s, "k.sass", text, size, NULL, &file);
 *     struct source_place p = sources_locate(&s, offset);         // p.path, p.line, p.column, p.use
 *     sources_release(&s);
 */
#ifndef WARPSTEP_SOURCES_H
#define WARPSTEP_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/diag.h"

struct source_file {
    char *path;
    const char *text;
    size_t size;
    char *owned;         /* the text, if it is freed with this struct; or NULL */
    uint32_t *line_ends; /* offsets of the newlines */
    size_t line_count;   /* of line_ends */
};

enum source_use_kind { SOURCE_INCLUDE, SOURCE_MACRO, SOURCE_REPEAT };

/* A directive or call that brought text in. */
struct source_use {
    enum source_use_kind kind;
    char name[64];   /* of the macro */
    uint32_t file;   /* where it stands */
    size_t offset;   /* there */
    uint32_t parent; /* number of the use that brought this one in; 0: none. Use n is sources.use[n - 1]. */
};

/* The bytes from `start` of the assembled text to the next piece are those of `file` from `offset`; if fixed (a macro's
 * argument) they all stand for the byte at `offset`. */
struct source_piece {
    size_t start, offset;
    uint32_t file, use;
    bool fixed;
};

struct sources {
    struct source_file *file; /* the first is the source itself */
    size_t file_count, file_capacity;
    struct source_use *use;
    size_t use_count, use_capacity;
    struct source_piece *piece; /* none: the text is file 0, unchanged */
    size_t piece_count;
    char **macro; /* names of macros, for suggestions */
    size_t macro_count, macro_capacity;
};

struct source_place {
    uint32_t file, use;
    size_t offset; /* in the file */
    const char *path;
    unsigned line, column; /* 1-based; a tab counts one */
};

/* path is copied; text, which may be NULL if size is 0, is not; `owned` (may be NULL) is freed on release.
 * STATUS_NO_MEMORY: owned is freed at once. */
enum status sources_add_file(struct sources *s, const char *path, const char *text, size_t size, char *owned,
                             uint32_t *file);

/* Returns the number of the use, 0 if out of memory. */
uint32_t sources_add_use(struct sources *s, const struct source_use *use);

/* False if out of memory. */
bool sources_add_macro(struct sources *s, const char *name, size_t length);

/* Drops all but the first file. */
void sources_reset(struct sources *s);

/* The file and position of an offset in the assembled text. */
struct source_place sources_locate(struct sources *s, size_t offset);

/* The place of a use. */
struct source_place sources_locate_use(struct sources *s, const struct source_use *use);

void sources_release(struct sources *s);

#endif
