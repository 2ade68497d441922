/* SPDX-License-Identifier: Apache-2.0 */
/* The assembler: SASS text (docs/assembly.md), cuobjdump listings included, to an image.
 *
 *     struct assembly a; struct messages m;
 *     messages_init(&m, path, text, size);
 *     if (assemble_text(NULL, &a, &m) == STATUS_OK) image_write_file(a.image, ...);
 *     messages_print(&m, stderr);
 *     assembly_release(&a);
 *     messages_release(&m);
 */
#ifndef WARPSTEP_ASSEMBLE_H
#define WARPSTEP_ASSEMBLE_H

#include "../image/image.h"
#include "messages.h"

/* One instruction of the source, or the words of one .word directive. */
struct assembly_item {
    size_t offset, length; /* its text in assembly.text */
    uint32_t line, file;   /* 1-based; as in the image */
    uint32_t pc;
    uint32_t kernel;
    uint8_t bytes; /* 4 or 8 for an instruction, 0 for .word */
    bool ends;     /* .end follows */
    bool has_hex, has_address;
    bool has_no_text; /* an instruction whose listing has the words alone */
    uint32_t lo, hi;
    uint32_t hex_lo, hex_hi; /* words in the listing's comment */
    uint8_t hex_bytes;
    uint32_t address;
    uint32_t word_count; /* .word */
};

struct assembly {
    struct image *image;
    struct assembly_item *items; /* of the chosen kernel, in order */
    size_t item_count;
    char *text; /* the assembled text: without comments, with included files and macros expanded */
    size_t text_size;
};

/* Assembles the text that m was initialised with; `kernel` selects one of several kernels. On STATUS_BAD_INPUT and
 * STATUS_NO_MEMORY the messages give the reason and *a is empty. The path in m goes into the line table; @files and
 * included files are relative to the file that names them. */
enum status assemble_text(const char *kernel, struct assembly *a, struct messages *m);
enum status assemble_chosen(const struct image_choice *choice, struct assembly *a, struct messages *m);

/* Assembles all kernels and passes them to `visit`, in order, unless one has an error. They are destroyed at the end of
 * the call.
 */
typedef void assembly_visitor(void *state, const struct assembly *kernels, size_t count);
enum status assemble_all(assembly_visitor *visit, void *state, struct messages *m);

void assembly_release(struct assembly *a);

#endif
