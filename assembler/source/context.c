/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, names, kernels and items of an assembly, and the parts of statements that both passes read. */
#include "context.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages and names ---- */

static bool find_symbol(void *state, const char *name, size_t length, struct isa_symbol *symbol) {
    const struct assembler *a = state;
    uint32_t kernel = a->emitting ? a->kernel : (uint32_t)a->kernel_count - 1;
    return symbols_find(&a->symbols, name, length, kernel, symbol);
}

struct isa_scope assembler_scope(struct assembler *a) {
    return (struct isa_scope){find_symbol, a};
}

bool no_memory(struct assembler *a) {
    a->no_memory = true;
    return false;
}

bool error_at(struct assembler *a, const struct lexeme *l, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    messages_add(a->messages, a->base + l->start, l->length, "%s", text);
    return false;
}

/* An undefined name may be a mistyped label. */
static void suggest_name(struct assembler *a, const struct isa_error *error, struct message *m) {
    uint32_t kernel = a->emitting ? a->kernel : (uint32_t)a->kernel_count - 1;
    const struct symbol_entry *e =
        symbols_nearest(&a->symbols, a->scan.clean + a->base + error->start, error->length, kernel);
    if (e != NULL) snprintf(m->help, sizeof m->help, "did you mean '%.*s'?", (int)e->length, e->name);
}

/* An unknown instruction may be a mistyped macro. */
static void suggest_macro(const struct assembler *a, const struct isa_error *error, struct message *m) {
    const struct sources *s = &a->messages->sources;
    unsigned nearest = 3;
    for (size_t i = 0; i < s->macro_count; i++) {
        const char *found = a->scan.clean + a->base + error->start;
        unsigned distance = lex_edit_distance(found, error->length, s->macro[i], strlen(s->macro[i]));
        if (distance >= nearest || distance * 2 > error->length) continue;
        nearest = distance;
        snprintf(m->help, sizeof m->help, "did you mean '%.60s'?", s->macro[i]);
    }
}

bool error_isa(struct assembler *a, const struct isa_error *error) {
    const bool undefined = error->kind == ISA_ERROR_UNDEFINED_NAME;
    if (undefined && a->messages->incomplete) return false;
    struct message *m = messages_add(a->messages, a->base + error->start, error->length, "%s", error->text);
    if (m == NULL) return false;
    memcpy(m->help, error->help, sizeof m->help);
    if (undefined && m->help[0] == '\0') suggest_name(a, error, m);
    if (error->kind == ISA_ERROR_UNKNOWN_INSTRUCTION) suggest_macro(a, error, m);
    return false;
}

/* ---- parts of a statement ---- */

bool assembler_lex(struct assembler *a, size_t offset, size_t length) {
    if (length + 2 > a->lex_capacity) {
        struct lexeme *grown = realloc(a->lex, (length + 2) * 2 * sizeof *grown);
        if (grown == NULL) return no_memory(a);
        a->lex = grown;
        a->lex_capacity = (length + 2) * 2;
    }
    struct isa_scope scope = assembler_scope(a);
    struct isa_error error;
    a->base = offset;
    if (lex_line(a->scan.clean + offset, length, &scope, a->lex, a->lex_capacity, &error) != 0) return true;
    return error_isa(a, &error);
}

bool assembler_number(struct assembler *a, size_t *at, int64_t first, int64_t last, int64_t *value) {
    struct isa_scope scope = assembler_scope(a);
    struct isa_error error;
    size_t start = *at;
    if (!lex_expression(a->lex, at, &scope, value, &error)) return error_isa(a, &error);
    if (*value >= first && *value <= last) return true;
    return error_at(a, &a->lex[start], "number is out of range %lld..%lld", (long long)first, (long long)last);
}

bool assembler_end_of_statement(struct assembler *a, size_t at) {
    const struct lexeme *l = &a->lex[at];
    if (l->kind == LEX_END) return true;
    struct message *m = messages_add(a->messages, a->base + l->start, l->length,
                                     "unexpected '%.*s' at the end of the directive", (int)l->text_length, l->text);
    const bool is_fraction = l->kind == LEX_MODIFIER && isdigit((unsigned char)l->text[1]);
    if (m != NULL && is_fraction) snprintf(m->help, sizeof m->help, "%s", lex_floating_point);
    if (m != NULL && lexeme_is_punct(l, '#')) snprintf(m->help, sizeof m->help, "a comment begins with //");
    return false;
}

bool assembler_punct(struct assembler *a, size_t *at, char c) {
    if (!lexeme_is_punct(&a->lex[*at], c)) return error_at(a, &a->lex[*at], "expected '%c'", c);
    (*at)++;
    return true;
}

bool assembler_word(struct assembler *a, size_t *at, const char *what, const struct lexeme **word) {
    *word = &a->lex[*at];
    if ((*word)->kind != LEX_WORD) return error_at(a, *word, "expected %s", what);
    (*at)++;
    return true;
}

/* ---- kernels and items ---- */

bool assembler_add_kernel(struct assembler *a, const char *name, size_t length, size_t offset) {
    struct kernel *grown = realloc(a->kernels, (a->kernel_count + 1) * sizeof *grown);
    if (grown == NULL) return no_memory(a);
    a->kernels = grown;
    struct kernel *k = &a->kernels[a->kernel_count];
    *k = (struct kernel){.image = image_create(), .name_offset = offset, .first_item = a->item_count};
    if (k->image == NULL) return no_memory(a);
    k->image->arch = a->arch;
    a->kernel_count++;
    return image_set_name(k->image, name, length) == STATUS_OK || no_memory(a);
}

void assembler_begin_kernel(struct assembler *a, const char *name, size_t length, size_t offset) {
    if (current_kernel(a)->named || current_kernel(a)->has_items) {
        if (!assembler_add_kernel(a, name, length, offset)) return;
    } else if (image_set_name(current_kernel(a)->image, name, length) != STATUS_OK) {
        no_memory(a);
    }
    current_kernel(a)->named = true;
}

void assembler_set_arch(struct assembler *a, unsigned arch) {
    a->arch = arch;
    current_kernel(a)->image->arch = arch;
}

struct assembly_item *assembler_add_item(struct assembler *a, size_t offset, size_t length) {
    if (a->item_count == a->item_capacity) {
        size_t capacity = a->item_capacity > 0 ? a->item_capacity * 2 : 256;
        struct assembly_item *grown = realloc(a->items, capacity * sizeof *grown);
        if (grown == NULL) return (void)no_memory(a), NULL;
        a->items = grown;
        a->item_capacity = capacity;
    }
    struct source_place place = sources_locate(&a->messages->sources, offset);
    struct assembly_item *item = &a->items[a->item_count++];
    *item = (struct assembly_item){.offset = offset,
                                   .length = length,
                                   .pc = current_kernel(a)->pc,
                                   .line = place.line,
                                   .file = place.file,
                                   .kernel = (uint32_t)a->kernel_count - 1};
    current_kernel(a)->has_items = true;
    return item;
}
