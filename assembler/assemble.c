/* SPDX-License-Identifier: Apache-2.0 */
/* The assembler's outline: scan, read, choose a kernel, emit. */
#include "assemble.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "assembler.h"

/* ---- what the passes share ---- */

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
    messages_add(a->messages, MESSAGE_ERROR, a->base + l->start, l->length, "%s", text);
    return false;
}

/* An undefined name may be a label that was mistyped. */
static void suggest_name(struct assembler *a, const struct isa_error *error, struct message *m) {
    uint32_t kernel = a->emitting ? a->kernel : (uint32_t)a->kernel_count - 1;
    const struct symbol_entry *e =
        symbols_nearest(&a->symbols, a->scan.clean + a->base + error->start, error->length, kernel);
    if (e != NULL) snprintf(m->help, sizeof m->help, "did you mean '%.*s'?", (int)e->length, e->name);
}

bool error_isa(struct assembler *a, const struct isa_error *error) {
    struct message *m =
        messages_add(a->messages, MESSAGE_ERROR, a->base + error->start, error->length, "%s", error->text);
    if (m == NULL) return false;
    memcpy(m->help, error->help, sizeof m->help);
    if (m->help[0] == '\0' && strstr(error->text, "not defined") != NULL) suggest_name(a, error, m);
    return false;
}

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

/* ---- which kernel ---- */

static size_t live_kernels(const struct assembler *a) {
    size_t n = 0;
    for (size_t i = 0; i < a->kernel_count; i++) n += a->kernels[i].named || a->kernels[i].has_items ? 1 : 0;
    return n;
}

/* Names of the kernels for a message. */
static void list_names(const struct assembler *a, char *text, size_t size) {
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < a->kernel_count && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", i > 0 ? ", " : "", a->kernels[i].image->name);
}

static bool choose_kernel(struct assembler *a, const char *name) {
    char names[160];
    list_names(a, names, sizeof names);
    if (name == NULL && live_kernels(a) > 1) {
        messages_add(a->messages, MESSAGE_ERROR, a->kernels[1].name_offset, 1,
                     "file has several kernels (%s); choose one with --kernel", names);
        return false;
    }
    for (size_t i = 0; i < a->kernel_count; i++) {
        if (name != NULL && strcmp(a->kernels[i].image->name, name) != 0) continue;
        a->kernel = (uint32_t)i;
        return true;
    }
    messages_add(a->messages, MESSAGE_ERROR, 0, 1, "there is no kernel '%s'; the file has %s", name, names);
    return false;
}

/* ---- the whole ---- */

static void release(struct assembler *a) {
    scan_release(&a->scan);
    symbols_release(&a->symbols);
    for (size_t i = 0; i < a->kernel_count; i++) image_destroy(a->kernels[i].image);
    free(a->kernels);
    free(a->items);
    free(a->lex);
}

/* Moves the chosen kernel's image and items into the result. */
static void hand_over(struct assembler *a, struct assembly *result) {
    result->image = a->kernels[a->kernel].image;
    a->kernels[a->kernel].image = NULL;
    size_t n = 0;
    for (size_t i = 0; i < a->item_count; i++)
        if (a->items[i].kernel == a->kernel) a->items[n++] = a->items[i];
    result->items = a->items;
    result->item_count = n;
    a->items = NULL;
}

enum status assemble_text(const char *path, const char *text, size_t size, const char *kernel, struct assembly *result,
                          struct messages *m) {
    *result = (struct assembly){0};
    struct assembler a = {.path = path, .messages = m};
    if (scan_text(text, size, &a.scan, m) != STATUS_OK) {
        no_memory(&a);
    } else {
        assembler_read(&a);
        if (!a.no_memory && choose_kernel(&a, kernel)) {
            a.emitting = true;
            assembler_emit(&a, a.kernel);
            if (a.item_count == 0) messages_add(m, MESSAGE_ERROR, 0, 1, "file has no instructions");
        }
    }
    if (a.no_memory) messages_add(m, MESSAGE_ERROR, 0, 0, "out of memory");
    if (m->errors == 0) hand_over(&a, result);
    release(&a);
    return m->errors == 0 ? STATUS_OK : STATUS_BAD_INPUT;
}

enum status assemble_names(const char *path, const char *text, size_t size, struct assembly_names *names,
                           struct messages *m) {
    *names = (struct assembly_names){0};
    struct assembler a = {.path = path, .messages = m};
    if (scan_text(text, size, &a.scan, m) == STATUS_OK)
        assembler_read(&a);
    else
        no_memory(&a);
    names->name = calloc(a.kernel_count + 1, sizeof *names->name);
    for (size_t i = 0; i < a.kernel_count && names->name != NULL; i++) {
        if (!a.kernels[i].named && !a.kernels[i].has_items) continue;
        names->name[names->count++] = a.kernels[i].image->name;
        a.kernels[i].image->name = NULL;
    }
    if (a.no_memory || names->name == NULL) messages_add(m, MESSAGE_ERROR, 0, 0, "out of memory");
    release(&a);
    return m->errors == 0 ? STATUS_OK : STATUS_BAD_INPUT;
}

void assembly_names_release(struct assembly_names *names) {
    for (size_t i = 0; i < names->count; i++) free(names->name[i]);
    free(names->name);
    *names = (struct assembly_names){0};
}

void assembly_release(struct assembly *a) {
    image_destroy(a->image);
    free(a->items);
    *a = (struct assembly){0};
}
