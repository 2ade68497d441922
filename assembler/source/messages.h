/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of one run of the assembler, in the style of clang: place, text, source line, caret, suggestion.
 *
 *     struct messages m; messages_init(&m, "f.sass", text, size);
 *     messages_add(&m, offset, length, "unknown directive '.foo'");
 *     messages_print(&m, stderr);                      // sorted by place
 *     messages_release(&m);
 *
 * Offsets refer to the assembled text, which is the source or its expansion by expand.c: `sources` knows the file and
 * line of each byte. At most 20 errors and 20 warnings are kept; `errors` and `warnings` count all. If memory runs out,
 * even in messages_init, that is the only message. */
#ifndef WARPSTEP_MESSAGES_H
#define WARPSTEP_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "../base/diag.h"
#include "sources.h"

enum { MESSAGES_MAX = 20 /* of each kind */ };

enum message_kind { MESSAGE_ERROR, MESSAGE_WARNING, MESSAGE_NOTE };

/* The kinds of warning, each with its name in -Wno-NAME. */
#define WARNINGS(X)                                                                                         \
    X(ADDRESS, "address")                     /* a listing's comment has another address */                 \
    X(ALIGNMENT, "alignment")                 /* a long instruction is not on an 8-byte boundary */         \
    X(DIVERGENT_BRANCH, "divergent-branch")   /* a branch may divide the warp, and no SSY reconverges it */ \
    X(DIVERGENT_BARRIER, "divergent-barrier") /* part of a warp may reach a barrier */                      \
    X(UNWRITTEN, "unwritten")                 /* a register is read but never written */                    \
    X(REGISTERS, "registers")                 /* a register lies beyond .reg */                             \
    X(OPERANDS, "operands")                   /* operands with which the instruction is undefined */        \
    X(TARGET, "target")                       /* a branch target where no instruction begins */             \
    X(PATHS, "paths")                         /* warnings by path are not checked */                        \
    X(ARCH, "arch")                           /* an instruction that the kernel's .arch lacks */            \
    X(TEXT, "text")                           /* a listing's text is unknown, and its words are used */

enum warning {
#define X(id, name) WARN_##id,
    WARNINGS(X)
#undef X
        WARN_COUNT
};

struct message {
    enum message_kind kind;
    size_t offset, length; /* span in the assembled text */
    char text[256];
    char help[160]; /* or empty */
    enum warning warning;
};

struct messages {
    struct sources sources; /* the first file is the source */
    struct message list[3 * MESSAGES_MAX];
    size_t count;
    size_t errors, warnings;
    size_t expand_bytes;      /* maximum size of the text from macros and repetitions; 0: EXPAND_BYTES_MAX */
    bool off[WARN_COUNT];     /* disabled warnings */
    bool incomplete;          /* an expansion failed, which may explain undefined names */
    bool no_memory;           /* out of memory: the other messages do not count */
    bool warnings_are_errors; /* warnings print as errors; the caller acts on them */
};

/* The text must outlive the messages; file is copied. */
void messages_init(struct messages *m, const char *file, const char *source, size_t size);
void messages_release(struct messages *m);

/* Adds an error. Returns the message so that its help can be filled, or NULL if there are too many. A second error at
 * the same place is dropped, as is one on a line that .rept repeats. */
struct message *messages_add(struct messages *m, size_t offset, size_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for a warning; NULL also if it is disabled. */
struct message *messages_warn(struct messages *m, enum warning warning, size_t offset, size_t length,
                              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Reports an assumption made where the text is ambiguous. */
void messages_note(struct messages *m, size_t offset, size_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Out of memory: the only message from now on, an error. Returns STATUS_NO_MEMORY. */
enum status messages_no_memory(struct messages *m);

/* "divergent-branch" */
const char *warning_name(enum warning warning);

void messages_print(struct messages *m, FILE *out);

/* The first error as a diag, for callers that show one line: STATUS_BAD_INPUT, or STATUS_NO_MEMORY. */
enum status messages_first(struct messages *m, struct diag *d);

#endif
