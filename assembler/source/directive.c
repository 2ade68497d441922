/* SPDX-License-Identifier: Apache-2.0 */
/* The directives that describe a kernel and its launch; docs/assembly.md documents them. */
#include "directive.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../isa/mnemonic.h"
#include "data.h"
#include "signature.h"

enum { BLOCK_THREADS_MAX = 1024 };

typedef void directive_fn(struct assembler *a, size_t at, size_t offset, size_t length);

/* Between one and three numbers, for .grid and .block. */
static bool dimensions(struct assembler *a, size_t at, uint32_t *to, size_t count) {
    uint32_t given[3] = {1, 1, 1};
    int64_t value;
    for (size_t i = 0; i < count; i++) {
        if (!assembler_number(a, &at, 1, IMAGE_GRID_MAX, &value)) return false;
        given[i] = (uint32_t)value;
        if (i + 1 == count || !lexeme_is_punct(&a->lex[at], ',')) break;
        at++;
    }
    if (!assembler_end_of_statement(a, at)) return false;
    memcpy(to, given, count * sizeof given[0]);
    return true;
}

static void one_number(struct assembler *a, size_t at, int64_t first, int64_t last, unsigned *to) {
    int64_t value;
    if (assembler_number(a, &at, first, last, &value) && assembler_end_of_statement(a, at)) *to = (unsigned)value;
}

/* ---- one function each ---- */

/* .kernel NAME: names the kernel, or begins the next one. */
static void do_kernel(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)length;
    const struct lexeme *name;
    if (!assembler_word(a, &at, "a kernel name", &name) || !assembler_end_of_statement(a, at)) return;
    for (size_t i = 0; i < a->kernel_count; i++)
        if (a->kernels[i].named && lexeme_is(name, a->kernels[i].image->name)) {
            error_at(a, name, "kernel '%.*s' is defined twice", (int)name->text_length, name->text);
            return;
        }
    assembler_begin_kernel(a, name->text, name->text_length, offset);
}

/* .arch sm_NN: of this kernel and the following ones. */
static void do_arch(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    const struct lexeme *name;
    if (!assembler_word(a, &at, "an architecture", &name) || !assembler_end_of_statement(a, at)) return;
    unsigned arch = image_arch(name->text, name->text_length);
    if (arch == 0)
        error_at(a, name, "unknown architecture '%.*s'; expected " IMAGE_ARCH_NAMES, (int)name->text_length,
                 name->text);
    else
        assembler_set_arch(a, arch);
}

static void do_reg(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    one_number(a, at, 1, 128, &current_kernel(a)->image->regs);
}

static void do_shared(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    one_number(a, at, 0, 65536, &current_kernel(a)->image->shared_bytes);
}

static void do_local(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    one_number(a, at, 0, 65536, &current_kernel(a)->image->local_bytes);
}

static void do_grid(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    dimensions(a, at, current_kernel(a)->image->grid, 2);
}

static void do_block(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    uint32_t *block = current_kernel(a)->image->block;
    if (!dimensions(a, at, block, 3)) return;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (threads > BLOCK_THREADS_MAX)
        error_at(a, &a->lex[at], "block has %llu threads; it may have %d", (unsigned long long)threads,
                 BLOCK_THREADS_MAX);
}

static void do_param(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    for (;;) {
        int64_t value;
        if (!assembler_number(a, &at, INT32_MIN, UINT32_MAX, &value)) return;
        if (image_add_param(current_kernel(a)->image, (uint32_t)value) != STATUS_OK) no_memory(a);
        if (!lexeme_is_punct(&a->lex[at], ',')) break;
        at++;
    }
    assembler_end_of_statement(a, at);
}

/* .const BANK:OFFSET = DATA */
static void do_const(struct assembler *a, size_t at, size_t offset, size_t length) {
    int64_t bank, start;
    uint8_t *bytes = NULL;
    size_t size = 0, first = at;
    if (assembler_number(a, &at, 0, IMAGE_CONST_BANKS - 1, &bank) && assembler_punct(a, &at, ':') &&
        assembler_number(a, &at, 0, IMAGE_BANK_BYTES_MAX - 1, &start) &&
        assembler_data(a, at, offset, length, &bytes, &size)) {
        if ((size_t)start + size > IMAGE_BANK_BYTES_MAX)
            error_at(a, &a->lex[first], "constant bank is larger than 64 KB");
        else if (image_set_const(current_kernel(a)->image, (unsigned)bank, (size_t)start, bytes, size) != STATUS_OK)
            no_memory(a);
    }
    free(bytes);
}

/* ADDR = DATA */
static void global_data(struct assembler *a, size_t at, size_t offset, size_t length, bool expected) {
    int64_t addr;
    uint8_t *bytes = NULL;
    size_t size = 0, first = at;
    if (assembler_number(a, &at, 0, UINT32_MAX, &addr) && assembler_data(a, at, offset, length, &bytes, &size)) {
        struct image *img = current_kernel(a)->image;
        if ((uint64_t)addr + size > (uint64_t)UINT32_MAX + 1)
            error_at(a, &a->lex[first], "data goes beyond the 32-bit address space");
        else if ((expected ? image_add_expect : image_add_global)(img, (uint32_t)addr, bytes, size) != STATUS_OK)
            no_memory(a);
    }
    free(bytes);
}

static void do_global(struct assembler *a, size_t at, size_t offset, size_t length) {
    global_data(a, at, offset, length, false);
}

static void do_expect(struct assembler *a, size_t at, size_t offset, size_t length) {
    global_data(a, at, offset, length, true);
}

/* .end: the instruction before it ends the thread. */
static void do_end(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    if (!assembler_end_of_statement(a, at)) return;
    struct assembly_item *last = a->item_count > 0 ? &a->items[a->item_count - 1] : NULL;
    if (last == NULL || last->kernel != a->kernel_count - 1 || last->bytes == 0) {
        error_at(a, &a->lex[0], ".end must follow an instruction");
        return;
    }
    last->ends = true;
    current_kernel(a)->has_end = true;
}

/* .word VALUE, ...: words among the instructions. They may name labels, so the second pass evaluates them. */
static void do_word(struct assembler *a, size_t at, size_t offset, size_t length) {
    uint32_t count = 1;
    if (a->lex[at].kind == LEX_END) {
        error_at(a, &a->lex[at], "expected a number");
        return;
    }
    for (; a->lex[at].kind != LEX_END; at++)
        if (lexeme_is_punct(&a->lex[at], ',')) count++;
    struct assembly_item *item = assembler_add_item(a, offset, length);
    if (item == NULL) return;
    item->word_count = count;
    current_kernel(a)->pc += count * 4;
}

static void define(struct assembler *a, const struct lexeme *name, const struct isa_symbol *symbol) {
    switch (symbols_add(&a->symbols, name->text, name->text_length, SYMBOLS_FILE_SCOPE, symbol)) {
    case SYMBOLS_ADDED: break;
    case SYMBOLS_DUPLICATE:
        error_at(a, name, "name '%.*s' is defined twice", (int)name->text_length, name->text);
        break;
    case SYMBOLS_NO_MEMORY: no_memory(a); break;
    }
}

/* .alias NAME = WORD: another name for a register (R4, R4L, A1, C0 ...). */
static void do_alias(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    const struct lexeme *name, *word;
    if (!assembler_word(a, &at, "a name", &name) || !assembler_punct(a, &at, '=') ||
        !assembler_word(a, &at, "a register", &word) || !assembler_end_of_statement(a, at))
        return;
    if (isa_mnemonic_bytes(name->text, name->text_length) != 0) {
        error_at(a, name, "'%.*s' is an instruction", (int)name->text_length, name->text);
        return;
    }
    struct isa_symbol symbol = {.is_word = true, .word = word->text, .word_length = word->text_length};
    define(a, name, &symbol);
}

/* NAME = VALUE */
static bool take_constant(struct assembler *a, size_t at, const struct lexeme **name, struct isa_symbol *symbol) {
    return assembler_word(a, &at, "a name", name) && assembler_punct(a, &at, '=') &&
           assembler_number(a, &at, INT64_MIN, INT64_MAX, &symbol->value) && assembler_end_of_statement(a, at);
}

/* .equ NAME = VALUE: a constant. */
static void do_equ(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    const struct lexeme *name;
    struct isa_symbol symbol = {0};
    if (take_constant(a, at, &name, &symbol)) define(a, name, &symbol);
}

/* .default NAME = VALUE: a constant, unless the name is defined already. */
static void do_default(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    const struct lexeme *name;
    struct isa_symbol symbol = {0}, known;
    if (take_constant(a, at, &name, &symbol) &&
        !symbols_find(&a->symbols, name->text, name->text_length, SYMBOLS_FILE_SCOPE, &known))
        define(a, name, &symbol);
}

/* Directives that expand.c left over: an end without a beginning, or one in the middle of a line. */
static void do_stray(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)at, (void)offset, (void)length;
    const struct lexeme *l = &a->lex[0];
    if (lexeme_is(l, ".endm") || lexeme_is(l, ".endr"))
        error_at(a, l, "%.*s without %s", (int)l->text_length, l->text, lexeme_is(l, ".endm") ? ".macro" : ".rept");
    else
        error_at(a, l, "%.*s must stand alone on its line", (int)l->text_length, l->text);
}

/* Of a compiled kernel: signature.c. */
static void do_linkage(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    signature_linkage(a, at);
}

static void do_argument(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    signature_argument(a, at);
}

static void do_variable(struct assembler *a, size_t at, size_t offset, size_t length) {
    (void)offset, (void)length;
    signature_variable(a, at);
}

/* ---- the table ---- */

static const struct {
    const char *name;
    directive_fn *handle;
    bool of_kernel; /* belongs to a kernel, so that a later .kernel begins another one */
} directives[] = {
    {".kernel",   do_kernel,   false},
    {".arch",     do_arch,     false},
    {".reg",      do_reg,      true },
    {".shared",   do_shared,   true },
    {".local",    do_local,    true },
    {".grid",     do_grid,     true },
    {".block",    do_block,    true },
    {".param",    do_param,    true },
    {".const",    do_const,    true },
    {".global",   do_global,   true },
    {".expect",   do_expect,   true },
    {".end",      do_end,      true },
    {".word",     do_word,     true },
    {".linkage",  do_linkage,  true },
    {".argument", do_argument, true },
    {".variable", do_variable, true },
    {".alias",    do_alias,    false},
    {".equ",      do_equ,      false},
    {".default",  do_default,  false},
    {".include",  do_stray,    false},
    {".macro",    do_stray,    false},
    {".endm",     do_stray,    false},
    {".rept",     do_stray,    false},
    {".endr",     do_stray,    false},
};
enum { DIRECTIVES = sizeof directives / sizeof directives[0] };

static const char *foreign_directive(const struct lexeme *l) {
    static const struct {
        const char *name, *help;
    } FOREIGN[] = {
#define FOREIGN_DIRECTIVE(name, help) {name, help},
#include "../isa/dialects.def"
    };
    for (size_t i = 0; i < sizeof FOREIGN / sizeof FOREIGN[0]; i++)
        if (l->text_length == strlen(FOREIGN[i].name) && strncasecmp(l->text, FOREIGN[i].name, l->text_length) == 0)
            return FOREIGN[i].help;
    return NULL;
}

static void unknown(struct assembler *a, const struct lexeme *l) {
    unsigned nearest = 3;
    const char *name = NULL;
    for (size_t i = 0; i < DIRECTIVES; i++) {
        unsigned distance = lex_edit_distance(l->text, l->text_length, directives[i].name, strlen(directives[i].name));
        if (distance >= nearest) continue;
        nearest = distance;
        name = directives[i].name;
    }
    struct message *m = messages_add(a->messages, a->base + l->start, l->length, "unknown directive '%.*s'",
                                     (int)l->text_length, l->text);
    const char *help = foreign_directive(l);
    if (m != NULL && help != NULL)
        snprintf(m->help, sizeof m->help, "%s", help);
    else if (m != NULL && name != NULL)
        snprintf(m->help, sizeof m->help, "did you mean '%s'?", name);
}

void assembler_directive(struct assembler *a, size_t offset, size_t length) {
    /* the text after an '@' is a file name, not lexemes: data.c reads it */
    const char *file = memchr(a->scan.clean + offset, '@', length);
    size_t lexed = file != NULL ? (size_t)(file - a->scan.clean) - offset : length;
    if (!assembler_lex(a, offset, lexed)) return;
    for (size_t i = 0; i < DIRECTIVES; i++) {
        if (a->lex[0].kind != LEX_MODIFIER || !lexeme_is(&a->lex[0], directives[i].name)) continue;
        if (directives[i].of_kernel) current_kernel(a)->has_items = true;
        directives[i].handle(a, 1, offset, length);
        return;
    }
    unknown(a, &a->lex[0]);
}
