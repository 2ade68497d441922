/* SPDX-License-Identifier: Apache-2.0 */
/* The assembler: SASS text (docs/assembly.md), cuobjdump listings included, to an image.
 *
 *     struct assembly a; struct messages m;
 *     messages_init(&m, path, text, size);
 *     if (assemble_text(path, text, size, NULL, &a, &m) == STATUS_OK) image_write_file(a.image, ...);
 *     messages_print(&m, stderr);
 *     assembly_release(&a);
 */
#ifndef WARPSTEP_ASSEMBLE_H
#define WARPSTEP_ASSEMBLE_H

#include "image.h"
#include "messages.h"

/* One instruction of the source, or the words of one .word directive. */
struct assembly_item {
    size_t offset, length; /* its text in the source */
    uint32_t line;         /* 1-based */
    uint32_t pc;
    uint32_t kernel;
    uint8_t bytes; /* 4 or 8 for an instruction, 0 for .word */
    bool ends;     /* .end follows */
    bool has_hex, has_address;
    uint32_t lo, hi;
    uint32_t hex_lo, hex_hi; /* what the listing's comment says */
    uint8_t hex_bytes;
    uint32_t address;
    uint32_t word_count; /* .word */
};

struct assembly {
    struct image *image;
    struct assembly_item *items; /* of the chosen kernel, in order */
    size_t item_count;
};

/* Assembles the text; of several kernels `kernel` names the one to take. On STATUS_BAD_INPUT the messages say why and
 * *a is empty; `path` is kept in the line table and makes @files of the source relative to it. */
enum status assemble_text(const char *path, const char *text, size_t size, const char *kernel, struct assembly *a,
                          struct messages *m);

void assembly_release(struct assembly *a);

/* The names of the kernels in a text, in order. */
struct assembly_names {
    char **name;
    size_t count;
};

enum status assemble_names(const char *path, const char *text, size_t size, struct assembly_names *names,
                           struct messages *m);
void assembly_names_release(struct assembly_names *names);

#endif
