/* SPDX-License-Identifier: Apache-2.0 */
/* The state of one run of the assembler, shared by its two passes. statement.c cuts the text into labels, directives
 * and instructions and gives each instruction its address; emit.c then turns instructions into words, with all labels
 * known. */
#ifndef WARPSTEP_CONTEXT_H
#define WARPSTEP_CONTEXT_H

#include "../isa/lex.h"
#include "assemble.h"
#include "scan.h"
#include "symbols.h"

struct kernel {
    struct image *image;
    uint32_t pc;
    bool named;     /* by .kernel or the listing's Function line */
    bool has_end;   /* an .end directive was read */
    bool has_hex;   /* the listing's words give the END marker */
    bool has_items; /* an instruction or directive belongs to it */
    size_t name_offset;
    size_t first_item; /* its items continue up to those of the next kernel */
};

/* The part of an nvdisasm or cuobjdump listing that a line belongs to, see nvdisasm.h. */
enum listing_section {
    SECTION_NONE,
    SECTION_CODE,
    SECTION_CONSTANTS,
    SECTION_SHARED,
    SECTION_LOCAL,
    SECTION_OTHER,
};

/* The constants of a section, for a kernel that may follow: of that name, or NULL: all. */
struct listing_constants {
    unsigned bank;
    const char *kernel;
    size_t kernel_length;
    uint8_t *bytes;
    size_t size, capacity;
};

/* Size of shared or local memory. */
struct listing_size {
    enum listing_section section;
    const char *kernel;
    size_t kernel_length;
    unsigned bytes;
};

struct listing {
    enum listing_section section;
    const char *name; /* the rest of the section's name: the kernel's */
    size_t name_length;
    bool in_ptx, saw_ptx;
    struct listing_constants *constants;
    size_t constant_count, constant_capacity;
    struct listing_size *sizes;
    size_t size_count, size_capacity;
};

struct assembler {
    struct scan scan;
    struct listing listing;
    struct messages *messages;
    struct symbols symbols;
    struct kernel *kernels;
    size_t kernel_count;
    struct assembly_item *items; /* of all kernels */
    size_t item_count, item_capacity;
    struct lexeme *lex; /* lexemes of the current statement */
    size_t lex_capacity;
    size_t base;       /* its offset in the text */
    size_t data_bytes; /* total size of all .const, .global and .expect so far */
    unsigned arch;     /* architecture of the kernels from here on, see image.h */
    bool foreign;      /* the text is for another instruction set, and is skipped */
    size_t foreign_at; /* the first heading of another instruction set; its length, 0: none */
    size_t foreign_length;
    bool by_words; /* words replace an unknown text */
    bool emitting; /* second pass, of `kernel`: its labels count */
    uint32_t kernel;
    uint32_t slip;   /* 4 after a half instruction without a partner */
    bool said_order; /* reported that the halves of a listing's words may be in either order */
    bool no_memory;
};

static inline struct kernel *current_kernel(struct assembler *a) { return &a->kernels[a->kernel_count - 1]; }

struct isa_scope assembler_scope(struct assembler *a);

/* Cuts the statement at `offset` into a->lex. Reports invalid lexemes. */
bool assembler_lex(struct assembler *a, size_t offset, size_t length);

/* Report an error at a lexeme of the current statement; return false. */
bool error_at(struct assembler *a, const struct lexeme *l, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool error_isa(struct assembler *a, const struct isa_error *error);

/* Records that memory ran out, which is reported once. Returns false. */
bool no_memory(struct assembler *a);

/* A number that must lie in first..last. */
bool assembler_number(struct assembler *a, size_t *at, int64_t first, int64_t last, int64_t *value);
bool assembler_end_of_statement(struct assembler *a, size_t at);

/* A required character, or a word; `what` names it in the message. */
bool assembler_punct(struct assembler *a, size_t *at, char c);
bool assembler_word(struct assembler *a, size_t *at, const char *what, const struct lexeme **word);

/* Begins a kernel. False if out of memory. */
bool assembler_add_kernel(struct assembler *a, const char *name, size_t length, size_t offset);

/* Names the current kernel, if it has neither name nor items, or begins another one. */
void assembler_begin_kernel(struct assembler *a, const char *name, size_t length, size_t offset);

/* The architecture of the current kernel and the following ones. */
void assembler_set_arch(struct assembler *a, unsigned arch);

/* Adds an item to the current kernel, at its pc; its text is that of the statement. NULL if out of memory. */
struct assembly_item *assembler_add_item(struct assembler *a, size_t offset, size_t length);

#endif
